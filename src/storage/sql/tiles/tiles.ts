import type { NewJob } from "#domain/content/job.ts";
import { conflict } from "#domain/core/errors/error.ts";
import type { Tile, TileHead } from "#domain/content/tile.ts";
import { checkRetry, patchHead, replaceText } from "#domain/content/tile-rules.ts";
import type { TilePatch, TileStore } from "#domain/content/tile-store.ts";
import { checkVersion, isEmpty } from "../checks/changes.ts";
import { zoneIsDeleted } from "../checks/errors.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import type { BoardKey, Driver } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { exists, find, type Params, type Unit } from "../unit.ts";
import { insertTileEvent } from "../events/record.ts";
import { touchBoard } from "../content/board-revisions.ts";
import { dropFile } from "../content/files.ts";
import { fillHashes } from "../maintenance/fill-hashes.ts";
import { dropJobs, putJobs } from "../queue/job-rows.ts";
import { createTile, createTiles } from "./create-tiles.ts";
import type { TileAdapter } from "./tile-adapter.ts";
import { createTileChanges } from "./tile-changes.ts";
import { HEAD_COLUMNS, SEGMENT_COLUMNS, TILE_COLUMNS, toSegments, toTile, toTileHead } from "./rows/tile-columns.ts";
import { softDeleteTiles, restoreTiles } from "./tile-lifecycle.ts";
import { createTileListing } from "./tile-listing.ts";
import { findExisting } from "./rows/find-existing.ts";
import { findByExternalId, readTile, readTileHead, requireZone, writeTile } from "./rows/tile-rows.ts";
import { createTileSchedule } from "./tile-schedule.ts";

const ON_LIVE_BOARD = `FROM tile t
  JOIN board b ON b.business_id = t.business_id AND b.id = t.board_id AND b.deleted_at IS NULL
  WHERE t.business_id = @businessId AND t.id = @tileId`;
const SELECT_LIVE = `SELECT ${TILE_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`;
const SELECT_HEAD = `SELECT ${HEAD_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`;
const SELECT_SEGMENTS = `SELECT ${SEGMENT_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at IS NULL`;
const SELECT_DELETED_HEAD = `SELECT ${HEAD_COLUMNS} ${ON_LIVE_BOARD} AND t.deleted_at > @deletedAfter`;

export function createTileStore(driver: Driver, adapter: TileAdapter, notifier: Notifier): TileStore {
  const { read, write, writeTogether } = driver;

  const findHead = (sql: string, params: Params): Promise<TileHead | null> => read(() => find(sql, params, toTileHead));

  return {
    ...createTileListing(driver),
    ...createTileChanges(driver, adapter, notifier),
    ...createTileSchedule(driver),

    find: (businessId, tileId) => read(() => find(SELECT_LIVE, { businessId, tileId }, toTile)),
    findHead: (businessId, tileId) => findHead(SELECT_HEAD, { businessId, tileId }),
    findSegments: async (businessId, tileId) => (await read(() => find(SELECT_SEGMENTS, { businessId, tileId }, toSegments))) ?? [],
    findDeletedHead: (businessId, tileId, deletedAfter) => findHead(SELECT_DELETED_HEAD, { businessId, tileId, deletedAfter }),
    findExistingHead: ({ target }, tile) => read(() => findExisting(target, tile)),
    fillHashes: (limit) => write(() => fillHashes(driver.dialect, limit)),

    async create({ target }, tile, now, idempotency) {
      const outcome = await createIdempotently(driver, {
        idempotency,
        now,
        create: () => createTile(adapter, target, tile, now),
        write: (unit) => writeTogether(target.id, unit),
      });
      notifier.notifyWorkers(tile.job === null ? "text" : "jobs");
      return outcome;
    },

    async createMany(items, now, idempotency) {
      const [first] = items;
      const isAlone = items.length === 1 && first !== undefined;
      const outcome = await createIdempotently(driver, {
        idempotency,
        now,
        create: () => createTiles(adapter, items, now),
        ...(isAlone ? { write: (unit) => writeTogether(first.scope.target.id, unit) } : {}),
      });
      notifier.notifyWorkers(items.some(({ tile }) => tile.job !== null) ? "jobs" : "text");
      return outcome;
    },

    update: ({ target }, tileId, patch, now, ifVersion) => write(() => updateTile(adapter, target, tileId, patch, now, ifVersion)),

    remove: ({ target }, tileId, now, ifVersion) =>
      write(function* () {
        yield* touchBoard(target.businessId, target.id);
        checkVersion(ifVersion, (yield* readTileHead(target, tileId)).version);
        yield* softDeleteTiles(adapter, target, [tileId], now);
      }),

    async restore({ target }, tileId, job, now) {
      const tile = await write(() => restoreTile(adapter, target, tileId, job, now));
      notifier.notifyWorkers("jobs");
      return tile;
    },

    async retry({ target }, tileId, job, now, replacesText = false) {
      const tile = await write(() => retryTile(adapter, target, tileId, job, now, replacesText));
      notifier.notifyWorkers("jobs");
      return tile;
    },
  };
}

