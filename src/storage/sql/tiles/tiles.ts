import type { NewJob } from "#domain/content/job.ts";
import { AppError, conflict, isUnavailable } from "#domain/core/error.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import type { Tile, TileHead } from "#domain/content/tile.ts";
import { checkRetry, patchHead, replaceText, upsertTile } from "#domain/content/tile-rules.ts";
import type { BatchTile, NewTile, TileCreation, TilePatch, TileStore } from "#domain/content/tile-store.ts";
import { checkVersion, isEmpty, zoneIsDeleted } from "../../shared/changes.ts";
import { createIdempotently } from "../idempotency.ts";
import type { BoardKey } from "../driver.ts";
import { exists, get, type Params, type Unit } from "../unit.ts";
import { touchBoard } from "../content/board-revisions.ts";
import { dropFile, moveFile } from "../content/files.ts";
import { dropJobs, putJobs } from "../queue/job-rows.ts";
import { wasDeleted } from "./deletions.ts";
import { TileChanges } from "./tile-changes.ts";
import { HEAD_COLUMNS, SEGMENT_COLUMNS, TILE_COLUMNS, type TileRow, toSegments, toTile, toTileHead } from "./tile-columns.ts";
import { softDeleteTiles, restoreTiles } from "./tile-lifecycle.ts";
import { TileListing } from "./tile-listing.ts";
import { findByExternalId, insertTile, isMadeOf, readTile, readTileHead, requireZone, writeTile } from "./tile-rows.ts";

type Arguments<Name extends keyof TileStore> = Parameters<TileStore[Name]>;
type Items = Arguments<"createMany">[0];
type Updated = { readonly tile: TileHead; readonly created: false; readonly changed: boolean };
type Written = Extract<TileCreation, { created: true } | { tile: null }> | Updated;

const ON_LIVE_BOARD = `FROM tile t
  JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
  WHERE t.business_id = @businessId AND t.id = @tileId`;
const SELECT_LIVE = `SELECT ${TILE_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`;
const SELECT_HEAD = `SELECT ${HEAD_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`;
const SELECT_SEGMENTS = `SELECT ${SEGMENT_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`;
const SELECT_DELETED_HEAD = `SELECT ${HEAD_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at > @deletedAfter`;

export class SqlTileStore extends TileChanges implements TileStore {
  readonly #listing = new TileListing(this.driver);

  list(...args: Arguments<"list">): ReturnType<TileStore["list"]> {
    return this.#listing.list(...args);
  }

  count(...args: Arguments<"count">): ReturnType<TileStore["count"]> {
    return this.#listing.count(...args);
  }

  find(businessId: string, tileId: string): Promise<Tile | null> {
    return this.driver.read(function* () {
      const row = yield* get<TileRow>(SELECT_LIVE, { businessId, tileId });
      return row === undefined ? null : toTile(row);
    });
  }

  findHead(businessId: string, tileId: string): Promise<TileHead | null> {
    return this.#findHead(SELECT_HEAD, { businessId, tileId });
  }

  findSegments(businessId: string, tileId: string): ReturnType<TileStore["findSegments"]> {
    return this.driver.read(function* () {
      const row = yield* get<TileRow>(SELECT_SEGMENTS, { businessId, tileId });
      return row === undefined ? [] : toSegments(row);
    });
  }

  findDeletedHead(businessId: string, tileId: string, deletedAfter: number): Promise<TileHead | null> {
    return this.#findHead(SELECT_DELETED_HEAD, { businessId, tileId, deletedAfter });
  }

