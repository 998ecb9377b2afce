import type { Analysis, PendingTile, Posting, SearchStore } from "#domain/answers/search.ts";
import { BLOCK_SIZE, isDead, visitEntries } from "../../shared/codec.ts";
import { type FoundTileRow, connectedTileOf } from "../../shared/rows/search-rows.ts";
import type { Database, Reader } from "../engine/database.ts";
import { CONNECTED, HAS_CONNECTED, conditionsOf, readableBy } from "./conditions.ts";
import { addToIndex, removeFromIndex } from "./index.ts";
import { createWholeBoardReads } from "./whole-board.ts";

type PendingRow = { business_id: string; board_id: string; id: string; version: number; title: string; extracted_text: string };

const PENDING_COLUMNS = "t.business_id, t.board_id, t.id, t.version, t.title, t.extracted_text";

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

async function boardNumber(on: Reader, businessId: string, boardId: string): Promise<number | undefined> {
  return (await on.get<{ number: number }>("SELECT number FROM board WHERE business_id = $1 AND id = $2", businessId, boardId))?.number;
}

export function createSearchStore(db: Database): SearchStore {
  return {
    ...createWholeBoardReads(db),

    async statistics(businessId, boardId) {
      const row = await db.get<{ documents: number; total_length: number; next_document: number }>(
        `SELECT i.documents, i.total_length, i.next_document FROM board b
         JOIN board_index i ON i.business_id = b.business_id AND i.board_number = b.number WHERE b.business_id = $1 AND b.id = $2`,
        businessId,
        boardId,
      );
      return { documents: row?.documents ?? 0, totalLength: row?.total_length ?? 0, nextDocument: row?.next_document ?? 0 };
    },

    async postings(businessId, boardId, terms) {
      const found = new Map<string, Posting[]>();
      const board = await boardNumber(db, businessId, boardId);
      if (board === undefined || terms.length === 0) return found;
      // One statement, so that blocks and postings are of one moment.
      const rows = await db.all<{ block: number; dead: Buffer; term: string; entries: Buffer }>(
        `SELECT p.block, b.dead, p.term, p.entries FROM posting p
         JOIN posting_block b ON b.business_id = p.business_id AND b.board_number = p.board_number AND b.block = p.block AND b.live > 0
         WHERE p.business_id = $1 AND p.board_number = $2 AND p.term = ANY($3) ORDER BY p.block`,
        businessId,
        board,
        terms,
      );
      for (const { block, dead, term, entries } of rows) {
        const postings = found.get(term) ?? [];
        visitEntries(entries, (slot, frequency, length) => {
          if (!isDead(dead, slot)) postings.push({ document: block * BLOCK_SIZE + slot, frequency, length });
        });
        if (postings.length > 0) found.set(term, postings);
      }
      return found;
    },

    async terms(businessId, boardId, prefix, limit) {
      const board = await boardNumber(db, businessId, boardId);
      if (board === undefined) return [];
      const rows = await db.all<{ term: string }>(
        `WITH live AS (SELECT block FROM posting_block WHERE business_id = $1 AND board_number = $2 AND live > 0),
         looked AS ((SELECT block FROM live ORDER BY block LIMIT $3) UNION (SELECT block FROM live ORDER BY block DESC LIMIT $3))
         SELECT DISTINCT p.term FROM posting p JOIN looked ON looked.block = p.block
         WHERE p.business_id = $1 AND p.board_number = $2 AND starts_with(p.term, $4) LIMIT $5`,
        businessId,
        board,
        TERM_BLOCKS,
        prefix,
        limit,
      );
      return rows.map(({ term }) => term);
    },

    async connectedChunks(businessId, boardId, documents, filter = {}) {
      const conditions = conditionsOf(filter, 4);
      const rows = await db.all<{ document: number; tile_id: string; start_at: number; end_at: number }>(
        `SELECT c.document, c.tile_id, c.start_at, c.end_at FROM board b
         JOIN chunk c ON c.business_id = b.business_id AND c.board_number = b.number
         JOIN tile t ON t.business_id = c.business_id AND t.id = c.tile_id AND ${readableBy(filter)}
         WHERE b.business_id = $1 AND b.id = $2 AND c.document = ANY($3)${conditions.sql}`,
        businessId,
        boardId,
        documents,
        ...conditions.values,
      );
      const chunks = new Map(rows.map((row) => [row.document, row]));
      return documents.flatMap((document) => {
        const row = chunks.get(document);
        return row === undefined ? [] : [{ document, tileId: row.tile_id, start: row.start_at, end: row.end_at }];
      });
    },

    async connectedTiles(businessId, boardId, tileIds) {
      const rows = await db.all<FoundTileRow>(
        `SELECT t.id, t.title, t.type, t.source_url, t.extracted_text FROM tile t
         WHERE t.business_id = $1 AND t.id = ANY($2) AND t.board_id = $3 AND ${CONNECTED}`,
        businessId,
        tileIds,
        boardId,
      );
      const tiles = new Map(rows.map((row) => [row.id, row]));
      return tileIds.flatMap((id) => {
        const row = tiles.get(id);
        return row === undefined ? [] : [connectedTileOf(row)];
      });
    },

    async pendingConnected(businessId, boardId, maxCharacters, filter = {}) {
      const conditions = conditionsOf(filter, 4);
      const rows = await db.all<PendingRow>(
        `SELECT business_id, board_id, id, version, title, extracted_text FROM (
           SELECT ${PENDING_COLUMNS}, t.sequence, sum(length(t.extracted_text)) OVER (ORDER BY t.sequence DESC) AS characters,
             row_number() OVER (ORDER BY t.sequence DESC) AS place
           FROM tile t WHERE NOT t.is_indexed AND t.business_id = $1 AND t.board_id = $2 AND ${readableBy(filter)}${conditions.sql}
         ) AS waiting WHERE characters <= $3 OR place = 1 ORDER BY sequence`,
        businessId,
        boardId,
        maxCharacters,
        ...conditions.values,
      );
      return rows.map(pendingOf);
    },

    async hasConnected(businessId, boardId) {
      return (await db.get<{ found: boolean }>(HAS_CONNECTED, businessId, boardId))?.found === true;
    },

    async pending(limit, maxCharacters) {
      const found: PendingTile[] = [];
      let characters = 0;
      // From business to business by the index, however many tiles wait.
      const businesses = await db.all<{ business_id: string }>(
        `WITH RECURSIVE waiting AS (
           (SELECT business_id FROM tile WHERE NOT is_indexed ORDER BY business_id LIMIT 1)
           UNION ALL
           SELECT (SELECT t.business_id FROM tile t WHERE NOT t.is_indexed AND t.business_id > w.business_id ORDER BY t.business_id LIMIT 1)
           FROM waiting w WHERE w.business_id IS NOT NULL)
         SELECT business_id FROM waiting WHERE business_id IS NOT NULL LIMIT $1`,
        limit,
      );
      for (const { business_id: businessId } of businesses) {
        if (found.length >= limit || characters >= maxCharacters) break;
        // So many characters before each tile, so that no more text is read than is wanted.
        const rows = await db.all<PendingRow>(
          `SELECT ${PENDING_COLUMNS} FROM tile t JOIN (
             SELECT id, sum(length(extracted_text)) OVER (ORDER BY board_id, sequence) - length(extracted_text) AS before
             FROM (SELECT id, board_id, sequence, extracted_text FROM tile WHERE business_id = $1 AND NOT is_indexed ORDER BY board_id, sequence LIMIT $2) AS first
           ) AS wanted ON t.business_id = $1 AND t.id = wanted.id WHERE wanted.before < $3 ORDER BY t.board_id, t.sequence`,
          businessId,
          limit - found.length,
          Math.min(maxCharacters - characters, Number.MAX_SAFE_INTEGER),
        );
        for (const row of rows) {
          found.push(pendingOf(row));
          characters += row.extracted_text.length;
        }
      }
      return found;
    },

    async index(items) {
      for (const group of Map.groupBy<string, Item>(items, ({ tile }) => `${tile.businessId} ${tile.boardId}`).values()) {
        const { businessId, boardId } = (group[0] as Item).tile;
        await db.write(async (tx) => {
          const number = await boardNumber(tx, businessId, boardId);
          if (number === undefined) return;
          // Locked in the order of their ids, as every writer of several tiles does.
          const sorted = [...group].sort((a, b) => (a.tile.tileId < b.tile.tileId ? -1 : 1));
          const current: Item[] = [];
          for (const item of sorted) {
            const { tileId, version } = item.tile;
            const isCurrent = await tx.run(
              "UPDATE tile SET is_indexed = TRUE, is_embedded = FALSE WHERE business_id = $1 AND id = $2 AND version = $3 AND NOT is_indexed",
              businessId,
              tileId,
              version,
            );
            if (isCurrent > 0) current.push(item);
          }
          await removeFromIndex(
            tx,
            businessId,
            current.map(({ tile }) => tile.tileId),
          );
          // In the order in which they were given, which is the order of their documents.
          const inOrder = [...new Set(group)].filter((item) => current.includes(item));
          await addToIndex(
            tx,
            { businessId, number },
            inOrder.map(({ tile, analysis }) => ({ tileId: tile.tileId, analysis })),
          );
        });
      }
    },
  };
}
