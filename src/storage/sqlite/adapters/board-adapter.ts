import type { Board, Revisions } from "#domain/core/board.ts";
import { BOARDS } from "../../sql/content/board-pages.ts";
import { type BoardAdapter, NO_REVISIONS, REVISIONS } from "../../sql/content/boards.ts";
import type { Connection } from "../engine/database.ts";
import { runUnit } from "../engine/driver.ts";

const MAX_BOARDS = 10_000;
/** The length of two ids. A longer key comes from an invalid path, and caching it would fill the memory. */
const MAX_CACHE_KEY_LENGTH = 128;

const IS_BOARD = "business_id = @businessId AND id = @boardId";

/**
 * Tuning: caches boards until a setting changes, and revisions until the next commit, so that a call with a cached listing runs no
 * statement. With `Connection.refreshSnapshot`, cached listings of zones rose from 0.20 to 0.51 of plain `node:http`
 * (decision 5).
 */
export function createBoardAdapter(db: Connection): BoardAdapter {
  const cache = { version: -1, boards: new Map<string, Board | null>() };
  const revisions = { generation: -1, boards: new Map<string, Revisions>() };

  function find(businessId: string, boardId: string): Board | null {
    const version = db.settingsVersion();
    if (cache.version !== version || cache.boards.size > MAX_BOARDS) {
      cache.version = version;
      cache.boards.clear();
    }
    const key = `${businessId} ${boardId}`;
    if (key.length > MAX_CACHE_KEY_LENGTH) return null;
    let board = cache.boards.get(key);
    if (board === undefined) {
      board = runUnit(db, BOARDS.find(`board WHERE ${IS_BOARD} AND deleted_at IS NULL`, { businessId, boardId }));
      cache.boards.set(key, board);
    }
    return board;
  }

  return {
    find,

    revisions({ businessId, id: boardId }) {
      const generation = db.generation();
      if (revisions.generation !== generation) {
        revisions.generation = generation;
        revisions.boards.clear();
      }
      let current = revisions.boards.get(boardId);
      if (current === undefined) {
        current = runUnit(db, REVISIONS.find(`board WHERE ${IS_BOARD}`, { businessId, boardId })) ?? NO_REVISIONS;
        revisions.boards.set(boardId, current);
      }
      return current;
    },
  };
}
