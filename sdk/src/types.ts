import type { GenerationSummary, InboundTile, TileSummary, Zone } from "./generated/schemas.ts";

/** A resource with the `ETag` it was sent with, to pass as `ifMatch`. */
export type Versioned<T> = T & { readonly etag: string | null };

/** A zone in a listing. */
export type ZoneSummary = Omit<Zone, "boardId" | "createdAt" | "updatedAt">;

export type TilePage = { readonly tiles: readonly TileSummary[]; readonly nextCursor: string | null };

export type GenerationPage = { readonly generations: readonly GenerationSummary[]; readonly nextCursor: string | null };

/** The result of one item of a batch: the tile that was created, or an error message. */
export type BatchResult = { readonly tile: InboundTile; readonly error?: never } | { readonly error: string; readonly tile?: never };
