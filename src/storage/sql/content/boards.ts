import type { Authorized } from "#domain/core/access.ts";
import type { Board, Business, Revisions } from "#domain/core/board.ts";
import type { BoardPatch, BoardStore, DeletedBoard, NewBoard } from "#domain/core/board-store.ts";
import { notFound } from "#domain/core/errors/error.ts";
import { checkVersion, isEmpty } from "../checks/changes.ts";
import { defaultBoardRequired } from "../checks/errors.ts";
import { insertBoardEvent } from "../events/board-tiles.ts";
import { recordAudit } from "../settings/audit.ts";
import { type BoardKey, type Dialect, type Driver, lockBusiness } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import { createCounters } from "../search/board-index.ts";
import { boardChanged, get, run, type Unit } from "../unit.ts";
import { BOARD_FIELDS, BOARDS, listBoardPage } from "./board-pages.ts";
import { findFreeSlug } from "./free-slug.ts";

type BoardScope = Authorized<Board, "manage">;

/** The parts that differ between engines: how boards and revisions are cached. */
export type BoardAdapter = Pick<BoardStore, "find" | "revisions">;

const BUSINESSES = new Mapping<Business>(plainFields("id", "name", "createdAt"));
const DELETED_BOARDS = new Mapping<DeletedBoard>({ ...BOARD_FIELDS, ...plainFields("deletedAt") });

/** Creating a tile raises `revision` and `next_sequence`; every other write to the board raises only `revision`. */
export const REVISION_FIELDS = {
  zones: { column: "zone_revision" },
  content: { column: "revision" },
  existing: { expression: "revision - next_sequence" },
};
export const REVISIONS = new Mapping<Revisions>(REVISION_FIELDS);
export const NO_REVISIONS: Revisions = { zones: 0, content: 0, existing: 0 };

const IS_BOARD = "business_id = @businessId AND id = @id";
const CHANGED = "version = version + 1, revision = revision + 1";
const REMOVE = `UPDATE board SET deleted_at = @now, ${CHANGED} WHERE ${IS_BOARD}`;
const DISCARD = `UPDATE board SET name = '', slug = id, deleted_at = 0, ${CHANGED} WHERE ${IS_BOARD}`;

export function createBoardStore(driver: Driver, adapter: BoardAdapter): BoardStore {
  const { dialect, read } = driver;
  const write = <T>(unit: () => Unit<T>): Promise<T> => driver.writeSettings("boards", unit);

  return {
    ...adapter,

    businesses: () => read(() => BUSINESSES.list("business ORDER BY created_at, id")),
    business: (id) => read(() => BUSINESSES.find("business WHERE id = @id", { id })),

    createBusiness: ({ id, name, createdAt }, defaultBoard, options) =>
      write(function* () {
        if (options?.onlyIfNone === true) {
          // The lock prevents several nodes that start at the same time from each creating a business.
          yield* dialect.lock("businesses", "");
          const first = yield* BUSINESSES.find("business ORDER BY created_at, id LIMIT 1");
          if (first !== null) return first;
        }
        yield* insert("business", { id, name, createdAt });
        yield* insertBoard(dialect, id, defaultBoard, true, createdAt);
        return { id, name, createdAt };
      }),

    list: (businessId) =>
      read(() =>
        BOARDS.list("board WHERE business_id = @businessId AND deleted_at IS NULL ORDER BY is_default DESC, number", { businessId }),
      ),
    listPage: (businessId, after, limit) => read(() => listBoardPage(dialect, businessId, after, limit)),

    findDeleted: (businessId, id, deletedAfter) =>
      read(() => BOARDS.find(`board WHERE ${IS_BOARD} AND deleted_at > @deletedAfter`, { businessId, id, deletedAfter })),
    listDeleted(businessId, deletedAfter) {
      const from = "board WHERE business_id = @businessId AND deleted_at > @deletedAfter ORDER BY deleted_at DESC, id";
      return read(() => DELETED_BOARDS.list(from, { businessId, deletedAfter }));
    },

    create: ({ actor, target }, board, now, idempotency) =>
      createIdempotently(driver, {
        idempotency,
        now,
        write,
        *create() {
          yield* lockBusiness(dialect, target.id);
          const created = yield* insertBoard(dialect, target.id, board, false, now);
          yield* recordAudit(actor, "board.create", board.id, now);
          return created;
        },
      }),

    update: (scope, patch, now, ifVersion) => write(() => updateBoard(dialect, scope, patch, now, ifVersion)),
    remove: (scope, now, ifVersion) => write(() => deleteBoard(dialect, scope, REMOVE, now, ifVersion)),
    discard: (scope, now) => write(() => deleteBoard(dialect, scope, DISCARD, now)),

    restore: ({ actor, target }, now) =>
      write(function* () {
        const { businessId, id } = target;
        yield* boardChanged(id);
        const sql = `UPDATE board SET deleted_at = NULL, ${CHANGED}, updated_at = @now WHERE ${IS_BOARD} AND deleted_at IS NOT NULL`;
        yield* run(sql, { now, businessId, id });
        yield* insertBoardEvent("board.restored", target, now);
        yield* recordAudit(actor, "board.restore", id, now);
        return yield* readBoard(target);
      }),
  };
}

