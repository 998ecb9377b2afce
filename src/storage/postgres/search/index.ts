import type { Analysis } from "#domain/answers/search.ts";
import { BLOCK_SIZE, type Entry, markDead, noneDead, packEntries } from "../../shared/codec.ts";
import type { Transaction } from "../engine/database.ts";

type ChunkRow = { board_number: number; document: number; length: number };
type BoardKey = { readonly businessId: string; readonly number: number };

/** All writers of one board's index come one after the other; a reader sees each whole. */
export async function lockIndex(tx: Transaction, { businessId, number }: BoardKey): Promise<void> {
  await tx.run("SELECT 1 FROM board_index WHERE business_id = $1 AND board_number = $2 FOR UPDATE", businessId, number);
}

/**
 * Takes the chunks of tiles of one board out of the index: they are marked dead and no longer counted, so that ranks are as if they
 * had never been. A full block that is three quarters dead is dropped, and its remaining tiles wait to be indexed anew.
 */
export async function removeFromIndex(tx: Transaction, businessId: string, tileIds: readonly string[]): Promise<void> {
  const held = await tx.get<{ board_number: number }>(
    "SELECT board_number FROM chunk WHERE business_id = $1 AND tile_id = ANY($2) LIMIT 1",
    businessId,
    tileIds,
  );
  if (held === undefined) return;
  const board: BoardKey = { businessId, number: held.board_number };
  await lockIndex(tx, board);
  const chunks = await tx.all<ChunkRow>(
    "DELETE FROM chunk WHERE business_id = $1 AND tile_id = ANY($2) RETURNING board_number, document, length",
    businessId,
    tileIds,
  );
  await tx.run(
    "UPDATE board_index SET documents = documents - $1, total_length = total_length - $2 WHERE business_id = $3 AND board_number = $4",
    chunks.length,
    chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    businessId,
    board.number,
  );
  const blocks = Map.groupBy(chunks, (chunk) => Math.floor(chunk.document / BLOCK_SIZE));
  for (const [block, gone] of blocks) await buryInBlock(tx, board, block, gone);
  for (const block of blocks.keys()) await dropWornBlock(tx, board, block);
}

async function buryInBlock(tx: Transaction, { businessId, number }: BoardKey, block: number, gone: readonly ChunkRow[]): Promise<void> {
  const key = [businessId, number, block] as const;
  const row = await tx.get<{ dead: Buffer }>(
    "SELECT dead FROM posting_block WHERE business_id = $1 AND board_number = $2 AND block = $3",
    ...key,
  );
  if (row === undefined) return;
  for (const chunk of gone) markDead(row.dead, chunk.document % BLOCK_SIZE);
  await tx.run(
    "UPDATE posting_block SET dead = $4, live = live - $5 WHERE business_id = $1 AND board_number = $2 AND block = $3",
    ...key,
    row.dead,
    gone.length,
  );
}

async function dropWornBlock(tx: Transaction, board: BoardKey, block: number): Promise<void> {
  const { businessId, number } = board;
  const row = await tx.get<{ live: number; next_document: number }>(
    `SELECT p.live, b.next_document FROM posting_block p
     JOIN board_index b ON b.business_id = p.business_id AND b.board_number = p.board_number
     WHERE p.business_id = $1 AND p.board_number = $2 AND p.block = $3`,
    businessId,
    number,
    block,
  );
  const isFull = row !== undefined && row.next_document >= (block + 1) * BLOCK_SIZE;
  if (row === undefined || !isFull || row.live * 4 > BLOCK_SIZE) return;
  const tiles = await tx.all<{ tile_id: string }>(
    "SELECT DISTINCT tile_id FROM chunk WHERE business_id = $1 AND board_number = $2 AND document >= $3 AND document < $4 ORDER BY tile_id",
    businessId,
    number,
    block * BLOCK_SIZE,
    (block + 1) * BLOCK_SIZE,
  );
  await tx.run("DELETE FROM posting WHERE business_id = $1 AND board_number = $2 AND block = $3", businessId, number, block);
  await tx.run("DELETE FROM posting_block WHERE business_id = $1 AND board_number = $2 AND block = $3", businessId, number, block);
  await tx.run("DELETE FROM passage_block WHERE business_id = $1 AND board_number = $2 AND block = $3", businessId, number, block);
  const tileIds = tiles.map((tile) => tile.tile_id);
  await tx.run("UPDATE tile SET is_indexed = FALSE WHERE business_id = $1 AND id = ANY($2)", businessId, tileIds);
  await removeFromIndex(tx, businessId, tileIds);
}