  #findHead(sql: string, params: Params): Promise<TileHead | null> {
    return this.driver.read(function* () {
      const row = yield* get<TileRow>(sql, params);
      return row === undefined ? null : toTileHead(row);
    });
  }

  async create(
    { target }: Arguments<"create">[0],
    tile: NewTile,
    now: number,
    idempotency?: IdempotencyRecord<TileCreation>,
  ): ReturnType<TileStore["create"]> {
    const outcome = await createIdempotently(this.driver, {
      idempotency,
      now,
      create: () => this.#create(target, tile, now),
      write: (unit) => this.driver.writeTogether(target.id, unit),
    });
    this.notifier.notifyWorkers(tile.job === null ? "text" : "jobs");
    return outcome;
  }

  async createMany(items: Items, now: number, idempotency?: Arguments<"createMany">[2]): ReturnType<TileStore["createMany"]> {
    const [first] = items;
    const isAlone = items.length === 1 && first !== undefined;
    const outcome = await createIdempotently(this.driver, {
      idempotency,
      now,
      create: () => this.#createMany(items, now),
      ...(isAlone ? { write: (unit) => this.driver.writeTogether(first.scope.target.id, unit) } : {}),
    });
    this.notifier.notifyWorkers(items.some(({ tile }) => tile.job !== null) ? "jobs" : "text");
    return outcome;
  }

  findHeadByExternalId({ target }: Arguments<"findHeadByExternalId">[0], externalId: string): Promise<TileHead | null> {
    return this.driver.read(() => findByExternalId(target, externalId));
  }

  *#create(board: BoardKey, tile: NewTile, now: number): Unit<TileCreation> {
    const creation = yield* this.#createOrUpdate(board, tile, now);
    if (creation.created || creation.tile === null) return creation;
    return { ...creation, tile: yield* readTile(board, creation.tile.id) };
  }

  *#createMany(items: Items, now: number): Unit<readonly (TileCreation<BatchTile> | Error)[]> {
    const boards = [...new Set(items.map(({ scope }) => scope.target.id))];
    const businessId = items[0]?.scope.target.businessId;
    if (boards.length > 1 && businessId !== undefined) yield* this.driver.dialect.lockRows("board", businessId, boards);
    const results: (TileCreation<BatchTile> | Error)[] = [];
    for (const { scope, tile } of items) {
      try {
        results.push(yield* this.#createOrUpdate(scope.target, tile, now));
      } catch (error) {
        // A rejected item has written nothing yet, so the others can be stored. Any other error rolls back the transaction.
        if (!(error instanceof AppError) || isUnavailable(error)) throw error;
        results.push(error);
      }
    }
    return results;
  }

  /** An updated tile has its id and head alone. */
  *#createOrUpdate(board: BoardKey, tile: NewTile, now: number): Unit<Written> {
    if (tile.externalId === null && tile.zoneId === null && tile.skipDeleted !== true)
      return { tile: yield* insertTile(this.adapter, board, tile, now), created: true };
    // Lock the board, so that concurrent upserts of one id don't create two tiles. The lock also keeps the zone from being deleted.
    yield* this.driver.dialect.lockRows("board", board.businessId, [board.id]);
    const previous = tile.externalId === null ? null : yield* findByExternalId(board, tile.externalId);
    if (previous !== null) return yield* this.#overwrite(board, previous, tile, now);
    if (tile.skipDeleted === true) {
      const names = { external_id: tile.externalId, source_url: tile.sourceUrl };
      yield* requireZone(board, tile.zoneId);
      if (yield* wasDeleted(this.driver.dialect, board, names)) return { tile: null, created: false, deleted: true };
    }
    return { tile: yield* insertTile(this.adapter, board, tile, now), created: true };
  }

  /** Updates an existing tile by an upsert. Writes nothing, not even `updatedAt`, if nothing changed. */
  *#overwrite(board: BoardKey, previous: TileHead, tile: NewTile, now: number): Unit<Updated> {
    yield* requireZone(board, tile.zoneId);
    const areTexts = tile.job === null && tile.file === undefined && previous.sourceUrl === null && previous.file === null;
    const isSameText = areTexts && (yield* isMadeOf(board, previous.id, tile.rawContent));
    const upsert = upsertTile(previous, tile, isSameText);
    // The tile has these bytes already.
    if (tile.file !== undefined && upsert?.isNewSource !== true) yield* dropFile(board.businessId, tile.id);
    if (upsert === null) return { tile: previous, created: false, changed: false };
    yield* this.#touch(board);
    yield* writeTile(this.adapter, previous, upsert.next, now);
    if (upsert.isNewSource) {
      const { businessId } = board;
      if (previous.file !== null) yield* dropFile(businessId, previous.id);
      if (tile.file !== undefined) yield* moveFile(businessId, tile.id, previous.id);
      if (tile.job === null) yield* dropJobs(this.driver.dialect, businessId, [previous.id]);
      else yield* putJobs(this.driver.dialect, board, [{ tileId: previous.id, job: tile.job }], now);
    }
    return { tile: yield* readTileHead(board, previous.id), created: false, changed: true };
  }

  update({ target }: Arguments<"update">[0], tileId: string, patch: TilePatch, now: number, ifVersion?: number): Promise<Tile> {
    return this.driver.write(() => this.#update(target, tileId, patch, now, ifVersion));
  }

  *#update(board: BoardKey, tileId: string, patch: TilePatch, now: number, ifVersion: number | undefined): Unit<Tile> {
    if (!isEmpty(patch)) yield* this.#touch(board);
    const head = yield* readTileHead(board, tileId);
    checkVersion(ifVersion, head.version);
    if (isEmpty(patch)) return yield* readTile(board, tileId);
    if (patch.zoneId !== undefined) yield* requireZone(board, patch.zoneId);
    if (typeof patch.externalId === "string") yield* this.#requireFreeExternalId(board, tileId, patch.externalId);
    if (patch.content === undefined) yield* writeTile(this.adapter, head, patchHead(head, patch), now);
    else {
      const tile = yield* readTile(board, tileId);
      yield* writeTile(this.adapter, tile, replaceText(patchHead(tile, patch), patch.content), now);
      yield* dropJobs(this.driver.dialect, board.businessId, [tileId]);
    }
    return yield* readTile(board, tileId);
  }

  /** Throws 409 if another tile of the board has the id. The board must be locked. */
  *#requireFreeExternalId(board: BoardKey, tileId: string, externalId: string): Unit<void> {
    const holder = yield* findByExternalId(board, externalId);
    if (holder !== null && holder.id !== tileId)
      throw conflict(
        `Another tile of this board has this external_id: ${holder.id}. Change or delete that tile first.`,
        "external_id_taken",
      );
  }

  remove({ target }: Arguments<"remove">[0], tileId: string, now: number, ifVersion?: number): Promise<void> {
    return this.driver.write(() => this.#remove(target, tileId, now, ifVersion));
  }

  *#remove(board: BoardKey, tileId: string, now: number, ifVersion: number | undefined): Unit<void> {
    yield* this.#touch(board);
    checkVersion(ifVersion, (yield* readTileHead(board, tileId)).version);
    yield* softDeleteTiles(this.adapter, board, [tileId], now);
  }

  async restore({ target }: Arguments<"restore">[0], tileId: string, job: NewJob, now: number): Promise<Tile> {
    const tile = await this.driver.write(() => this.#restore(target, tileId, job, now));
    this.notifier.notifyWorkers("jobs");
    return tile;
  }

  *#restore(board: BoardKey, tileId: string, job: NewJob, now: number): Unit<Tile> {
    yield* this.#touch(board);
    const isZoneDeleted = yield* exists(
      `SELECT 1 FROM tile t JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id AND z.deleted_at IS NOT NULL
       WHERE t.business_id = @businessId AND t.id = @tileId`,
      { businessId: board.businessId, tileId },
    );
    if (isZoneDeleted) throw zoneIsDeleted();
    yield* restoreTiles(this.adapter, board, [tileId], () => job, now);
    return yield* readTile(board, tileId);
  }

  async retry({ target }: Arguments<"retry">[0], tileId: string, job: NewJob, now: number, replacesText = false): Promise<Tile> {
    const tile = await this.driver.write(() => this.#retry(target, tileId, job, now, replacesText));
    this.notifier.notifyWorkers("jobs");
    return tile;
  }

  *#retry(board: BoardKey, tileId: string, job: NewJob, now: number, replacesText: boolean): Unit<Tile> {
    yield* this.#touch(board);
    const head = yield* readTileHead(board, tileId);
    checkRetry(head, replacesText);
    yield* writeTile(this.adapter, head, { ...head, status: "processing", error: null }, now);
    yield* putJobs(this.driver.dialect, board, [{ tileId, job }], now);
    return yield* readTile(board, tileId);
  }

  #touch({ businessId, id }: BoardKey): Unit<void> {
    return touchBoard(this.driver.dialect, businessId, id);
  }
}
