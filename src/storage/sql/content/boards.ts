import type { Authorized } from "#domain/core/access.ts";
import type { Board, Business, Revisions } from "#domain/core/board.ts";
import type { BoardCursor, BoardPatch, BoardStore, DeletedBoard, NewBoard } from "#domain/core/board-store.ts";
import { notFound } from "#domain/core/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import { checkVersion, isEmpty } from "../../shared/changes.ts";
import { defaultBoardRequired } from "../../shared/errors.ts";
import { recordAudit } from "../settings/audit.ts";
import type { Driver } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { createCounters } from "../search/board-index.ts";
import { createIdempotently } from "../idempotency.ts";
import { run, type Unit } from "../unit.ts";
import { BOARD_FIELDS, BOARDS, listBoardPage } from "./board-pages.ts";
import { findFreeSlug } from "./free-slug.ts";

type BusinessScope = Authorized<Business, "manage">;
type BoardScope = Authorized<Board, "manage">;

/** The parts that differ between engines: how boards and revisions are cached, and how boards are numbered. */
export type BoardAdapter = Pick<BoardStore, "find" | "revisions"> & {
  insertBoard(businessId: string, board: NewBoard, slug: string, isDefault: boolean, now: number): Unit<void>;
};

const BUSINESSES = new Mapping<Business>(plainFields("id", "name", "createdAt"));
const DELETED_BOARDS = new Mapping<DeletedBoard>({ ...BOARD_FIELDS, ...plainFields("deletedAt") });

/** Creating a tile raises `revision` and `next_sequence`; every other write to the board raises only `revision`. */
export const REVISIONS = "zone_revision AS zones, revision AS content, revision - next_sequence AS existing";
export const NO_REVISIONS: Revisions = { zones: 0, content: 0, existing: 0 };

const IS_BOARD = "business_id = @businessId AND id = @id";
const CHANGED = "version = version + 1, revision = revision + 1";

function* readBoard({ businessId, id }: Pick<Board, "businessId" | "id">): Unit<Board> {
  const board = yield* BOARDS.find(`board WHERE ${IS_BOARD} AND deleted_at IS NULL`, { businessId, id });
  if (board === null) throw notFound("Board");
  return board;
}

export class SqlBoardStore implements Omit<BoardStore, "find" | "revisions"> {
  readonly #driver: Driver;
  readonly #adapter: BoardAdapter;

  constructor(driver: Driver, adapter: BoardAdapter) {
    this.#driver = driver;
    this.#adapter = adapter;
  }

  businesses(): Promise<Business[]> {
    return this.#driver.read(() => BUSINESSES.list("business ORDER BY created_at, id"));
  }

  business(id: string): Promise<Business | null> {
    return this.#driver.read(() => BUSINESSES.find("business WHERE id = @id", { id }));
  }

  createBusiness(business: Business, defaultBoard: NewBoard, options?: { readonly onlyIfNone: true }): Promise<Business> {
    return this.#driver.writeSettings("boards", () => this.#createBusiness(business, defaultBoard, options?.onlyIfNone === true));
  }