function* readBoard({ businessId, id }: BoardKey): Unit<Board> {
  const board = yield* BOARDS.find(`board WHERE ${IS_BOARD} AND deleted_at IS NULL`, { businessId, id });
  if (board === null) throw notFound("Board");
  return board;
}

function* insertBoard(dialect: Dialect, businessId: string, { id, name, slug }: NewBoard, isDefault: boolean, now: number): Unit<Board> {
  // Numbers are unique within what the tables of the index are divided by.
  const where = dialect.indexKey.includes("business_id") ? "WHERE business_id = @businessId" : "";
  const last = yield* get<{ number: number | null }>(`SELECT max(number) AS number FROM board ${where}`, { businessId });
  const number = (last?.number ?? 0) + 1;
  const freeSlug = yield* findFreeSlug(dialect, businessId, slug);
  yield* insert("board", { businessId, id, number, name, slug: freeSlug, isDefault, createdAt: now, updatedAt: now });
  yield* createCounters(businessId, id);
  return yield* readBoard({ businessId, id });
}

/** Reads a board that the unit is going to change. Throws 404 if there is none. */
function* lockBoard(dialect: Dialect, board: BoardKey): Unit<Board> {
  yield* lockBusiness(dialect, board.businessId);
  yield* boardChanged(board.id);
  return yield* readBoard(board);
}

function* updateBoard(
  dialect: Dialect,
  { actor, target }: BoardScope,
  patch: BoardPatch,
  now: number,
  ifVersion: number | undefined,
): Unit<Board> {
  const { businessId, id } = target;
  const board = yield* lockBoard(dialect, target);
  checkVersion(ifVersion, board.version);
  if (isEmpty(patch)) return board;
  if (patch.isDefault === true) {
    const sql =
      "UPDATE board SET is_default = FALSE, version = version + 1 WHERE business_id = @businessId AND is_default = TRUE AND id <> @id";
    yield* run(sql, { businessId, id });
  }
  yield* run(`UPDATE board SET name = @name, is_default = @isDefault, ${CHANGED}, updated_at = @now WHERE ${IS_BOARD}`, {
    name: patch.name ?? board.name,
    isDefault: patch.isDefault === true || board.isDefault,
    now,
    businessId,
    id,
  });
  yield* recordAudit(actor, "board.update", id, now);
  return yield* readBoard(target);
}

function* deleteBoard(dialect: Dialect, { actor, target }: BoardScope, sql: string, now: number, ifVersion?: number): Unit<void> {
  const board = yield* lockBoard(dialect, target);
  checkVersion(ifVersion, board.version);
  if (board.isDefault) throw defaultBoardRequired();
  yield* run(sql, { now, businessId: target.businessId, id: target.id });
  yield* insertBoardEvent("board.deleted", target, now);
  yield* recordAudit(actor, "board.delete", target.id, now);
}
