import type { Revisions } from "#domain/core/board.ts";
import { BOARD_COLUMNS, NO_REVISIONS, REVISIONS, type BoardRow, boardOf } from "../../shared/rows/rows.ts";
import type { BoardAdapter } from "../../sql/content/boards.ts";
import { get, run } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";

const LIVE_BOARD = `SELECT ${BOARD_COLUMNS}, ${REVISIONS} FROM board WHERE business_id = $1 AND id = $2 AND deleted_at IS NULL`;

export function createBoardAdapter(db: Database): BoardAdapter {
  /** The revisions that boards were found at, until they are read: one statement less in each listing. */
  const foundAt = new WeakMap<object, Revisions>();
  return {
    async find(businessId, boardId) {
      const row = await db.get<BoardRow & Revisions>(LIVE_BOARD, businessId, boardId);
      if (row === undefined) return null;
      const board = boardOf(row);
      foundAt.set(board, { zones: row.zones, content: row.content, existing: row.existing });
      return board;
    },

    async revisions(board) {
      const found = foundAt.get(board);
      foundAt.delete(board);
      if (found !== undefined) return found;
      const sql = `SELECT ${REVISIONS} FROM board WHERE business_id = $1 AND id = $2`;
      return (await db.get<Revisions>(sql, board.businessId, board.id)) ?? NO_REVISIONS;
    },

    *insertBoard(businessId, { id, name }, slug, isDefault, now) {
      const last = yield* get<{ number: number | null }>("SELECT max(number) AS number FROM board WHERE business_id = @businessId", {
        businessId,
      });
      const number = (last?.number ?? 0) + 1;
      yield* run(
        `INSERT INTO board (business_id, id, number, name, slug, is_default, created_at, updated_at)
         VALUES (@businessId, @id, @number, @name, @slug, @isDefault, @now, @now)`,
        { businessId, id, number, name, slug, isDefault, now },
      );
      yield* run("INSERT INTO board_index (business_id, board_number) VALUES (@businessId, @number)", { businessId, number });
    },
  };
}