  *#createBusiness({ id, name, createdAt }: Business, defaultBoard: NewBoard, onlyIfNone: boolean): Unit<Business> {
    if (onlyIfNone) {
      // The lock prevents several nodes that start at the same time from each creating a business.
      yield* this.#driver.dialect.lock("businesses", "");
      const first = yield* BUSINESSES.find("business ORDER BY created_at, id LIMIT 1");
      if (first !== null) return first;
    }
    yield* insert("business", { id, name, createdAt });
    yield* this.#insert(id, defaultBoard, true, createdAt);
    return { id, name, createdAt };
  }

  list(businessId: string): Promise<Board[]> {
    return this.#driver.read(() =>
      BOARDS.list("board WHERE business_id = @businessId AND deleted_at IS NULL ORDER BY is_default DESC, number", { businessId }),
    );
  }

  listPage(businessId: string, after: BoardCursor | null, limit: number): Promise<Board[]> {
    return this.#driver.read(() => listBoardPage(this.#driver.dialect, businessId, after, limit));
  }

  findDeleted(businessId: string, id: string, deletedAfter: number): Promise<Board | null> {
    return this.#driver.read(() => BOARDS.find(`board WHERE ${IS_BOARD} AND deleted_at > @deletedAfter`, { businessId, id, deletedAfter }));
  }

  listDeleted(businessId: string, deletedAfter: number): Promise<DeletedBoard[]> {
    return this.#driver.read(() =>
      DELETED_BOARDS.list("board WHERE business_id = @businessId AND deleted_at > @deletedAfter ORDER BY deleted_at DESC, id", {
        businessId,
        deletedAfter,
      }),
    );
  }

  create(scope: BusinessScope, board: NewBoard, now: number, idempotency?: IdempotencyRecord<Board>): Promise<IdempotentOutcome<Board>> {
    return createIdempotently(this.#driver, {
      idempotency,
      now,
      create: () => this.#create(scope, board, now),
      write: (unit) => this.#driver.writeSettings("boards", unit),
    });
  }

  *#create({ actor, target }: BusinessScope, board: NewBoard, now: number): Unit<Board> {
    yield* this.#driver.dialect.lockBusiness(target.id);
    const created = yield* this.#insert(target.id, board, false, now);
    yield* recordAudit(actor, "board.create", board.id, now);
    return created;
  }

  update(scope: BoardScope, patch: BoardPatch, now: number, ifVersion?: number): Promise<Board> {
    return this.#driver.writeSettings("boards", () => this.#update(scope, patch, now, ifVersion));
  }

  *#update({ actor, target }: BoardScope, patch: BoardPatch, now: number, ifVersion: number | undefined): Unit<Board> {
    const { businessId, id } = target;
    const board = yield* this.#lockBoard(target);
    checkVersion(ifVersion, board.version);
    if (isEmpty(patch)) return board;
    if (patch.isDefault === true) {
      yield* run(
        "UPDATE board SET is_default = FALSE, version = version + 1 WHERE business_id = @businessId AND is_default = TRUE AND id <> @id",
        { businessId, id },
      );
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

  remove(scope: BoardScope, now: number, ifVersion?: number): Promise<void> {
    const sql = `UPDATE board SET deleted_at = @now, ${CHANGED} WHERE ${IS_BOARD}`;
    return this.#driver.writeSettings("boards", () => this.#delete(scope, sql, now, ifVersion));
  }

  discard(scope: BoardScope, now: number): Promise<void> {
    const sql = `UPDATE board SET name = '', slug = id, deleted_at = 0, ${CHANGED} WHERE ${IS_BOARD}`;
    return this.#driver.writeSettings("boards", () => this.#delete(scope, sql, now));
  }

  *#delete({ actor, target }: BoardScope, sql: string, now: number, ifVersion?: number): Unit<void> {
    const board = yield* this.#lockBoard(target);
    checkVersion(ifVersion, board.version);
    if (board.isDefault) throw defaultBoardRequired();
    yield* run(sql, { now, businessId: target.businessId, id: target.id });
    yield* recordAudit(actor, "board.delete", target.id, now);
  }

  restore({ actor, target }: BoardScope, now: number): Promise<Board> {
    const { dialect, writeSettings } = this.#driver;
    const { businessId, id } = target;
    return writeSettings("boards", function* () {
      yield* dialect.boardChanged(id);
      const sql = `UPDATE board SET deleted_at = NULL, ${CHANGED}, updated_at = @now WHERE ${IS_BOARD} AND deleted_at IS NOT NULL`;
      yield* run(sql, { now, businessId, id });
      yield* recordAudit(actor, "board.restore", id, now);
      return yield* readBoard(target);
    });
  }

  *#insert(businessId: string, board: NewBoard, isDefault: boolean, now: number): Unit<Board> {
    yield* this.#adapter.insertBoard(businessId, board, yield* findFreeSlug(this.#driver.dialect, businessId, board.slug), isDefault, now);
    yield* createCounters(businessId, board.id);
    return yield* readBoard({ businessId, id: board.id });
  }

  *#lockBoard(target: Pick<Board, "businessId" | "id">): Unit<Board> {
    yield* this.#driver.dialect.lockBusiness(target.businessId);
    yield* this.#driver.dialect.boardChanged(target.id);
    return yield* readBoard(target);
  }
}
