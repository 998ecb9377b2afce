import type { Board, Revisions } from "#domain/core/board.ts";
import { BOARDS } from "../../sql/content/board-pages.ts";
import { type BoardAdapter, NO_REVISIONS, REVISIONS } from "../../sql/content/boards.ts";
import { insert } from "../../sql/mapping.ts";
import { get } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";

const LIVE_BOARD = `SELECT ${BOARDS.columns}, ${REVISIONS} FROM board WHERE business_id = $1 AND id = $2 AND deleted_at IS NULL`;

export function createBoardAdapter(db: Database): BoardAdapter {
  /** The revisions that `find` read together with a board, which saves a statement in each listing. */
  const revisionsOfBoards = new WeakMap<object, Revisions>();
  return {
    async find(businessId, boardId) {
      const row = await db.get<Board & Revisions>(LIVE_BOARD, businessId, boardId);
      if (row === undefined) return null;
      const { zones, content, existing, ...board } = BOARDS.read(row);
      revisionsOfBoards.set(board, { zones, content, existing });
      return board;
    },

    async revisions(board) {
      const known = revisionsOfBoards.get(board);
      revisionsOfBoards.delete(board);
      if (known !== undefined) return known;
      const sql = `SELECT ${REVISIONS} FROM board WHERE business_id = $1 AND id = $2`;
      return (await db.get<Revisions>(sql, board.businessId, board.id)) ?? NO_REVISIONS;
    },

    *insertBoard(businessId, { id, name }, slug, isDefault, now) {
      const last = yield* get<{ number: number | null }>("SELECT max(number) AS number FROM board WHERE business_id = @businessId", {
        businessId,
      });
      yield* insert("board", { businessId, id, number: (last?.number ?? 0) + 1, name, slug, isDefault, createdAt: now, updatedAt: now });
    },
  };
}
