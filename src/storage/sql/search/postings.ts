import type { Chunk } from "#domain/answers/analysis.ts";
import { BLOCK_SIZE, createDeadBitmap, packEntries, setDead, toBlock, type Entry } from "../../shared/codec.ts";
import type { Dialect } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { run, type Unit } from "../unit.ts";
import { addToCounters, boardColumns, type BoardNumber, boardParams, isOfBlock, reserveDocuments } from "./board-index.ts";

/** A chunk of a tile in the index. */
export type Document = { readonly document: number; readonly length: number };
export const DOCUMENTS = new Mapping<Document>(plainFields("document", "length"));
export type TileChunk = { readonly tileId: string } & Chunk;
/** The entries of one term in one block. */
export type PostingRow = { readonly block: number; readonly term: string; readonly entries: readonly Entry[] };

const CHUNK_COLUMNS = { document: "bigint", tile_id: "text", start_at: "bigint", end_at: "bigint", length: "bigint" } as const;
const POSTING_COLUMNS = { block: "bigint", term: "text", entries: "bytes" } as const;

/** The number of live chunks of a block, and the bitmap of the dead ones. */
type PostingBlock = { readonly live: number; readonly dead: Buffer };
const POSTING_BLOCKS = new Mapping<PostingBlock>(plainFields("live", "dead"));

/** Returns the block `@block` of a board; null if no chunk of it was ever live. */
export const findPostingBlock = (dialect: Dialect, board: BoardNumber, block: number): Unit<PostingBlock | null> =>
  POSTING_BLOCKS.find(`posting_block WHERE ${isOfBlock(dialect)}`, { ...board, block });

/**
 * Adds chunks of tiles, and returns the number of the first one. They are dead, so that no search finds them, until `setLive` is called.
 * Locks the index of the board.
 */
export function* addChunks(dialect: Dialect, board: BoardNumber, chunks: readonly TileChunk[]): Unit<number> {
  const first = yield* reserveDocuments(board, chunks.length);
  yield* markNew(dialect, board, first, chunks.length);
  const rows = chunks.map(({ tileId, start, end, length }, i) => ({
    document: first + i,
    tile_id: tileId,
    start_at: start,
    end_at: end,
    length,
  }));
  yield* run(
    `INSERT INTO chunk (${boardColumns(dialect)}, document, tile_id, start_at, end_at, length)
     SELECT ${boardParams(dialect)}, document, tile_id, start_at, end_at, length FROM ${dialect.rowsOfJson("chunks", CHUNK_COLUMNS)} AS c`,
    { ...board, chunks: JSON.stringify(rows) },
  );
  return first;
}

/** Marks new chunks as dead, without counting them. Only their first block can exist; a block that does not is not searched. */
function* markNew(dialect: Dialect, board: BoardNumber, first: number, count: number): Unit<void> {
  const block = toBlock(first);
  const found = yield* findPostingBlock(dialect, board, block);
  if (found === null) return;
  const end = Math.min((first % BLOCK_SIZE) + count, BLOCK_SIZE);
  for (let slot = first % BLOCK_SIZE; slot < end; slot++) setDead(found.dead, slot, true);
  yield* run(`UPDATE posting_block SET dead = @dead WHERE ${isOfBlock(dialect)}`, { ...board, block, dead: found.dead });
}

/**
 * Makes chunks live or dead, and adds them to the statistics or subtracts them. Those that already are do not count twice. Returns their
 * blocks. The index of the board must be locked.
 */
export function* setLive(dialect: Dialect, board: BoardNumber, documents: readonly Document[], isLive: boolean): Unit<number[]> {
  const blocks = Map.groupBy(documents, ({ document }) => toBlock(document));
  let count = 0;
  let length = 0;
  for (const [block, inBlock] of blocks) {
    const changed = yield* setLiveInBlock(dialect, board, block, inBlock, isLive);
    count += changed.length;
    for (const document of changed) length += document.length;
  }
  const sign = isLive ? 1 : -1;
  yield* addToCounters(board, sign * count, sign * length);
  return [...blocks.keys()];
}

function* setLiveInBlock(
  dialect: Dialect,
  board: BoardNumber,
  block: number,
  documents: readonly Document[],
  isLive: boolean,
): Unit<readonly Document[]> {
  const found = yield* findPostingBlock(dialect, board, block);
  // A missing block has no live chunks.
  if (found === null && !isLive) return [];
  const dead = found?.dead ?? createDeadBitmap().fill(0xff);
  const changed = documents.filter(({ document }) => setDead(dead, document % BLOCK_SIZE, !isLive));
  const live = isLive ? changed.length : -changed.length;
  if (changed.length > 0)
    yield* run(
      `INSERT INTO posting_block (${boardColumns(dialect)}, block, live, dead) VALUES (${boardParams(dialect)}, @block, @live, @dead)
       ON CONFLICT (${boardColumns(dialect)}, block) DO UPDATE SET live = posting_block.live + excluded.live, dead = excluded.dead`,
      { ...board, block, live, dead },
    );
  return changed;
}

/** Appends entries to the postings of their terms. The index of the board must be locked. */
export function* appendPostings(dialect: Dialect, board: BoardNumber, rows: readonly PostingRow[]): Unit<void> {
  const packed = rows.map(({ block, term, entries }) => ({ block, term, entries: packEntries(entries).toString("hex") }));
  yield* run(
    `INSERT INTO posting (${boardColumns(dialect)}, block, term, entries)
     SELECT ${boardParams(dialect)}, block, term, entries FROM ${dialect.rowsOfJson("postings", POSTING_COLUMNS)} AS p WHERE TRUE
     ON CONFLICT (${boardColumns(dialect)}, block, term) DO UPDATE SET entries = ${dialect.concatBytes("posting.entries", "excluded.entries")}`,
    { ...board, postings: JSON.stringify(packed) },
  );
}
