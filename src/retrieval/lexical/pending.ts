import { setImmediate } from "node:timers/promises";
import { type Chunk, findEntries } from "#domain/answers/analysis.ts";
import type { AnalysedTile, Analyser, BoardStatistics, Posting, SearchFilter, SearchStore, TileVersion } from "#domain/answers/search.ts";
import { createTurnCounter } from "./turn-counter.ts";

/** The origin of a document that is not indexed yet. */
export type PendingChunk = { readonly tile: TileVersion } & Chunk;

/** Postings and statistics for a question, including pending tiles as if they were indexed. */
export type TermLookup = {
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  readonly statistics: BoardStatistics;
  /** Their documents are numbered above those of all stored postings, like those of a tile that is indexed next. */
  readonly pending: PendingDocuments;
};

/**
 * Bytes of unindexed tiles that a question reads; newer tiles come first. Boards have more only for minutes after an import, or for a
 * longer text, of which the beginning is read.
 */
const MAX_PENDING_BYTES = 2_000_000;
/** Terms looked up in the parts of pending tiles in one turn of the event loop, about 5 ms. */
export const LOOKUPS_PER_TURN = 20_000;

type PendingDeps = {
  readonly search: Pick<SearchStore, "pendingConnected">;
  readonly analyseWaiting: Analyser["analyseWaiting"];
};

/** Returns the analyses of a board's unindexed tiles, which all questions share. */
export async function loadPending(
  { search, analyseWaiting }: PendingDeps,
  businessId: string,
  boardId: string,
  filter?: SearchFilter,
): Promise<readonly AnalysedTile[]> {
  const tiles = await search.pendingConnected(businessId, boardId, MAX_PENDING_BYTES, filter);
  return tiles.length === 0 ? [] : analyseWaiting(tiles);
}

/** Adds tiles that are not indexed yet to the postings of the terms, so that the ranking is the same before and after indexing. */
export async function addPending(
  terms: readonly string[],
  stored: Pick<TermLookup, "postings" | "statistics">,
  tiles: readonly AnalysedTile[],
): Promise<TermLookup> {
  const pending = new PendingDocuments(stored.statistics.nextDocument, tiles);
  if (tiles.length === 0) return { ...stored, pending };
  const postings = new Map(stored.postings);
  const isTurnOver = createTurnCounter(LOOKUPS_PER_TURN);
  for (const term of terms) {
    const added: Posting[] = [];
    for (const { first, part } of pending.parts) {
      if (isTurnOver()) await setImmediate();
      for (const { chunk, frequency } of findEntries(part.terms, term))
        added.push({ document: first + chunk, frequency, length: part.chunks[chunk]?.length ?? 0 });
    }
    if (added.length > 0) postings.set(term, [...(stored.postings.get(term) ?? []), ...added]);
  }
  const { documents, totalLength } = stored.statistics;
  const statistics = {
    documents: documents + pending.size,
    totalLength: totalLength + pending.totalLength,
    nextDocument: stored.statistics.nextDocument + pending.size,
  };
  return { postings, statistics, pending };
}

type PendingPart = { readonly first: number; readonly tile: TileVersion; readonly part: AnalysedTile["parts"][number] };

/** The documents of pending tiles, numbered consecutively. They are found by their number without an entry for each. */
export class PendingDocuments {
  readonly parts: readonly PendingPart[];
  readonly size: number;
  /** The sum of the lengths of all documents. */
  readonly totalLength: number;
  readonly #tileIds = new Set<string>();

  constructor(nextDocument: number, tiles: readonly AnalysedTile[]) {
    const parts: PendingPart[] = [];
    let first = nextDocument;
    let totalLength = 0;
    for (const { tile, parts: ofTile } of tiles) {
      for (const part of ofTile) {
        if (part.chunks.length === 0) continue;
        parts.push({ first, tile, part });
        first += part.chunks.length;
        for (const { length } of part.chunks) totalLength += length;
        this.#tileIds.add(tile.tileId);
      }
    }
    this.parts = parts;
    this.size = first - nextDocument;
    this.totalLength = totalLength;
  }

  hasTile(tileId: string): boolean {
    return this.#tileIds.has(tileId);
  }

  get(document: number): PendingChunk | undefined {
    let [low, high] = [0, this.parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.parts[middle] as PendingPart).first <= document) low = middle + 1;
      else high = middle;
    }
    const found = this.parts[low - 1];
    const chunk = found?.part.chunks[document - found.first];
    return found === undefined || chunk === undefined ? undefined : { tile: found.tile, ...chunk };
  }

  has(document: number): boolean {
    return this.get(document) !== undefined;
  }
}
