import { type Analysis, countTerms, getTerm, listEntries } from "#domain/answers/analysis.ts";
import type { TileVersion } from "#domain/answers/search.ts";
import { BLOCK_SIZE, type Entry, toBlock } from "../../shared/codec.ts";
import type { Dialect } from "../driver.ts";
import { run, type Unit } from "../unit.ts";
import { type BoardNumber, findBoardNumber } from "./board-index.ts";
import { addChunks, appendPostings, type PostingRow, setLive } from "./postings.ts";
import { removeFromIndex } from "./remove-tiles.ts";

export type IndexedTile = { readonly tile: TileVersion; readonly analysis: Analysis };

/** Splits the tiles of a board into groups of about `maxTerms` terms. A tile is never split. */
export function groupByTermCount(items: readonly IndexedTile[], maxTerms: number): IndexedTile[][] {
  const groups: IndexedTile[][] = [];
  let terms = Infinity;
  for (const item of items) {
    if (terms >= maxTerms) {
      groups.push([]);
      terms = 0;
    }
    groups.at(-1)?.push(item);
    terms += countTerms(item.analysis.terms);
  }
  return groups;
}

/** Stores the analyses of tiles of one board, whose documents are numbered in this order. */
export function* storeAnalyses(dialect: Dialect, group: readonly IndexedTile[]): Unit<void> {
  const { businessId, boardId } = (group[0] as IndexedTile).tile;
  const board = yield* findBoardNumber(businessId, boardId);
  if (board === null) return;
  const current = new Set<string>();
  // All writers lock tiles in the order of their ids, to avoid deadlocks.
  for (const { tileId, version } of group.map(({ tile }) => tile).sort((a, b) => (a.tileId < b.tileId ? -1 : 1))) {
    const changed = yield* run(
      `UPDATE tile SET is_indexed = TRUE, is_embedded = FALSE
       WHERE business_id = @businessId AND id = @tileId AND version = @version AND is_indexed = FALSE`,
      { businessId, tileId, version },
    );
    if (changed > 0) current.add(tileId);
  }
  yield* removeFromIndex(dialect, businessId, [...current]);
  const isFirst = ({ tile }: IndexedTile, at: number): boolean => group.findIndex((item) => item.tile.tileId === tile.tileId) === at;
  yield* addToIndex(
    dialect,
    board,
    group.filter((item, at) => current.has(item.tile.tileId) && isFirst(item, at)),
  );
}

/** Adds several tiles of one board to the index at once, so that the postings of a term are written once per block. */
function* addToIndex(dialect: Dialect, board: BoardNumber, items: readonly IndexedTile[]): Unit<void> {
  const chunks = items.flatMap(({ tile: { tileId }, analysis }) => analysis.chunks.map((chunk) => ({ tileId, ...chunk })));
  if (chunks.length === 0) return;
  const first = yield* addChunks(dialect, board, chunks);
  const documents = chunks.map(({ length }, at) => ({ document: first + at, length }));
  yield* setLive(dialect, board, documents, true);
  yield* appendPostings(dialect, board, mergeRows(items, first));
}

/** Returns the postings of several tiles, with one row for each term and block. Documents are numbered from `first`. */
function mergeRows(items: readonly IndexedTile[], first: number): PostingRow[] {
  const rows = new Map<string, PostingRow & { readonly entries: Entry[] }>();
  let start = first;
  for (const { analysis } of items) {
    for (const { block, term, entries } of iterateRows(analysis, start)) {
      const key = `${block} ${term}`;
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { block, term, entries: [...entries] });
      else row.entries.push(...entries);
    }
    start += analysis.chunks.length;
  }
  return [...rows.values()];
}

/** Yields the postings of a text in the order of its terms, which is how the database stores them. */
export function* iterateRows({ chunks, terms }: Analysis, first: number): Generator<PostingRow, void, undefined> {
  for (let index = 0; index < countTerms(terms); index++) {
    const term = getTerm(terms, index);
    const blocks = new Map<number, Entry[]>();
    for (const { chunk, frequency } of listEntries(terms, index)) {
      const document = first + chunk;
      const entry = { slot: document % BLOCK_SIZE, frequency, length: chunks[chunk]?.length ?? 0 };
      const inBlock = blocks.get(toBlock(document));
      if (inBlock === undefined) blocks.set(toBlock(document), [entry]);
      else inBlock.push(entry);
    }
    for (const [block, entries] of blocks) yield { block, term, entries };
  }
}
