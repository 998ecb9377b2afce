import type { Board, BoardStore, Business, NewBoard, Revisions } from "#domain/core/board.ts";
import { notFound } from "#domain/core/error.ts";
import { checkVersion, defaultBoardStays, isEmpty } from "../../shared/changes.ts";
import {
  BOARD_COLUMNS,
  BUSINESS_COLUMNS,
  NO_REVISIONS,
  REVISIONS,
  type BoardRow,
  type BusinessRow,
  boardOf,
  businessOf,
} from "../../shared/rows/rows.ts";
import type { Connection } from "../engine/database.ts";
import { recordAudit } from "../shared/audit.ts";
import { createOnce } from "../shared/once.ts";

const BUSINESSES = `SELECT ${BUSINESS_COLUMNS} FROM business ORDER BY created_at, id`;

/** Two ids of ours. A longer one comes from a caller's path and names no board; remembering it would fill the memory. */
const MAX_MEMO_KEY_LENGTH = 128;

/** Marks the board's zones as changed, and with them the board. */
export function touchZones(db: Connection, businessId: string, boardId: string): number {
  return db.run(
    "UPDATE board SET revision = revision + 1, zone_revision = zone_revision + 1 WHERE business_id = ? AND id = ? AND deleted_at IS NULL",
    businessId,
    boardId,
  );
}

/** Marks the board as changed, so that what was built from its earlier revision is stale at once. */
export function touchBoard(db: Connection, businessId: string, boardId: string): void {
  db.run("UPDATE board SET revision = revision + 1 WHERE business_id = ? AND id = ?", businessId, boardId);
}

