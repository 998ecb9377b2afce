import type { Analysis } from "#domain/answers/search.ts";
import { BLOCK_SIZE, type Entry, toBlock, createDeadBitmap, markDead, packEntries } from "../../shared/codec.ts";
import type { Dialect } from "../driver.ts";
import { all, get, run, type Unit } from "../unit.ts";

/** A board with the number that identifies it in the tables of the index. */
export type BoardNumber = { readonly businessId: string; readonly number: number };
type Indexed = { readonly tileId: string; readonly analysis: Analysis };
type Block = { added: number; readonly terms: Map<string, Entry[]> };

/** Returns the number of a board, or undefined if there is no such board. */
export function* readBoardNumber(businessId: string, boardId: string): Unit<BoardNumber | undefined> {
  const sql = "SELECT number FROM board WHERE business_id = @businessId AND id = @boardId";
  const row = yield* get<{ number: number }>(sql, { businessId, boardId });
  return row === undefined ? undefined : { businessId, number: row.number };
}

/**
 * Removes the chunks of tiles of one board from the index. They are marked dead and subtracted from the statistics, so they do not affect
 * the ranking. A full block that is three quarters dead is deleted, and its remaining tiles are indexed again.
 */
export function* removeFromIndex(dialect: Dialect, businessId: string, tileIds: readonly string[]): Unit<void> {
  const { index } = dialect;
  const params = { businessId, tileIds };
  const indexed = yield* get<{ number: number }>(`SELECT board_number AS number FROM chunk WHERE ${index.isOfTiles} LIMIT 1`, params);
  if (indexed === undefined) return;
  const board: BoardNumber = { businessId, number: indexed.number };
  yield* index.lock(board);
  const chunks = yield* all<{ document: number; length: number }>(
    `DELETE FROM chunk WHERE ${index.isOfTiles} RETURNING document, length`,
    params,
  );
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  yield* run(
    `UPDATE ${index.counters} SET documents = documents - @count, total_length = total_length - @length WHERE ${index.isCounter}`,
    { ...board, count: chunks.length, length },
  );
  const blocks = Map.groupBy(chunks, ({ document }) => toBlock(document));
  for (const [block, removed] of blocks) {
    const slots = removed.map(({ document }) => document % BLOCK_SIZE);
    yield* markDeadInBlock(dialect, board, block, slots);
  }
  for (const block of blocks.keys()) yield* deleteSparseBlock(dialect, board, block);
}

/** Returns the condition that the row belongs to the block `@block` of the board. */
const isOfBlock = ({ index }: Dialect): string => `${index.isOfBoard()} AND block = @block`;

function* markDeadInBlock(dialect: Dialect, board: BoardNumber, block: number, slots: readonly number[]): Unit<void> {
  const params = { ...board, block };
  const row = yield* get<{ dead: Buffer }>(`SELECT dead FROM posting_block WHERE ${isOfBlock(dialect)}`, params);
  if (row === undefined) return;
  const { dead } = row;
  for (const slot of slots) markDead(dead, slot);
  const sql = `UPDATE posting_block SET dead = @dead, live = live - @count WHERE ${isOfBlock(dialect)}`;
  yield* run(sql, { ...params, dead, count: slots.length });
}

function* deleteSparseBlock(dialect: Dialect, board: BoardNumber, block: number): Unit<void> {
  const { index } = dialect;
  const params = { ...board, block };
  const counters = yield* get<{ next_document: number }>(`SELECT next_document FROM ${index.counters} WHERE ${index.isCounter}`, board);
  const isFull = counters !== undefined && counters.next_document >= (block + 1) * BLOCK_SIZE;
  if (!isFull) return;
  const row = yield* get<{ live: number }>(`SELECT live FROM posting_block WHERE ${isOfBlock(dialect)}`, params);
  if (row === undefined || row.live * 4 > BLOCK_SIZE) return;
  const tiles = yield* all<{ tile_id: string }>(
    `SELECT DISTINCT tile_id FROM chunk WHERE ${index.isOfBoard()} AND document >= @first AND document < @end ORDER BY tile_id`,
    { ...board, first: block * BLOCK_SIZE, end: (block + 1) * BLOCK_SIZE },
  );
  for (const table of ["posting", "posting_block", "passage_block"]) yield* run(`DELETE FROM ${table} WHERE ${isOfBlock(dialect)}`, params);
  const { businessId } = board;
  const ids = tiles.map(({ tile_id }) => tile_id);
  const sql = `UPDATE tile SET ${dialect.tile.indexed} = FALSE WHERE business_id = @businessId AND ${dialect.isAnyOf("id", "ids")}`;
  yield* run(sql, { businessId, ids });
  yield* removeFromIndex(dialect, businessId, ids);
}

