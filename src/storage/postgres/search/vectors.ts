import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { PassageSignatures, UnembeddedTile, VectorStore } from "#domain/answers/vectors.ts";
import { createBlockCache } from "../../shared/block-cache.ts";
import { startScan } from "../../shared/nearest.ts";
import { blockOf, checkSignatures, putIntoBlock, takeFromBlock } from "../../shared/signatures.ts";
import { createTurns, type WaitingRoom, type WaitingTile } from "../../shared/turns.ts";
import type { Database, Reader, Transaction } from "../engine/database.ts";
import { lockIndex } from "./index.ts";

type Item = { readonly tile: UnembeddedTile; readonly signatures: readonly PassageSignatures[] };
type BlockRow = { block: number; version: number; signatures: Buffer };

/** Tiles that wait for vectors, in the words of their index. */
const WAITING = "t.is_indexed AND NOT t.is_embedded AND t.status = 'ready' AND t.deleted_at IS NULL";
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const FREE = `NOT EXISTS (SELECT 1 FROM embedding e
  WHERE e.business_id = t.business_id AND e.tile_id = t.id AND e.node <> $1 AND e.until > ${NOW})`;

/** How long a tile is left to the process that took it, in milliseconds; a turn's work takes a quarter of it. */
const CLAIM_MS = 120_000;
/** Blocks of signatures held by one process: half a million passages of 512 bits. */
const CACHE_BYTES = 32 * 1_048_576;
/** Blocks that travel in one answer, and those looked at in one turn of the event loop, about 3 ms. */
const BLOCKS_A_READ = 32;
const BLOCKS_A_TURN = 32;