export function createBoardStore(db: Connection): BoardStore {
  const memo = { version: -1, boards: new Map<string, Board | null>() };
  const revisions = { generation: -1, boards: new Map<string, Revisions>() };

  function findBoard(businessId: string, boardId: string): Board | null {
    const version = db.settingsVersion();
    if (memo.version !== version || memo.boards.size > 10_000) {
      memo.version = version;
      memo.boards.clear();
    }
    const key = `${businessId} ${boardId}`;
    if (key.length > MAX_MEMO_KEY_LENGTH) return null;
    let board = memo.boards.get(key);
    if (board === undefined) {
      const row = db.get<BoardRow>(
        `SELECT ${BOARD_COLUMNS} FROM board WHERE business_id = ? AND id = ? AND deleted_at IS NULL`,
        businessId,
        boardId,
      );
      board = row === undefined ? null : boardOf(row);
      memo.boards.set(key, board);
    }
    return board;
  }

  function readBoard(businessId: string, boardId: string): Board {
    const row = db.get<BoardRow>(
      `SELECT ${BOARD_COLUMNS} FROM board WHERE business_id = ? AND id = ? AND deleted_at IS NULL`,
      businessId,
      boardId,
    );
    if (row === undefined) throw notFound("Board");
    return boardOf(row);
  }

  function insertBoard(businessId: string, board: NewBoard, isDefault: boolean, now: number): Board {
    db.run(
      "INSERT INTO board (business_id, id, name, slug, is_default, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      businessId,
      board.id,
      board.name,
      freeSlug(businessId, board.slug),
      isDefault ? 1 : 0,
      now,
      now,
    );
    return readBoard(businessId, board.id);
  }

  function freeSlug(businessId: string, slug: string): string {
    const taken = (candidate: string): boolean =>
      db.get("SELECT 1 AS found FROM board WHERE business_id = ? AND slug = ?", businessId, candidate) !== undefined;
    if (!taken(slug)) return slug;
    for (let n = 2; ; n++) if (!taken(`${slug}-${n}`)) return `${slug}-${n}`;
  }

  return {
    businesses: async () => db.all<BusinessRow>(BUSINESSES).map(businessOf),

    async business(businessId) {
      const row = db.get<BusinessRow>(`SELECT ${BUSINESS_COLUMNS} FROM business WHERE id = ?`, businessId);
      return row === undefined ? null : businessOf(row);
    },

    createBusiness: (business: Business, defaultBoard, options) =>
      db.writeSettings(() => {
        const first = options === undefined ? undefined : db.get<BusinessRow>(`${BUSINESSES} LIMIT 1`);
        if (first !== undefined) return businessOf(first);
        db.run("INSERT INTO business (id, name, created_at) VALUES (?, ?, ?)", business.id, business.name, business.createdAt);
        insertBoard(business.id, defaultBoard, true, business.createdAt);
        return business;
      }),

    list: async (businessId) =>
      db
        .all<BoardRow>(
          `SELECT ${BOARD_COLUMNS} FROM board WHERE business_id = ? AND deleted_at IS NULL ORDER BY is_default DESC, number`,
          businessId,
        )
        .map(boardOf),

    find: async (businessId, boardId) => findBoard(businessId, boardId),

    async findDeleted(businessId, boardId, deletedAfter) {
      const row = db.get<BoardRow>(
        `SELECT ${BOARD_COLUMNS} FROM board WHERE business_id = ? AND id = ? AND deleted_at > ?`,
        businessId,
        boardId,
        deletedAfter,
      );
      return row === undefined ? null : boardOf(row);
    },

    async listDeleted(businessId, deletedAfter) {
      const rows = db.all<BoardRow & { deleted_at: number }>(
        `SELECT ${BOARD_COLUMNS}, deleted_at FROM board WHERE business_id = ? AND deleted_at > ? ORDER BY deleted_at DESC, id`,
        businessId,
        deletedAfter,
      );
      return rows.map((row) => ({ ...boardOf(row), deletedAt: row.deleted_at }));
    },

    create: (scope, board, now, once) =>
      db.writeSettings(() =>
        createOnce(db, once, now, () => {
          const created = insertBoard(scope.target.id, board, false, now);
          recordAudit(db, scope.actor, "board.create", board.id, now);
          return created;
        }),
      ),

    update: ({ actor, target }, patch, now, ifVersion) =>
      db.writeSettings(() => {
        const board = readBoard(target.businessId, target.id);
        checkVersion(ifVersion, board.version);
        if (isEmpty(patch)) return board;
        if (patch.isDefault === true) {
          db.run(
            "UPDATE board SET is_default = 0, version = version + 1 WHERE business_id = ? AND is_default = 1 AND id <> ?",
            target.businessId,
            target.id,
          );
        }
        db.run(
          `UPDATE board SET name = ?, is_default = ?, version = version + 1, revision = revision + 1, updated_at = ?
           WHERE business_id = ? AND id = ?`,
          patch.name ?? board.name,
          patch.isDefault === true || board.isDefault ? 1 : 0,
          now,
          target.businessId,
          target.id,
        );
        recordAudit(db, actor, "board.update", target.id, now);
        return readBoard(target.businessId, target.id);
      }),

    remove: ({ actor, target }, now, ifVersion) =>
      db.writeSettings(() => {
        const board = readBoard(target.businessId, target.id);
        checkVersion(ifVersion, board.version);
        if (board.isDefault) throw defaultBoardStays();
        db.run(
          "UPDATE board SET deleted_at = ?, version = version + 1, revision = revision + 1 WHERE business_id = ? AND id = ?",
          now,
          target.businessId,
          target.id,
        );
        recordAudit(db, actor, "board.delete", target.id, now);
      }),

    discard: ({ actor, target }, now) =>
      db.writeSettings(() => {
        const board = readBoard(target.businessId, target.id);
        if (board.isDefault) throw defaultBoardStays();
        db.run(
          "UPDATE board SET name = '', slug = id, deleted_at = 0, version = version + 1, revision = revision + 1 WHERE business_id = ? AND id = ?",
          target.businessId,
          target.id,
        );
        recordAudit(db, actor, "board.delete", target.id, now);
      }),

    restore: ({ actor, target }, now) =>
      db.writeSettings(() => {
        db.run(
          `UPDATE board SET deleted_at = NULL, version = version + 1, revision = revision + 1, updated_at = ?
           WHERE business_id = ? AND id = ? AND deleted_at IS NOT NULL`,
          now,
          target.businessId,
          target.id,
        );
        recordAudit(db, actor, "board.restore", target.id, now);
        return readBoard(target.businessId, target.id);
      }),

    revisions({ businessId, id: boardId }) {
      const generation = db.generation();
      if (revisions.generation !== generation) {
        revisions.generation = generation;
        revisions.boards.clear();
      }
      let found = revisions.boards.get(boardId);
      if (found === undefined) {
        found = db.get<Revisions>(`SELECT ${REVISIONS} FROM board WHERE business_id = ? AND id = ?`, businessId, boardId) ?? NO_REVISIONS;
        revisions.boards.set(boardId, found);
      }
      return found;
    },
  };
}