/** Adds several tiles of one board to the index at once, so that the postings of a term are written once per block. */
export function* addToIndex(dialect: Dialect, board: BoardNumber, items: readonly Indexed[]): Unit<void> {
  const { index } = dialect;
  const chunks = items.flatMap(({ tileId, analysis }) => analysis.chunks.map((chunk) => ({ tile_id: tileId, ...chunk })));
  if (chunks.length === 0) return;
  const counters = yield* get<{ next_document: number }>(
    `UPDATE ${index.counters} SET next_document = next_document + @count, documents = documents + @count,
       total_length = total_length + @length WHERE ${index.isCounter} RETURNING next_document`,
    { ...board, count: chunks.length, length: chunks.reduce((sum, chunk) => sum + chunk.length, 0) },
  );
  if (counters === undefined) return;
  const first = counters.next_document - chunks.length;
  yield* run(
    `INSERT INTO chunk (${index.boardColumns}, document, tile_id, ${index.start}, ${index.end}, length)
     SELECT ${index.boardParams}, document, tile_id, begins, ends, length
     FROM ${dialect.rowsOfJson("chunks", { document: "bigint", tile_id: "text", begins: "bigint", ends: "bigint", length: "bigint" })} AS c`,
    {
      ...board,
      chunks: JSON.stringify(
        chunks.map(({ tile_id, start, end, length }, i) => ({ document: first + i, tile_id, begins: start, ends: end, length })),
      ),
    },
  );
  for (const [block, postings] of groupByBlock(items, first)) yield* appendBlock(dialect, board, block, postings);
}

/** Groups postings by block and term. Documents are numbered from `first`. */
function groupByBlock(items: readonly Indexed[], first: number): Map<number, Block> {
  const blocks = new Map<number, Block>();
  const getBlock = (document: number): Block => {
    const number = toBlock(document);
    let block = blocks.get(number);
    if (block === undefined) blocks.set(number, (block = { added: 0, terms: new Map() }));
    return block;
  };
  let start = first;
  for (const { analysis } of items) {
    analysis.chunks.forEach((_, i) => getBlock(start + i).added++);
    for (const [term, entries] of analysis.terms) {
      for (const { chunk, frequency } of entries) {
        const { terms } = getBlock(start + chunk);
        const entry = { slot: (start + chunk) % BLOCK_SIZE, frequency, length: analysis.chunks[chunk]?.length ?? 0 };
        const list = terms.get(term);
        if (list === undefined) terms.set(term, [entry]);
        else list.push(entry);
      }
    }
    start += analysis.chunks.length;
  }
  return blocks;
}

function* appendBlock(dialect: Dialect, board: BoardNumber, block: number, { added, terms }: Block): Unit<void> {
  const { index } = dialect;
  yield* run(
    `INSERT INTO posting_block (${index.boardColumns}, block, live, dead) VALUES (${index.boardParams}, @block, @added, @dead)
     ON CONFLICT (${index.boardColumns}, block) DO UPDATE SET live = posting_block.live + excluded.live`,
    { ...board, block, added, dead: createDeadBitmap() },
  );
  const postings = [...terms].map(([term, entries]) => ({ term, entries: packEntries(entries).toString("hex") }));
  yield* run(
    `INSERT INTO posting (${index.boardColumns}, block, term, entries)
     SELECT ${index.boardParams}, @block, term, ${index.fromHex("entries")}
     FROM ${dialect.rowsOfJson("postings", { term: "text", entries: "text" })} AS p WHERE TRUE
     ON CONFLICT (${index.boardColumns}, block, term) DO UPDATE SET entries = ${index.appendEntries}`,
    { ...board, block, postings: JSON.stringify(postings) },
  );
}
