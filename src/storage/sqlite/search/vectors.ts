import { setImmediate } from "node:timers/promises";
import type { PassageSignatures, UnembeddedTile, VectorStore } from "#domain/answers/vectors.ts";
import type { Connection } from "../engine/database.ts";
import { startScan } from "../../shared/nearest.ts";
import { blockOf, checkSignatures, putIntoBlock, takeFromBlock } from "../../shared/signatures.ts";
import { type BoardPlace, createTurns, type WaitingRoom } from "../../shared/turns.ts";

type Item = { readonly tile: UnembeddedTile; readonly signatures: readonly PassageSignatures[] };

/** Tiles that wait for vectors, in the words of their index. */
const WAITING = "embedded = 0 AND indexed = 1 AND status = 'ready' AND deleted_at IS NULL";

/** Blocks looked at in one turn of the event loop, about 3 ms. */
const BLOCKS_A_TURN = 32;

export function createVectorStore(db: Connection): VectorStore {
  /** The model that this process makes vectors with; null: none. */
  let own: string | null = null;
  const turns = createTurns();

  const boardNumber = (businessId: string, boardId: string): number | undefined =>
    db.get<{ number: number }>("SELECT number FROM board WHERE business_id = ? AND id = ?", businessId, boardId)?.number;
  const modelInUse = (): string | undefined => db.get<{ model: string }>("SELECT model FROM vector_model WHERE is_on = 1")?.model;
  const isOwn = (): boolean => own !== null && modelInUse() === own;
  const readBlock = (board: number, block: number): Buffer | undefined =>
    db.get<{ signatures: Buffer }>("SELECT signatures FROM passage_block WHERE board_number = ? AND block = ?", board, block)?.signatures;

  const room: WaitingRoom = {
    boardAfter(place) {
      const row = db.get<{ business_id: string; board_id: string }>(
        `SELECT business_id, board_id FROM tile INDEXED BY tile_unembedded
         WHERE ${WAITING} AND (business_id, board_id) > (?, ?) ORDER BY business_id, board_id LIMIT 1`,
        place?.businessId ?? "",
        place?.boardId ?? "",
      );
      return row === undefined ? undefined : { businessId: row.business_id, boardId: row.board_id };
    },
    tilesAfter(board, sequence, limit) {
      return db
        .all<{ id: string; sequence: number }>(
          `SELECT id, sequence FROM tile INDEXED BY tile_unembedded
           WHERE ${WAITING} AND business_id = ? AND board_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
          board.businessId,
          board.boardId,
          sequence,
          limit,
        )
        .map((row) => ({ ...board, tileId: row.id, sequence: row.sequence }));
    },
  };

  function readTile(place: BoardPlace, tileId: string): UnembeddedTile | null {
    const { businessId, boardId } = place;
    const row = db.get<{ version: number; extracted_text: string }>(
      `SELECT version, extracted_text FROM tile WHERE business_id = ? AND id = ? AND ${WAITING}`,
      businessId,
      tileId,
    );
    const board = boardNumber(businessId, boardId);
    if (row === undefined || board === undefined) return null;
    const chunks = db.all<UnembeddedTile["chunks"][number]>(
      'SELECT document, start, "end" FROM chunk WHERE tile_id = ? AND board_number = ? ORDER BY document',
      tileId,
      board,
    );
    return { businessId, boardId, tileId, version: row.version, text: row.extracted_text, chunks };
  }

  /** Marks a tile as embedded where its passages are still those that were read: what is indexed anew gets other documents. */
  function take(board: number, { businessId, tileId, version, chunks }: UnembeddedTile): boolean {
    const [first] = chunks;
    const isHeld =
      first === undefined
        ? db.get("SELECT 1 AS found FROM tile WHERE business_id = ? AND id = ? AND version = ?", businessId, tileId, version)
        : db.get("SELECT 1 AS found FROM chunk WHERE board_number = ? AND document = ? AND tile_id = ?", board, first.document, tileId);
    if (isHeld === undefined) return false;
    return db.run(`UPDATE tile SET embedded = 1 WHERE business_id = ? AND id = ? AND ${WAITING}`, businessId, tileId) > 0;
  }

  function store(board: number, { tile, signatures }: Item): void {
    for (const { document, sentences } of signatures) {
      db.run(
        "UPDATE chunk SET sentence_signatures = ? WHERE board_number = ? AND document = ? AND tile_id = ?",
        Buffer.from(sentences.buffer, sentences.byteOffset, sentences.length),
        board,
        document,
        tile.tileId,
      );
    }
  }

  return {
    async useModel(model) {
      own = model;
      await db.write(() => {
        if (model === null) {
          db.run("UPDATE vector_model SET is_on = 0");
          return;
        }
        const stored = db.get<{ model: string }>("SELECT model FROM vector_model")?.model;
        if (stored !== model) {
          db.run("DELETE FROM passage_block");
          db.run("UPDATE chunk SET sentence_signatures = NULL WHERE sentence_signatures IS NOT NULL");
          db.run("UPDATE tile SET embedded = 0 WHERE embedded = 1");
        }
        db.run(
          "INSERT INTO vector_model (one, model, is_on) VALUES (1, ?, 1) ON CONFLICT DO UPDATE SET model = excluded.model, is_on = 1",
          model,
        );
      });
    },

    async unembedded(limit, maxCharacters) {
      const found: UnembeddedTile[] = [];
      if (!isOwn()) return found;
      let characters = 0;
      for (const waiting of await turns.next(room, limit)) {
        const tile = readTile(waiting, waiting.tileId);
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
      const groups = Map.groupBy<string, Item>(items, ({ tile }) => `${tile.businessId} ${tile.boardId}`);
      for (const group of groups.values()) {
        const { businessId, boardId } = (group[0] as Item).tile;
        await db.write(() => {
          const board = boardNumber(businessId, boardId);
          if (board === undefined || !isOwn()) return;
          const current = group.filter(({ tile }) => take(board, tile));
          for (const item of current) store(board, item);
          const blocks = Map.groupBy(
            current.flatMap(({ signatures }) => signatures),
            ({ document }) => blockOf(document),
          );
          for (const [block, signatures] of blocks) {
            db.run(
              `INSERT INTO passage_block (board_number, block, signatures) VALUES (?, ?, ?)
               ON CONFLICT DO UPDATE SET signatures = excluded.signatures`,
              board,
              block,
              putIntoBlock(readBlock(board, block), signatures),
            );
          }
        });
      }
    },

    async nearest(businessId, boardId, signature, limit, model) {
      const scan = startScan(signature, limit);
      const board = boardNumber(businessId, boardId);
      if (board === undefined || (model !== undefined && modelInUse() !== model)) return [];
      const blocks = db.all<{ block: number; dead: Buffer }>(
        "SELECT block, dead FROM posting_block WHERE board_number = ? AND live > 0 ORDER BY block",
        board,
      );
      for (const [i, { block, dead }] of blocks.entries()) {
        if (i > 0 && i % BLOCKS_A_TURN === 0) await setImmediate();
        const signatures = readBlock(board, block);
        if (signatures !== undefined) scan.look(block, dead, signatures);
      }
      return scan.nearest();
    },

    async signatures(businessId, boardId, documents, model) {
      const board = boardNumber(businessId, boardId);
      if (board === undefined || (model !== undefined && modelInUse() !== model)) return [];
      const blocks = new Map<number, Buffer | undefined>();
      return documents.flatMap((document) => {
        const row = db.get<{ sentence_signatures: Buffer | null }>(
          "SELECT sentence_signatures FROM chunk WHERE board_number = ? AND document = ?",
          board,
          document,
        );
        if (row?.sentence_signatures == null) return [];
        const number = blockOf(document);
        if (!blocks.has(number)) blocks.set(number, readBlock(board, number));
        const passage = takeFromBlock(blocks.get(number) ?? Buffer.alloc(0), document);
        return passage === undefined ? [] : [{ document, passage, sentences: row.sentence_signatures }];
      });
    },
  };
}
