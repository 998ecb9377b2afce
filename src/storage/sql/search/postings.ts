import type { Chunk } from "#domain/answers/analysis.ts";
import { BLOCK_SIZE, createDeadBitmap, packEntries, setDead, toBlock, type Entry } from "../../shared/codec.ts";
import type { Dialect } from "../driver.ts";
import { get, run, type Unit } from "../unit.ts";

/** A board with the number that identifies it in the tables of the index. */
export type BoardNumber = { readonly businessId: string; readonly number: number };
/** A chunk of a tile in the index. */
export type Document = { readonly document: number; readonly length: number };
/** The entries of one term in one block. */
export type PostingRow = { readonly block: number; readonly term: string; readonly entries: readonly Entry[] };

/** Returns the number of a board, or undefined if there is no such board. */
export function* readBoardNumber(businessId: string, boardId: string): Unit<BoardNumber | undefined> {
  const sql = "SELECT number FROM board WHERE business_id = @businessId AND id = @boardId";
  const row = yield* get<{ number: number }>(sql, { businessId, boardId });
  return row === undefined ? undefined : { businessId, number: row.number };
}

/** Returns the condition that the row belongs to the block `@block` of the board. */
export const isOfBlock = ({ index }: Dialect): string => `${index.isOfBoard()} AND block = @block`;

/**
 * Adds chunks of tiles, and returns the number of the first one. They are dead, so that no search finds them, until `setLive` is called.
 * Locks the index of the board.
 */
export function* addChunks(
  dialect: Dialect,
  board: BoardNumber,
  chunks: readonly ({ readonly tileId: string } & Chunk)[],
): Unit<number | undefined> {
  const { index } = dialect;
  const counters = yield* get<{ next_document: number }>(
    `UPDATE ${index.counters} SET next_document = next_document + @count WHERE ${index.isCounter} RETURNING next_document`,
    { ...board, count: chunks.length },
  );
  if (counters === undefined) return undefined;
  const first = counters.next_document - chunks.length;
  yield* markNew(dialect, board, first, chunks.length);
  const rows = chunks.map(({ tileId, start, end, length }, i) => ({
    document: first + i,
    tile_id: tileId,
    begins: start,
    ends: end,
    length,
  }));
  yield* run(
    `INSERT INTO chunk (${index.boardColumns}, document, tile_id, ${index.start}, ${index.end}, length)
     SELECT ${index.boardParams}, document, tile_id, begins, ends, length
     FROM ${dialect.rowsOfJson("chunks", { document: "bigint", tile_id: "text", begins: "bigint", ends: "bigint", length: "bigint" })} AS c`,
    { ...board, chunks: JSON.stringify(rows) },
  );
  return first;
}

/** Marks new chunks as dead, without counting them. Only their first block can exist; a block that does not is not searched. */
function* markNew(dialect: Dialect, board: BoardNumber, first: number, count: number): Unit<void> {
  const params = { ...board, block: toBlock(first) };
  const row = yield* get<{ dead: Buffer }>(`SELECT dead FROM posting_block WHERE ${isOfBlock(dialect)}`, params);
  if (row === undefined) return;
  const end = Math.min((first % BLOCK_SIZE) + count, BLOCK_SIZE);
  for (let slot = first % BLOCK_SIZE; slot < end; slot++) setDead(row.dead, slot, true);
  yield* run(`UPDATE posting_block SET dead = @dead WHERE ${isOfBlock(dialect)}`, { ...params, dead: row.dead });
}

/**
 * Makes chunks live or dead, and adds them to the statistics or subtracts them. Those that already are do not count twice. Returns their
 * blocks. The index of the board must be locked.
 */
export function* setLive(dialect: Dialect, board: BoardNumber, documents: readonly Document[], isLive: boolean): Unit<number[]> {
  const { index } = dialect;
  const blocks = Map.groupBy(documents, ({ document }) => toBlock(document));
  let count = 0;
  let length = 0;
  for (const [block, inBlock] of blocks) {
    const changed = yield* setLiveInBlock(dialect, board, block, inBlock, isLive);
    count += changed.length;
    for (const document of changed) length += document.length;
  }
  const sign = isLive ? 1 : -1;
  yield* run(
    `UPDATE ${index.counters} SET documents = documents + @count, total_length = total_length + @length WHERE ${index.isCounter}`,
    { ...board, count: sign * count, length: sign * length },
  );
  return [...blocks.keys()];
}

function* setLiveInBlock(
  dialect: Dialect,
  board: BoardNumber,
  block: number,
  documents: readonly Document[],
  isLive: boolean,
): Unit<readonly Document[]> {
  const { index } = dialect;
  const params = { ...board, block };
  const row = yield* get<{ dead: Buffer }>(`SELECT dead FROM posting_block WHERE ${isOfBlock(dialect)}`, params);
  // A missing block has no live chunks.
  if (row === undefined && !isLive) return [];
  const dead = row?.dead ?? createDeadBitmap().fill(0xff);
  const changed = documents.filter(({ document }) => setDead(dead, document % BLOCK_SIZE, !isLive));
  const live = isLive ? changed.length : -changed.length;
  if (changed.length > 0)
    yield* run(
      `INSERT INTO posting_block (${index.boardColumns}, block, live, dead) VALUES (${index.boardParams}, @block, @live, @dead)
       ON CONFLICT (${index.boardColumns}, block) DO UPDATE SET live = posting_block.live + excluded.live, dead = excluded.dead`,
      { ...params, live, dead },
    );
  return changed;
}

/** Appends entries to the postings of their terms. The index of the board must be locked. */
export function* appendPostings(dialect: Dialect, board: BoardNumber, rows: readonly PostingRow[]): Unit<void> {
  const { index } = dialect;
  const packed = rows.map(({ block, term, entries }) => ({ block, term, entries: packEntries(entries).toString("hex") }));
  yield* run(
    `INSERT INTO posting (${index.boardColumns}, block, term, entries)
     SELECT ${index.boardParams}, block, term, ${index.fromHex("entries")}
     FROM ${dialect.rowsOfJson("postings", { block: "bigint", term: "text", entries: "text" })} AS p WHERE TRUE
     ON CONFLICT (${index.boardColumns}, block, term) DO UPDATE SET entries = ${index.appendEntries}`,
    { ...board, postings: JSON.stringify(packed) },
  );
}
