export type Business = { readonly id: string; readonly name: string; readonly createdAt: number };

export type Board = {
  readonly id: string;
  readonly businessId: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly slug: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** Numbers that each change with every committed write to a part of a board; what was built from that part holds while its number lasts. */
export type Revisions = {
  /** Its zones. */
  readonly zones: number;
  /** Its zones and tiles. */
  readonly content: number;
  /** Its zones and the tiles that were there: all but creations of tiles, which come last in their order. */
  readonly existing: number;
};

/** A URL-safe name: lower-case ASCII letters, digits and single hyphens; `board` when nothing is left. */
export function slugOf(name: string): string {
  const ascii = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|(?<!-)-+$/g, "");
  return ascii.slice(0, 60).replace(/-+$/, "") || "board";
}
