import type { Analysis, PendingTile, Posting, SearchStore } from "#domain/answers/search.ts";
import type { Connection } from "../engine/database.ts";
import { BLOCK_SIZE, isDead, visitEntries } from "../../shared/codec.ts";
import { type FoundTileRow, connectedTileOf } from "../../shared/rows/search-rows.ts";
import { CONNECTED, HAS_CONNECTED, conditionsOf, readableBy } from "./conditions.ts";
import { addToIndex, removeFromIndex } from "./index.ts";
import { createWholeBoardReads } from "./whole-board.ts";

type BoardNumbers = { number: number; documents: number; total_length: number; next_document: number };
type PendingRow = { business_id: string; board_id: string; id: string; version: number; title: string; extracted_text: string };

const pendingOf = (row: PendingRow): PendingTile => ({
  businessId: row.business_id,
  boardId: row.board_id,
  tileId: row.id,
  version: row.version,
  title: row.title,
  text: row.extracted_text,
});

/** Blocks whose terms are looked through at either end of a board. */
const TERM_BLOCKS = 4;

type Item = { readonly tile: PendingTile; readonly analysis: Analysis };

/** Terms written in one unit of work, about 2 ms, so that indexing holds up no caller for longer. */
const MAX_TERMS = 500;

/** Cuts a board's tiles into groups of about so many terms; one tile is never cut. */
function cutUp(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let terms = MAX_TERMS;
  for (const item of items) {
    if (terms >= MAX_TERMS) {
      groups.push([]);
      terms = 0;
    }
    groups.at(-1)?.push(item);
    terms += item.analysis.terms.size;
  }
  return groups;
}

