import type { GenerationSummary, InboundTile, LostExternalId, TileSummary, Zone } from "./generated/schemas.ts";

/** A resource with the `ETag` it was sent with, to pass as `ifMatch`. */
export type Versioned<T> = T & { readonly etag: string | null };

/** A zone in a listing. */
export type ZoneSummary = Omit<Zone, "boardId" | "createdAt" | "updatedAt">;

export type TilePage = { readonly tiles: readonly TileSummary[]; readonly nextCursor: string | null; readonly total?: number | undefined };

export type GenerationPage = { readonly generations: readonly GenerationSummary[]; readonly nextCursor: string | null };

/** A tile, and what the call that returned it did. `changed` is present if the tile existed: whether the call changed it. */
export type Created<T> = T & { readonly created: boolean; readonly changed?: boolean };

/** A restored resource. `lostExternalIds` are tiles that came back without their `externalId`, because another tile has it. */
export type Restored<T> = T & { readonly lostExternalIds?: readonly LostExternalId[] };

/** The result of one item of a batch: the tile that was created or updated, or an error message. */
export type BatchResult =
  | { readonly tile: InboundTile; readonly created: boolean; readonly changed?: boolean; readonly error?: never }
  | { readonly error: string; readonly tile?: never };

/** The result of an item with `skipDeleted` that was deleted before, so that nothing was created. */
export type SkippedResult = { readonly tile: null; readonly created: false; readonly deleted: true; readonly error?: never };
