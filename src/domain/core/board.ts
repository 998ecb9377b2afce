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

/** Revision numbers that change with every commit to a part of a board. A cached value is valid while its number is unchanged. */
export type Revisions = {
  /** Its zones. */
  readonly zones: number;
  /** Its zones and tiles. */
  readonly content: number;
  /** Its zones and existing tiles. Creating a tile does not change it, since new tiles come last in the order of creation. */
  readonly existing: number;
};
