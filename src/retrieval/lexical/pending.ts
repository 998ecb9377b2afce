import type { Analyser, BoardStatistics, PendingTile, Posting } from "#domain/answers/search.ts";

/** The origin of a document that is not indexed yet. */
export type PendingChunk = { readonly tile: PendingTile; readonly start: number; readonly end: number };

/** Postings and statistics for a question, including pending tiles as if they were indexed. */
export type TermLookup = {
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  readonly statistics: BoardStatistics;
  /** By document; their numbers are above those of all stored postings, like those of a tile that is indexed next. */
  readonly pending: ReadonlyMap<number, PendingChunk>;
  readonly pendingTileIds: ReadonlySet<string>;
};

/** Adds tiles that are not indexed yet to the postings of the terms, so that the ranking is the same before and after indexing. */
export async function addPending(
  analyse: Analyser["analyse"],
  terms: readonly string[],
  stored: Pick<TermLookup, "postings" | "statistics">,
  tiles: readonly PendingTile[],
): Promise<TermLookup> {
  if (tiles.length === 0) return { ...stored, pending: new Map(), pendingTileIds: new Set() };
  const postings = new Map<string, Posting[]>();
  for (const term of terms) postings.set(term, [...(stored.postings.get(term) ?? [])]);
  const pending = new Map<number, PendingChunk>();
  let { documents, totalLength } = stored.statistics;
  let next = stored.statistics.nextDocument;
  const analyses = await analyse(tiles, new Set(terms));
  for (const [at, tile] of tiles.entries()) {
    const analysis = analyses[at];
    if (analysis === undefined) continue;
    for (const [term, list] of postings) {
      for (const { chunk, frequency } of analysis.terms.get(term) ?? []) {
        list.push({ document: next + chunk, frequency, length: analysis.chunks[chunk]?.length ?? 0 });
      }
    }
    for (const { start, end, length } of analysis.chunks) {
      pending.set(next++, { tile, start, end });
      documents++;
      totalLength += length;
    }
  }
  const pendingTileIds = new Set(Array.from(pending.values(), ({ tile }) => tile.tileId));
  return { postings, statistics: { documents, totalLength, nextDocument: next }, pending, pendingTileIds };
}
