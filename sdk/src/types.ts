import type { GenerationSummary, InboundTile, LostExternalId, TileSummary, Zone } from "./generated/schemas.ts";

/** A resource with the `ETag` it was sent with, to pass as `ifMatch`. */
export type Versioned<T> = T & { readonly etag: string | null };

/** A zone in a listing. */
export type ZoneSummary = Omit<Zone, "boardId" | "createdAt" | "updatedAt">;

export type TilePage = { readonly tiles: readonly TileSummary[]; readonly nextCursor: string | null; readonly total?: number | undefined };

export type GenerationPage = { readonly generations: readonly GenerationSummary[]; readonly nextCursor: string | null };

/** What a creation did. `changed` is present if the tile existed: whether the call changed it. `duplicate` is true if `onDuplicate` found it. */
type Done = { readonly created: boolean; readonly changed?: boolean; readonly duplicate?: boolean };

/** A tile, and what the call that returned it did. */
export type Created<T> = T & Done;

/** Returns what a creation did, of its response. */
export const pickDone = ({ created, changed, duplicate }: { readonly [Name in keyof Done]: Done[Name] | undefined }): Done => ({
  created: created === true,
  ...(changed !== undefined && { changed }),
  ...(duplicate !== undefined && { duplicate }),
});

/** A restored resource. `lostExternalIds` are tiles that came back without their `externalId`, because another tile has it. */
export type Restored<T> = T & { readonly lostExternalIds?: readonly LostExternalId[] };

/** The result of one item of a batch: the tile that was created or updated, or an error message. */
export type BatchResult =
  | (Done & { readonly tile: InboundTile; readonly error?: never })
  | { readonly error: string; readonly tile?: never };

/** The result of an item with `skipDeleted` that was deleted before, so that nothing was created. */
export type SkippedResult = { readonly tile: null; readonly created: false; readonly deleted: true; readonly error?: never };
