import type { ConnectedChunk, SearchFilter, SearchStore } from "#domain/answers/search.ts";
import type { RankedDocument } from "./bm25.ts";
import type { TermLookup } from "./pending.ts";

/** A ranked passage with its tile and its offsets. */
export type LocatedPassage = ConnectedChunk & RankedDocument;

/** The board that is searched. */
export type BoardSearch = {
  readonly search: SearchStore;
  readonly businessId: string;
  readonly boardId: string;
  readonly filter: SearchFilter | undefined;
  /** The text that may still be read, in bytes. */
  readonly budget: { bytes: number };
};

const FIRST_BATCH = 64;
const MAX_BATCH = 4_096;

/** `skipped`: passages that were read with the others, but exceed a limit; best first. */
export type GatheredPassages = { readonly passages: readonly LocatedPassage[]; readonly skipped: readonly LocatedPassage[] };

/** Takes passages from a ranking, in growing batches, until `limit` of them are connected; at most `perTile` of one tile. */
export async function gatherPassages(
  scope: BoardSearch,
  lookup: TermLookup,
  ranking: Iterator<RankedDocument>,
  limit: number,
  perTile: number,
): Promise<GatheredPassages> {
  const passages: LocatedPassage[] = [];
  const skipped: LocatedPassage[] = [];
  const counts = new Map<string, number>();
  for (let size = Math.max(FIRST_BATCH, limit); passages.length < limit; size = Math.min(size * 2, MAX_BATCH)) {
    const batch = takeNext(ranking, size);
    if (batch.length === 0) break;
    for (const passage of await locatePassages(scope, lookup, batch)) {
      const count = counts.get(passage.tileId) ?? 0;
      counts.set(passage.tileId, count + 1);
      (count < perTile && passages.length < limit ? passages : skipped).push(passage);
    }
  }
  return { passages, skipped };
}

/** Returns the next `count` items of a ranking, or fewer at its end. */
function takeNext(ranking: Iterator<RankedDocument>, count: number): RankedDocument[] {
  const batch: RankedDocument[] = [];
  while (batch.length < count) {
    const { value, done } = ranking.next();
    if (done === true) break;
    batch.push(value);
  }
  return batch;
}

/** Finds tile and offsets of each document, in order; documents that may not be read are left out. */
export async function locatePassages(
  { search, businessId, boardId, filter }: BoardSearch,
  lookup: TermLookup,
  batch: readonly RankedDocument[],
): Promise<LocatedPassage[]> {
  const stored = batch.map(({ document }) => document).filter((document) => !lookup.pending.has(document));
  const chunks = stored.length > 0 ? await search.connectedChunks(businessId, boardId, stored, filter) : [];
  const connected = new Map(chunks.map((chunk) => [chunk.document, chunk]));
  return batch.flatMap((ranked) => {
    const pending = lookup.pending.get(ranked.document);
    // All pending tiles of a question together are short.
    if (pending !== undefined) return [{ ...ranked, tileId: pending.tile.tileId, tileBytes: 0, start: pending.start, end: pending.end }];
    const chunk = connected.get(ranked.document);
    // A tile that was read as pending and is indexed by now would be found twice.
    return chunk === undefined || lookup.pending.hasTile(chunk.tileId) ? [] : [{ ...chunk, ...ranked }];
  });
}
