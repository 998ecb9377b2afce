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
import type { Database, Reader, Transaction } from "../engine/database.ts";
import { recordAudit } from "../shared/audit.ts";
import { createOnce } from "../shared/once.ts";

const BUSINESSES = `SELECT ${BUSINESS_COLUMNS} FROM business ORDER BY created_at, id`;
const LIVE_BOARD = `SELECT ${BOARD_COLUMNS}, ${REVISIONS} FROM board WHERE business_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** The revisions that boards were found at, until they are asked for: one statement less in each listing. */
const foundAt = new WeakMap<object, Revisions>();

/** Marks the board's zones as changed, and with them the board; its other writers wait until this unit is committed. */
export function touchZones(tx: Transaction, businessId: string, boardId: string): Promise<number> {
  tx.changedBoards.add(boardId);
  return tx.run(
    "UPDATE board SET revision = revision + 1, zone_revision = zone_revision + 1 WHERE business_id = $1 AND id = $2 AND deleted_at IS NULL",
    businessId,
    boardId,
  );
}

/** Marks the board as changed; called first in a unit of work, so that all units lock board, tile, index and job in this order. */
export function touchBoard(tx: Transaction, businessId: string, boardId: string): Promise<number> {
  tx.changedBoards.add(boardId);
  return tx.run("UPDATE board SET revision = revision + 1 WHERE business_id = $1 AND id = $2", businessId, boardId);
}

async function findBoard(on: Reader, businessId: string, boardId: string): Promise<Board | null> {
  const row = await on.get<BoardRow & Revisions>(LIVE_BOARD, businessId, boardId);
  if (row === undefined) return null;
  const board = boardOf(row);
  foundAt.set(board, { zones: row.zones, content: row.content, existing: row.existing });
  return board;
}

async function readBoard(on: Reader, businessId: string, boardId: string): Promise<Board> {
  const board = await findBoard(on, businessId, boardId);
  if (board === null) throw notFound("Board");
  return board;
}

/** Changes to a business's boards come one after the other: slugs, numbers and the default are theirs together. */
async function lockBusiness(tx: Transaction, businessId: string): Promise<void> {
  await tx.run("SELECT 1 FROM business WHERE id = $1 FOR UPDATE", businessId);
}

async function insertBoard(tx: Transaction, businessId: string, board: NewBoard, isDefault: boolean, now: number): Promise<Board> {
  const slug = await freeSlug(tx, businessId, board.slug);
  const number =
    (await tx.get<{ number: number }>("SELECT coalesce(max(number), 0) + 1 AS number FROM board WHERE business_id = $1", businessId))
      ?.number ?? 1;
  await tx.run(
    `INSERT INTO board (business_id, id, number, name, slug, is_default, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    businessId,
    board.id,
    number,
    board.name,
    slug,
    isDefault,
    now,
  );
  await tx.run("INSERT INTO board_index (business_id, board_number) VALUES ($1, $2)", businessId, number);
  return readBoard(tx, businessId, board.id);
}

async function freeSlug(tx: Transaction, businessId: string, slug: string): Promise<string> {
  const taken = async (candidate: string): Promise<boolean> =>
    (await tx.get("SELECT 1 AS found FROM board WHERE business_id = $1 AND slug = $2", businessId, candidate)) !== undefined;
  if (!(await taken(slug))) return slug;
  for (let n = 2; ; n++) if (!(await taken(`${slug}-${n}`))) return `${slug}-${n}`;
}

