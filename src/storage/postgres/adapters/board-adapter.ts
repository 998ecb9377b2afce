import type { Board, Revisions } from "#domain/core/board.ts";
import { BOARD_FIELDS } from "../../sql/content/board-pages.ts";
import { type BoardAdapter, NO_REVISIONS, REVISION_FIELDS, REVISIONS } from "../../sql/content/boards.ts";
import { Mapping } from "../../sql/mapping.ts";
import type { Database } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";

const IS_BOARD = "business_id = @businessId AND id = @id";
const BOARDS = new Mapping<Board & Revisions>({ ...BOARD_FIELDS, ...REVISION_FIELDS });

export function createBoardAdapter(db: Database): BoardAdapter {
  /** The revisions that `find` read together with a board, which saves a statement in each listing. */
  const revisionsOfBoards = new WeakMap<object, Revisions>();
  return {
    async find(businessId, id) {
      const found = await runUnit(db, BOARDS.find(`board WHERE ${IS_BOARD} AND deleted_at IS NULL`, { businessId, id }));
      if (found === null) return null;
      const { zones, content, existing, ...board } = found;
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
  };
}