export function createVectorStore(db: Database): VectorStore {
  /** The model that this process makes vectors with; null: none. */
  let own: string | null = null;
  const node = randomUUID();
  const turns = createTurns();
  const cache = createBlockCache(CACHE_BYTES);

  const room: WaitingRoom = {
    async boardAfter(place) {
      const row = await db.get<{ business_id: string; board_id: string }>(
        `SELECT t.business_id, t.board_id FROM tile t WHERE ${WAITING} AND (t.business_id, t.board_id) > ($2, $3) AND ${FREE}
         ORDER BY t.business_id, t.board_id LIMIT 1`,
        node,
        place?.businessId ?? "",
        place?.boardId ?? "",
      );
      return row === undefined ? undefined : { businessId: row.business_id, boardId: row.board_id };
    },
    async tilesAfter(board, sequence, limit) {
      const rows = await db.all<{ id: string; sequence: number }>(
        `SELECT t.id, t.sequence FROM tile t
         WHERE ${WAITING} AND t.business_id = $2 AND t.board_id = $3 AND t.sequence > $4 AND ${FREE} ORDER BY t.sequence LIMIT $5`,
        node,
        board.businessId,
        board.boardId,
        sequence,
        limit,
      );
      return rows.map((row) => ({ ...board, tileId: row.id, sequence: row.sequence }));
    },
  };

  /** Takes a tile for this process; false where another one was quicker. */
  const claim = ({ businessId, tileId }: WaitingTile): Promise<boolean> =>
    db.write(async (tx) => {
      const rows = await tx.run(
        `INSERT INTO embedding AS e (business_id, tile_id, node, until) VALUES ($1, $2, $3, ${NOW} + ${CLAIM_MS})
         ON CONFLICT (business_id, tile_id) DO UPDATE SET node = excluded.node, until = excluded.until WHERE e.node = $3 OR e.until <= ${NOW}`,
        businessId,
        tileId,
        node,
      );
      return rows > 0;
    });

  async function readTile({ businessId, boardId, tileId }: WaitingTile): Promise<UnembeddedTile | null> {
    // One statement, so that the text and its passages are of one moment.
    const row = await db.get<{ version: number; extracted_text: string; documents: number[]; starts: number[]; ends: number[] }>(
      `SELECT t.version, t.extracted_text, coalesce(c.documents, '{}') AS documents, coalesce(c.starts, '{}') AS starts, coalesce(c.ends, '{}') AS ends
       FROM tile t, LATERAL (
         SELECT array_agg(document ORDER BY document) AS documents, array_agg(start_at ORDER BY document) AS starts,
           array_agg(end_at ORDER BY document) AS ends
         FROM chunk WHERE business_id = t.business_id AND tile_id = t.id) AS c
       WHERE t.business_id = $1 AND t.id = $2 AND ${WAITING}`,
      businessId,
      tileId,
    );
    if (row === undefined) return null;
    const chunks = row.documents.map((document, i) => ({ document, start: row.starts[i] ?? 0, end: row.ends[i] ?? 0 }));
    return { businessId, boardId, tileId, version: row.version, text: row.extracted_text, chunks };
  }

  /** The board's blocks that are held, and the others, read as they are now. */
  async function* readBlocks(businessId: string, board: number, wanted: readonly { block: number; version: number }[]) {
    const keyOf = (block: number): string => `${businessId} ${board} ${block}`;
    for (let from = 0; from < wanted.length; from += BLOCKS_A_READ) {
      const part = wanted.slice(from, from + BLOCKS_A_READ);
      const held = new Map(part.flatMap(({ block, version }) => [[block, cache.get(keyOf(block), version)] as const]));
      const missing = part.filter(({ block }) => held.get(block) === undefined).map(({ block }) => block);
      const rows =
        missing.length === 0
          ? []
          : await db.all<BlockRow>(
              "SELECT block, version, signatures FROM passage_block WHERE business_id = $1 AND board_number = $2 AND block = ANY($3)",
              businessId,
              board,
              missing,
            );
      for (const row of rows) {
        cache.put(keyOf(row.block), row.version, row.signatures);
        held.set(row.block, row.signatures);
      }
      for (const { block } of part) {
        const signatures = held.get(block);
        if (signatures !== undefined) yield { block, signatures };
      }
    }
  }

  return {
    async useModel(model) {
      own = model;
      await db.write(async (tx) => {
        if (model === null) {
          await tx.run("UPDATE vector_model SET is_on = FALSE");
          return;
        }
        // The first of several nodes that start together forgets; a row that is there is locked by it.
        await tx.run("LOCK TABLE vector_model IN SHARE ROW EXCLUSIVE MODE");
        const stored = await tx.get<{ model: string }>("SELECT model FROM vector_model");
        if (stored?.model !== model) {
          // All vectors of a large store may take longer than a statement usually may.
          await tx.run("SET LOCAL statement_timeout = 0");
          await tx.run("DELETE FROM passage_block");
          await tx.run("UPDATE chunk SET sentence_signatures = NULL WHERE sentence_signatures IS NOT NULL");
          await tx.run("UPDATE tile SET is_embedded = FALSE WHERE is_embedded");
        }
        await tx.run(
          "INSERT INTO vector_model (model, is_on) VALUES ($1, TRUE) ON CONFLICT (one) DO UPDATE SET model = excluded.model, is_on = TRUE",
          model,
        );
      });
    },

    async unembedded(limit, maxCharacters) {
      const found: UnembeddedTile[] = [];
      if (!(await isInUse(db, own))) return found;
      let characters = 0;
      for (const waiting of await turns.next(room, limit)) {
        const tile = (await claim(waiting)) ? await readTile(waiting) : null;
        turns.took(waiting);
        if (tile === null) continue;
        found.push(tile);
        characters += tile.text.length;
        if (characters >= maxCharacters) break;
      }
      return found;
    },

    async embed(items) {
      for (const { signatures } of items) signatures.forEach(checkSignatures);
      for (const group of Map.groupBy<string, Item>(items, ({ tile }) => `${tile.businessId} ${tile.boardId}`).values()) {
        const { businessId, boardId } = (group[0] as Item).tile;
        // Locked in the order of their ids, as every writer of several tiles does.
        const sorted = [...group].sort((a, b) => (a.tile.tileId < b.tile.tileId ? -1 : 1));
        await db.write(async (tx) => {
          const number = await boardNumber(tx, businessId, boardId);
          if (number === undefined || !(await isInUse(tx, own))) return;
          const signatures: PassageSignatures[] = [];
          for (const item of sorted) {
            if (await takeTile(tx, item.tile)) signatures.push(...item.signatures);
          }
          if (signatures.length === 0) return;
          await lockIndex(tx, { businessId, number });
          await storeSignatures(tx, businessId, number, signatures);
        });
      }
    },

    async nearest(businessId, boardId, signature, limit, model) {
      const scan = startScan(signature, limit);
      const rows = await db.all<{ number: number; block: number; version: number; dead: Buffer }>(
        `SELECT b.number, v.block, v.version, p.dead FROM board b
         JOIN passage_block v ON v.business_id = b.business_id AND v.board_number = b.number
         JOIN posting_block p ON p.business_id = v.business_id AND p.board_number = v.board_number AND p.block = v.block AND p.live > 0
         WHERE b.business_id = $1 AND b.id = $2 AND ($3 = '' OR EXISTS (SELECT 1 FROM vector_model WHERE is_on AND model = $3)) ORDER BY v.block`,
        businessId,
        boardId,
        model ?? "",
      );
      const [first] = rows;
      if (first === undefined) return [];
      const dead = new Map(rows.map((row) => [row.block, row.dead]));
      let looked = 0;
      for await (const { block, signatures } of readBlocks(businessId, first.number, rows)) {
        if (looked++ % BLOCKS_A_TURN === BLOCKS_A_TURN - 1) await setImmediate();
        scan.look(block, dead.get(block) ?? Buffer.alloc(0), signatures);
      }
      return scan.nearest();
    },

    async signatures(businessId, boardId, documents, model) {
      const rows = await db.all<{ number: number; document: number; sentences: Buffer; block: number; version: number }>(
        `SELECT b.number, c.document, c.sentence_signatures AS sentences, v.block, v.version FROM board b
         JOIN chunk c ON c.business_id = b.business_id AND c.board_number = b.number AND c.document = ANY($3) AND c.sentence_signatures IS NOT NULL
         JOIN passage_block v ON v.business_id = c.business_id AND v.board_number = c.board_number AND v.block = c.document / 2048
         WHERE b.business_id = $1 AND b.id = $2 AND ($4 = '' OR EXISTS (SELECT 1 FROM vector_model WHERE is_on AND model = $4))`,
        businessId,
        boardId,
        documents,
        model ?? "",
      );
      const [first] = rows;
      if (first === undefined) return [];
      const blocks = new Map<number, Uint8Array>();
      const wanted = [...new Map(rows.map(({ block, version }) => [block, { block, version }])).values()];
      for await (const { block, signatures } of readBlocks(businessId, first.number, wanted)) blocks.set(block, signatures);
      const sentences = new Map(rows.map((row) => [row.document, row.sentences]));
      return documents.flatMap((document) => {
        const block = blocks.get(blockOf(document));
        const own = sentences.get(document);
        const passage = block === undefined ? undefined : takeFromBlock(block, document);
        return own === undefined || passage === undefined ? [] : [{ document, passage, sentences: own }];
      });
    },
  };
}

