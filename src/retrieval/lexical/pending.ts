import type { Analyser, BoardStatistics, PendingTile, Posting } from "#domain/answers/search.ts";

/** Where a document that is not indexed yet comes from. */
export type PendingChunk = { readonly tile: PendingTile; readonly start: number; readonly end: number };
/** What is looked up for a question, pending tiles counted in as though they were indexed. */
export type TermLookup = {
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  readonly statistics: BoardStatistics;
  /** By document; these ids are beyond those of every stored posting, as a tile indexed next would get. */
  readonly pending: ReadonlyMap<number, PendingChunk>;
};

/** Adds tiles that are not indexed yet to what the index gave for the terms, so that the rank is the same either way. */
export async function addPending(
  analyse: Analyser["analyse"],
  terms: readonly string[],
  stored: Omit<TermLookup, "pending">,
  tiles: readonly PendingTile[],
): Promise<TermLookup> {
  if (tiles.length === 0) return { ...stored, pending: new Map() };
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
  return { postings, statistics: { documents, totalLength, nextDocument: next }, pending };
}
