import type { Board, Revisions } from "#domain/core/board.ts";
import { BOARDS } from "../../sql/content/board-pages.ts";
import { type BoardAdapter, NO_REVISIONS, REVISIONS } from "../../sql/content/boards.ts";
import { insert } from "../../sql/mapping.ts";
import { get } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";

const IS_BOARD = "business_id = @businessId AND id = @id";
const LIVE_BOARD = `SELECT ${BOARDS.columns}, ${REVISIONS.columns} FROM board WHERE ${IS_BOARD} AND deleted_at IS NULL`;

export function createBoardAdapter(db: Database): BoardAdapter {
  /** The revisions that `find` read together with a board, which saves a statement in each listing. */
  const revisionsOfBoards = new WeakMap<object, Revisions>();
  return {
    async find(businessId, id) {
      const row = await db.get<Board & Revisions>(LIVE_BOARD, { businessId, id });
      if (row === undefined) return null;
      const { zones, content, existing, ...board } = BOARDS.read(row);
      revisionsOfBoards.set(board, { zones, content, existing });
      return board;
    },

    async revisions(board) {
      const known = revisionsOfBoards.get(board);
      revisionsOfBoards.delete(board);
      if (known !== undefined) return known;
      const { businessId, id } = board;
      return (await runUnit(db, REVISIONS.find(`board WHERE ${IS_BOARD}`, { businessId, id }))) ?? NO_REVISIONS;
    },

    *insertBoard(businessId, { id, name }, slug, isDefault, now) {
      const last = yield* get<{ number: number | null }>("SELECT max(number) AS number FROM board WHERE business_id = @businessId", {
        businessId,
      });
      yield* insert("board", { businessId, id, number: (last?.number ?? 0) + 1, name, slug, isDefault, createdAt: now, updatedAt: now });
    },
  };
}
