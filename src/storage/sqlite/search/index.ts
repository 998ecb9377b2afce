import type { Analysis } from "#domain/answers/search.ts";
import type { Connection } from "../engine/database.ts";
import { BLOCK_SIZE, type Entry, markDead, noneDead, packEntries } from "../../shared/codec.ts";

type ChunkRow = { board_number: number; document: number; length: number };

/**
 * Takes a tile's chunks out of the index: they are marked dead and no longer counted, so that ranks are as if they had never
 * been. A full block that is three quarters dead is dropped, and its remaining tiles wait to be indexed anew.
 */
export function removeFromIndex(db: Connection, tileId: string): void {
  const chunks = db.all<ChunkRow>("SELECT board_number, document, length FROM chunk WHERE tile_id = ?", tileId);
  const first = chunks[0];
  if (first === undefined) return;
  const board = first.board_number;
  const blocks = Map.groupBy(chunks, (chunk) => Math.floor(chunk.document / BLOCK_SIZE));
  db.run("DELETE FROM chunk WHERE tile_id = ?", tileId);
  db.run(
    "UPDATE board SET documents = documents - ?, total_length = total_length - ? WHERE number = ?",
    chunks.length,
    chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    board,
  );
  for (const [block, gone] of blocks) {
    buryInBlock(db, board, block, gone);
    dropWornBlock(db, board, block);
  }
}

function buryInBlock(db: Connection, board: number, block: number, gone: readonly ChunkRow[]): void {
  const row = db.get<{ dead: Buffer }>("SELECT dead FROM posting_block WHERE board_number = ? AND block = ?", board, block);
  if (row === undefined) return;
  for (const chunk of gone) markDead(row.dead, chunk.document % BLOCK_SIZE);
  db.run("UPDATE posting_block SET dead = ?, live = live - ? WHERE board_number = ? AND block = ?", row.dead, gone.length, board, block);
}

function dropWornBlock(db: Connection, board: number, block: number): void {
  const row = db.get<{ live: number; next_document: number }>(
    `SELECT p.live, b.next_document FROM posting_block p JOIN board b ON b.number = p.board_number
     WHERE p.board_number = ? AND p.block = ?`,
    board,
    block,
  );
  const isFull = row !== undefined && row.next_document >= (block + 1) * BLOCK_SIZE;
  if (row === undefined || !isFull || row.live * 4 > BLOCK_SIZE) return;
  const tiles = db.all<{ tile_id: string }>(
    "SELECT DISTINCT tile_id FROM chunk WHERE board_number = ? AND document >= ? AND document < ?",
    board,
    block * BLOCK_SIZE,
    (block + 1) * BLOCK_SIZE,
  );
  db.run("DELETE FROM posting WHERE board_number = ? AND block = ?", board, block);
  db.run("DELETE FROM posting_block WHERE board_number = ? AND block = ?", board, block);
  db.run("DELETE FROM passage_block WHERE board_number = ? AND block = ?", board, block);
  for (const { tile_id } of tiles) {
    db.run("UPDATE tile SET indexed = 0 WHERE business_id = (SELECT business_id FROM board WHERE number = ?) AND id = ?", board, tile_id);
    removeFromIndex(db, tile_id);
  }
}

/** Adds the analyses of several tiles of one board in one go, so that a term's postings are written once a block. */
export function addToIndex(
  db: Connection,
  board: number,
  items: readonly { readonly tileId: string; readonly analysis: Analysis }[],
): void {
  const count = items.reduce((sum, item) => sum + item.analysis.chunks.length, 0);
  if (count === 0) return;
  const end = db.get<{ next_document: number }>(
    "UPDATE board SET next_document = next_document + ?, documents = documents + ? WHERE number = ? RETURNING next_document",
    count,
    count,
    board,
  );
  if (end === undefined) return;
  let document = end.next_document - count;
  let totalLength = 0;
  const blocks = new Map<number, { added: number; terms: Map<string, Entry[]> }>();
  for (const { tileId, analysis } of items) {
    const first = document;
    for (const chunk of analysis.chunks) {
      db.run(
        'INSERT INTO chunk (board_number, document, tile_id, start, "end", length) VALUES (?, ?, ?, ?, ?, ?)',
        board,
        document,
        tileId,
        chunk.start,
        chunk.end,
        chunk.length,
      );
      totalLength += chunk.length;
      blockOf(blocks, document).added++;
      document++;
    }
    for (const [term, entries] of analysis.terms) {
      for (const { chunk, frequency } of entries) {
        const at = first + chunk;
        const { terms } = blockOf(blocks, at);
        const entry = { slot: at % BLOCK_SIZE, frequency, length: analysis.chunks[chunk]?.length ?? 0 };
        const list = terms.get(term);
        if (list === undefined) terms.set(term, [entry]);
        else list.push(entry);
      }
    }
  }
  db.run("UPDATE board SET total_length = total_length + ? WHERE number = ?", totalLength, board);
  for (const [block, { added, terms }] of blocks) appendBlock(db, board, block, added, terms);
}

function blockOf(
  blocks: Map<number, { added: number; terms: Map<string, Entry[]> }>,
  document: number,
): { added: number; terms: Map<string, Entry[]> } {
  const number = Math.floor(document / BLOCK_SIZE);
  let block = blocks.get(number);
  if (block === undefined) {
    block = { added: 0, terms: new Map() };
    blocks.set(number, block);
  }
  return block;
}

function appendBlock(db: Connection, board: number, block: number, added: number, terms: ReadonlyMap<string, Entry[]>): void {
  db.run(
    `INSERT INTO posting_block (board_number, block, live, dead) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET live = live + excluded.live`,
    board,
    block,
    added,
    noneDead(),
  );
  for (const [term, entries] of terms) {
    db.run(
      `INSERT INTO posting (board_number, block, term, entries) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET entries = CAST(entries || excluded.entries AS BLOB)`,
      board,
      block,
      term,
      packEntries(entries),
    );
  }
}
