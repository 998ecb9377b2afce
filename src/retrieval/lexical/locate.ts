import type { ConnectedChunk, SearchStore, SearchFilter } from "#domain/answers/search.ts";
import type { TermLookup } from "./pending.ts";
import type { RankedDocument } from "./bm25.ts";

/** A ranked passage with where it stands. */
export type LocatedPassage = ConnectedChunk & RankedDocument;
export type BoardSearch = {
  readonly search: SearchStore;
  readonly businessId: string;
  readonly boardId: string;
  readonly filter: SearchFilter | undefined;
};

/** The next `count` of a ranking, or what is left of it. */
export function takeNext(ranking: Iterator<RankedDocument>, count: number): RankedDocument[] {
  const batch: RankedDocument[] = [];
  while (batch.length < count) {
    const { value, done } = ranking.next();
    if (done === true) break;
    batch.push(value);
  }
  return batch;
}

/** Where the batch's documents stand, in its order, without those that may not be read. */
export async function locatePassages(
  { search, businessId, boardId, filter }: BoardSearch,
  lookup: TermLookup,
  pendingTiles: ReadonlySet<string>,
  batch: readonly RankedDocument[],
): Promise<LocatedPassage[]> {
  const stored = batch.map(({ document }) => document).filter((document) => !lookup.pending.has(document));
  const chunks = stored.length > 0 ? await search.connectedChunks(businessId, boardId, stored, filter) : [];
  const connected = new Map(chunks.map((chunk) => [chunk.document, chunk]));
  return batch.flatMap((ranked) => {
    const pending = lookup.pending.get(ranked.document);
    if (pending !== undefined) return [{ ...ranked, tileId: pending.tile.tileId, start: pending.start, end: pending.end }];
    const chunk = connected.get(ranked.document);
    return chunk === undefined || pendingTiles.has(chunk.tileId) ? [] : [{ ...chunk, ...ranked }];
  });
}