export function createBoardStore(db: Database): BoardStore {
  return {
    businesses: async () => (await db.all<BusinessRow>(BUSINESSES)).map(businessOf),

    async business(businessId) {
      const row = await db.get<BusinessRow>(`SELECT ${BUSINESS_COLUMNS} FROM business WHERE id = $1`, businessId);
      return row === undefined ? null : businessOf(row);
    },

    createBusiness: (business: Business, defaultBoard, options) =>
      db.write(async (tx) => {
        // Nodes that start together on an empty database make one first business, not one each.
        if (options !== undefined) await tx.run("LOCK TABLE business IN SHARE ROW EXCLUSIVE MODE");
        const first = options === undefined ? undefined : await tx.get<BusinessRow>(`${BUSINESSES} LIMIT 1`);
        if (first !== undefined) return businessOf(first);
        await tx.run("INSERT INTO business (id, name, created_at) VALUES ($1, $2, $3)", business.id, business.name, business.createdAt);
        await insertBoard(tx, business.id, defaultBoard, true, business.createdAt);
        return business;
      }),

    async list(businessId) {
      const rows = await db.all<BoardRow>(
        `SELECT ${BOARD_COLUMNS} FROM board WHERE business_id = $1 AND deleted_at IS NULL ORDER BY is_default DESC, number`,
        businessId,
      );
      return rows.map(boardOf);
    },

    find: (businessId, boardId) => findBoard(db, businessId, boardId),

    async findDeleted(businessId, boardId, deletedAfter) {
      const row = await db.get<BoardRow>(
        `SELECT ${BOARD_COLUMNS} FROM board WHERE business_id = $1 AND id = $2 AND deleted_at > $3`,
        businessId,
        boardId,
        deletedAfter,
      );
      return row === undefined ? null : boardOf(row);
    },

    async listDeleted(businessId, deletedAfter) {
      const rows = await db.all<BoardRow & { deleted_at: number }>(
        `SELECT ${BOARD_COLUMNS}, deleted_at FROM board WHERE business_id = $1 AND deleted_at > $2 ORDER BY deleted_at DESC, id`,
        businessId,
        deletedAfter,
      );
      return rows.map((row) => ({ ...boardOf(row), deletedAt: row.deleted_at }));
    },

    create: (scope, board, now, once) =>
      db.write((tx) =>
        createOnce(tx, once, now, async () => {
          await lockBusiness(tx, scope.target.id);
          const created = await insertBoard(tx, scope.target.id, board, false, now);
          await recordAudit(tx, scope.actor, "board.create", board.id, now);
          return created;
        }),
      ),

    update: ({ actor, target }, patch, now, ifVersion) =>
      db.write(async (tx) => {
        await lockBusiness(tx, target.businessId);
        tx.changedBoards.add(target.id);
        const board = await readBoard(tx, target.businessId, target.id);
        checkVersion(ifVersion, board.version);
        if (isEmpty(patch)) return board;
        if (patch.isDefault === true) {
          await tx.run(
            "UPDATE board SET is_default = FALSE, version = version + 1 WHERE business_id = $1 AND is_default AND id <> $2",
            target.businessId,
            target.id,
          );
        }
        await tx.run(
          `UPDATE board SET name = $1, is_default = $2, version = version + 1, revision = revision + 1, updated_at = $3
           WHERE business_id = $4 AND id = $5`,
          patch.name ?? board.name,
          patch.isDefault === true || board.isDefault,
          now,
          target.businessId,
          target.id,
        );
        await recordAudit(tx, actor, "board.update", target.id, now);
        return readBoard(tx, target.businessId, target.id);
      }),

    remove: ({ actor, target }, now, ifVersion) =>
      db.write(async (tx) => {
        await lockBusiness(tx, target.businessId);
        tx.changedBoards.add(target.id);
        const board = await readBoard(tx, target.businessId, target.id);
        checkVersion(ifVersion, board.version);
        if (board.isDefault) throw defaultBoardStays();
        await tx.run(
          "UPDATE board SET deleted_at = $1, version = version + 1, revision = revision + 1 WHERE business_id = $2 AND id = $3",
          now,
          target.businessId,
          target.id,
        );
        await recordAudit(tx, actor, "board.delete", target.id, now);
      }),

    discard: ({ actor, target }, now) =>
      db.write(async (tx) => {
        await lockBusiness(tx, target.businessId);
        tx.changedBoards.add(target.id);
        const board = await readBoard(tx, target.businessId, target.id);
        if (board.isDefault) throw defaultBoardStays();
        await tx.run(
          "UPDATE board SET name = '', slug = id, deleted_at = 0, version = version + 1, revision = revision + 1 WHERE business_id = $1 AND id = $2",
          target.businessId,
          target.id,
        );
        await recordAudit(tx, actor, "board.delete", target.id, now);
      }),

    restore: ({ actor, target }, now) =>
      db.write(async (tx) => {
        tx.changedBoards.add(target.id);
        await tx.run(
          `UPDATE board SET deleted_at = NULL, version = version + 1, revision = revision + 1, updated_at = $1
           WHERE business_id = $2 AND id = $3 AND deleted_at IS NOT NULL`,
          now,
          target.businessId,
          target.id,
        );
        await recordAudit(tx, actor, "board.restore", target.id, now);
        return readBoard(tx, target.businessId, target.id);
      }),

    async revisions(board) {
      const found = foundAt.get(board);
      foundAt.delete(board);
      if (found !== undefined) return found;
      const sql = `SELECT ${REVISIONS} FROM board WHERE business_id = $1 AND id = $2`;
      return (await db.get<Revisions>(sql, board.businessId, board.id)) ?? NO_REVISIONS;
    },
  };
}