/** Adds the analyses of several tiles of one board in one go, so that a term's postings are written once a block. */
export async function addToIndex(
  tx: Transaction,
  board: BoardKey,
  items: readonly { readonly tileId: string; readonly analysis: Analysis }[],
): Promise<void> {
  const count = items.reduce((sum, item) => sum + item.analysis.chunks.length, 0);
  if (count === 0) return;
  const totalLength = items.reduce((sum, { analysis }) => sum + analysis.chunks.reduce((inner, chunk) => inner + chunk.length, 0), 0);
  const end = await tx.get<{ next_document: number }>(
    `UPDATE board_index SET next_document = next_document + $1, documents = documents + $1, total_length = total_length + $2
     WHERE business_id = $3 AND board_number = $4 RETURNING next_document`,
    count,
    totalLength,
    board.businessId,
    board.number,
  );
  if (end === undefined) return;
  await insertChunks(tx, board, items, end.next_document - count);
  for (const [block, { added, terms }] of blocksOf(items, end.next_document - count)) await appendBlock(tx, board, block, added, terms);
}

async function insertChunks(
  tx: Transaction,
  board: BoardKey,
  items: readonly { readonly tileId: string; readonly analysis: Analysis }[],
  first: number,
): Promise<void> {
  const chunks = items.flatMap(({ tileId, analysis }) => analysis.chunks.map((chunk) => ({ tileId, ...chunk })));
  await tx.run(
    `INSERT INTO chunk (business_id, board_number, document, tile_id, start_at, end_at, length)
     SELECT $1, $2, $3 + n - 1, tile_id, start_at, end_at, length
     FROM unnest($4::text[], $5::int[], $6::int[], $7::int[]) WITH ORDINALITY AS c (tile_id, start_at, end_at, length, n)`,
    board.businessId,
    board.number,
    first,
    chunks.map(({ tileId }) => tileId),
    chunks.map(({ start }) => start),
    chunks.map((chunk) => chunk.end),
    chunks.map(({ length }) => length),
  );
}

type Block = { added: number; readonly terms: Map<string, Entry[]> };

/** Sorts the postings of documents numbered from `first` by block and term. */
function blocksOf(items: readonly { readonly analysis: Analysis }[], first: number): Map<number, Block> {
  const blocks = new Map<number, Block>();
  const blockOf = (document: number): Block => {
    const number = Math.floor(document / BLOCK_SIZE);
    const block = blocks.get(number) ?? { added: 0, terms: new Map() };
    blocks.set(number, block);
    return block;
  };
  let start = first;
  for (const { analysis } of items) {
    analysis.chunks.forEach((_, i) => blockOf(start + i).added++);
    for (const [term, entries] of analysis.terms) {
      for (const { chunk, frequency } of entries) {
        const { terms } = blockOf(start + chunk);
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

async function appendBlock(
  tx: Transaction,
  board: BoardKey,
  block: number,
  added: number,
  terms: ReadonlyMap<string, Entry[]>,
): Promise<void> {
  await tx.run(
    `INSERT INTO posting_block (business_id, board_number, block, live, dead) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (business_id, board_number, block) DO UPDATE SET live = posting_block.live + excluded.live`,
    board.businessId,
    board.number,
    block,
    added,
    noneDead(),
  );
  const list = [...terms];
  await tx.run(
    `INSERT INTO posting (business_id, board_number, block, term, entries)
     SELECT $1, $2, $3, term, decode(entries, 'base64') FROM unnest($4::text[], $5::text[]) AS p (term, entries)
     ON CONFLICT (business_id, board_number, block, term) DO UPDATE SET entries = posting.entries || excluded.entries`,
    board.businessId,
    board.number,
    block,
    list.map(([term]) => term),
    list.map(([, entries]) => packEntries(entries).toString("base64")),
  );
}