function* updateTile(
  adapter: TileAdapter,
  board: BoardKey,
  tileId: string,
  patch: TilePatch,
  now: number,
  ifVersion: number | undefined,
): Unit<Tile> {
  if (!isEmpty(patch)) yield* touchBoard(board.businessId, board.id);
  const head = yield* readTileHead(board, tileId);
  checkVersion(ifVersion, head.version);
  if (isEmpty(patch)) return yield* readTile(board, tileId);
  if (patch.zoneId !== undefined) yield* requireZone(board, patch.zoneId);
  if (typeof patch.externalId === "string") yield* requireFreeExternalId(board, tileId, patch.externalId);
  const next = patchHead(head, patch);
  if (patch.content === undefined) yield* writeTile(adapter, head, next, now);
  else {
    const tile = yield* readTile(board, tileId);
    yield* writeTile(adapter, tile, replaceText(patchHead(tile, patch), patch.content), now);
    yield* dropJobs(adapter.dialect, board.businessId, [tileId]);
    // The page of a link that waited is not read any more.
    if (tile.status === "processing" && tile.file === null) yield* dropFile(board.businessId, tileId);
  }
  yield* insertTileEvent("tile.updated", next, now);
  return yield* readTile(board, tileId);
}

/** Throws 409 if another tile of the board has the id. The board must be locked. */
function* requireFreeExternalId(board: BoardKey, tileId: string, externalId: string): Unit<void> {
  const holder = yield* findByExternalId(board, externalId);
  if (holder !== null && holder.id !== tileId)
    throw conflict(`Another tile of this board has this external_id: ${holder.id}. Change or delete that tile first.`, "external_id_taken");
}

function* restoreTile(adapter: TileAdapter, board: BoardKey, tileId: string, job: NewJob, now: number): Unit<Tile> {
  const { businessId } = board;
  yield* touchBoard(businessId, board.id);
  const isZoneDeleted = yield* exists(
    `SELECT 1 FROM tile t JOIN zone z ON z.business_id = t.business_id AND z.id = t.zone_id AND z.deleted_at IS NOT NULL
     WHERE t.business_id = @businessId AND t.id = @tileId`,
    { businessId, tileId },
  );
  if (isZoneDeleted) throw zoneIsDeleted();
  yield* restoreTiles(adapter, board, [tileId], () => job, now);
  return yield* readTile(board, tileId);
}

function* retryTile(adapter: TileAdapter, board: BoardKey, tileId: string, job: NewJob, now: number, replacesText: boolean): Unit<Tile> {
  yield* touchBoard(board.businessId, board.id);
  const head = yield* readTileHead(board, tileId);
  checkRetry(head, replacesText);
  yield* writeTile(adapter, head, { ...head, status: "processing", error: null }, now);
  yield* putJobs(adapter.dialect, board, [{ tileId, job }], now);
  return yield* readTile(board, tileId);
}