export function createSearchStore(db: Connection): SearchStore {
  const boardNumbers = (businessId: string, boardId: string): BoardNumbers | undefined =>
    db.get<BoardNumbers>(
      "SELECT number, documents, total_length, next_document FROM board WHERE business_id = ? AND id = ?",
      businessId,
      boardId,
    );

  function postingsOf(board: number, term: string, blocks: readonly { block: number; dead: Buffer }[]): Posting[] {
    const found: Posting[] = [];
    for (const { block, dead } of blocks) {
      const row = db.get<{ entries: Buffer }>(
        "SELECT entries FROM posting WHERE board_number = ? AND block = ? AND term = ?",
        board,
        block,
        term,
      );
      if (row === undefined) continue;
      visitEntries(row.entries, (slot, frequency, length) => {
        if (!isDead(dead, slot)) found.push({ document: block * BLOCK_SIZE + slot, frequency, length });
      });
    }
    return found;
  }

  return {
    ...createWholeBoardReads(db),

    async statistics(businessId, boardId) {
      const board = boardNumbers(businessId, boardId);
      return { documents: board?.documents ?? 0, totalLength: board?.total_length ?? 0, nextDocument: board?.next_document ?? 0 };
    },

    async postings(businessId, boardId, terms) {
      const found = new Map<string, Posting[]>();
      const board = boardNumbers(businessId, boardId);
      if (board === undefined) return found;
      const blocks = db.all<{ block: number; dead: Buffer }>(
        "SELECT block, dead FROM posting_block WHERE board_number = ? AND live > 0 ORDER BY block",
        board.number,
      );
      for (const term of terms) {
        const postings = postingsOf(board.number, term, blocks);
        if (postings.length > 0) found.set(term, postings);
      }
      return found;
    },

    async terms(businessId, boardId, prefix, limit) {
      const board = boardNumbers(businessId, boardId);
      if (board === undefined) return [];
      const blocks = db.all<{ block: number }>(
        "SELECT block FROM posting_block WHERE board_number = ? AND live > 0 ORDER BY block",
        board.number,
      );
      const found = new Set<string>();
      for (const { block } of blocks.length > 2 * TERM_BLOCKS ? [...blocks.slice(0, TERM_BLOCKS), ...blocks.slice(-TERM_BLOCKS)] : blocks) {
        const rows = db.all<{ term: string }>(
          "SELECT term FROM posting WHERE board_number = ? AND block = ? AND term >= ? AND term < ? LIMIT ?",
          board.number,
          block,
          prefix,
          `${prefix}\u{10ffff}`,
          limit,
        );
        for (const { term } of rows) found.add(term);
        if (found.size >= limit) break;
      }
      return [...found].slice(0, limit);
    },

    async connectedChunks(businessId, boardId, documents, filter = {}) {
      const board = boardNumbers(businessId, boardId);
      if (board === undefined) return [];
      const conditions = conditionsOf(filter);
      // All in one statement, in the order they were given, which CROSS JOIN keeps: one for each took eight times as long (2.5 ms for 64).
      const rows = db.all<{ document: number; tile_id: string; start: number; end: number }>(
        `SELECT c.document, c.tile_id, c.start, c."end" AS "end" FROM json_each(?) wanted
         CROSS JOIN chunk c ON c.board_number = ? AND c.document = wanted.value
         CROSS JOIN tile t ON t.business_id = ? AND t.id = c.tile_id AND ${readableBy(filter)}${conditions.sql}`,
        JSON.stringify(documents),
        board.number,
        businessId,
        ...conditions.values,
      );
      return rows.map(({ document, tile_id, start, end }) => ({ document, tileId: tile_id, start, end }));
    },

    async connectedTiles(businessId, boardId, tileIds) {
      const rows = db.all<FoundTileRow>(
        `SELECT t.id, t.title, t.type, t.source_url, t.extracted_text FROM json_each(?) wanted
         CROSS JOIN tile t ON t.business_id = ? AND t.id = wanted.value AND t.board_id = ? AND ${CONNECTED}`,
        JSON.stringify(tileIds),
        businessId,
        boardId,
      );
      return rows.map(connectedTileOf);
    },

    async pendingConnected(businessId, boardId, maxCharacters, filter = {}) {
      const conditions = conditionsOf(filter);
      const rows = db.raw
        .prepare<(string | number)[], PendingRow>(
          `SELECT t.business_id, t.board_id, t.id, t.version, t.title, t.extracted_text FROM tile t INDEXED BY tile_unindexed
           WHERE t.indexed = 0 AND t.business_id = ? AND t.board_id = ? AND ${readableBy(filter)}${conditions.sql} ORDER BY t.sequence DESC`,
        )
        .iterate(businessId, boardId, ...conditions.values);
      const found: PendingTile[] = [];
      let characters = 0;
      for (const row of rows) {
        characters += row.extracted_text.length;
        if (found.length > 0 && characters > maxCharacters) break;
        found.push(pendingOf(row));
      }
      return found.reverse();
    },

    async hasConnected(businessId, boardId) {
      return db.get<{ found: number }>(HAS_CONNECTED, businessId, boardId, businessId, boardId)?.found === 1;
    },

    async pending(limit, maxCharacters) {
      const found: PendingTile[] = [];
      let characters = 0;
      const rows = db.raw
        .prepare<[number], PendingRow>(
          `SELECT t.business_id, t.board_id, t.id, t.version, t.title, t.extracted_text FROM tile t INDEXED BY tile_unindexed
           WHERE t.indexed = 0 LIMIT ?`,
        )
        .iterate(limit);
      for (const row of rows) {
        found.push(pendingOf(row));
        characters += row.extracted_text.length;
        if (characters >= maxCharacters) break;
      }
      return found;
    },

    async index(items) {
      const boards = Map.groupBy<string, Item>(items, (item) => `${item.tile.businessId} ${item.tile.boardId}`);
      const groups = [...boards.values()].flatMap(cutUp);
      for (const group of groups) {
        const { businessId, boardId } = (group[0] as Item).tile;
        await db.write(() => {
          const board = boardNumbers(businessId, boardId);
          if (board === undefined) return;
          const current = group.filter(
            ({ tile }) =>
              db.run(
                "UPDATE tile SET indexed = 1, embedded = 0 WHERE business_id = ? AND id = ? AND version = ? AND indexed = 0",
                tile.businessId,
                tile.tileId,
                tile.version,
              ) > 0,
          );
          for (const { tile } of current) removeFromIndex(db, tile.tileId);
          addToIndex(
            db,
            board.number,
            current.map(({ tile, analysis }) => ({ tileId: tile.tileId, analysis })),
          );
        });
      }
    },
  };
}