const boardNumber = async (on: Reader, businessId: string, boardId: string): Promise<number | undefined> =>
  (await on.get<{ number: number }>("SELECT number FROM board WHERE business_id = $1 AND id = $2", businessId, boardId))?.number;

const isInUse = async (on: Reader, model: string | null): Promise<boolean> =>
  model !== null && (await on.get("SELECT 1 AS found FROM vector_model WHERE is_on AND model = $1", model)) !== undefined;

/** Marks a tile as embedded where its passages are still those that were read: what is indexed anew gets other documents. */
async function takeTile(tx: Transaction, { businessId, tileId, version, chunks }: UnembeddedTile): Promise<boolean> {
  const taken = await tx.run(
    `UPDATE tile t SET is_embedded = TRUE WHERE t.business_id = $1 AND t.id = $2 AND ${WAITING} AND CASE WHEN $3::int IS NULL THEN t.version = $4
       ELSE EXISTS (SELECT 1 FROM chunk c WHERE c.business_id = t.business_id AND c.tile_id = t.id AND c.document = $3) END`,
    businessId,
    tileId,
    chunks[0]?.document ?? null,
    version,
  );
  await tx.run("DELETE FROM embedding WHERE business_id = $1 AND tile_id = $2", businessId, tileId);
  return taken > 0;
}

async function storeSignatures(
  tx: Transaction,
  businessId: string,
  board: number,
  signatures: readonly PassageSignatures[],
): Promise<void> {
  await tx.run(
    `UPDATE chunk c SET sentence_signatures = decode(made.sentences, 'base64')
     FROM unnest($3::int[], $4::text[]) AS made (document, sentences)
     WHERE c.business_id = $1 AND c.board_number = $2 AND c.document = made.document`,
    businessId,
    board,
    signatures.map(({ document }) => document),
    signatures.map(({ sentences }) => Buffer.from(sentences.buffer, sentences.byteOffset, sentences.length).toString("base64")),
  );
  for (const [block, items] of Map.groupBy(signatures, ({ document }) => blockOf(document))) {
    const earlier = await tx.get<{ signatures: Buffer }>(
      "SELECT signatures FROM passage_block WHERE business_id = $1 AND board_number = $2 AND block = $3",
      businessId,
      board,
      block,
    );
    await tx.run(
      `INSERT INTO passage_block (business_id, board_number, block, signatures) VALUES ($1, $2, $3, $4)
       ON CONFLICT (business_id, board_number, block) DO UPDATE SET signatures = excluded.signatures, version = DEFAULT`,
      businessId,
      board,
      block,
      putIntoBlock(earlier?.signatures, items),
    );
  }
}
