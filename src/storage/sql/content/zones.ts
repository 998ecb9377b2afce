import { notFound } from "#domain/core/errors/error.ts";
import { STEP_LIMIT } from "#domain/content/changes.ts";
import type { NewZone, Zone, ZoneStore } from "#domain/content/zone.ts";
import { checkVersion, isEmpty } from "../checks/changes.ts";
import { type BoardKey, type Driver, lockRows } from "../driver.ts";
import type { Notifier } from "../notifier.ts";
import { flag, insert, Mapping, plainFields } from "../mapping.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import { exists, get, run, type Unit } from "../unit.ts";
import { touchZones } from "./board-revisions.ts";
import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { findDeletedWithZone, restoreTiles, softDeleteTilesOfZone } from "../tiles/tile-lifecycle.ts";

const ZONES = new Mapping<Zone>(
  {
    ...plainFields("id", "businessId", "boardId", "name", "sortOrder", "color", "emoji", "size", "version", "createdAt", "updatedAt"),
    connectedToChat: flag,
  },
  "z",
);
const IS_ZONE = "business_id = @businessId AND id = @zoneId";
const ON_LIVE_BOARD = `zone z JOIN board b ON b.business_id = z.business_id AND b.id = z.board_id AND b.deleted_at IS NULL
  WHERE z.business_id = @businessId AND z.id = @zoneId`;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

function* readZone({ businessId, id: boardId }: BoardKey, zoneId: string, isDeleted = false): Unit<Zone> {
  const zone = yield* ZONES.find(
    `zone z WHERE z.business_id = @businessId AND z.id = @zoneId AND z.board_id = @boardId
     AND z.deleted_at IS ${isDeleted ? "NOT " : ""}NULL`,
    { businessId, zoneId, boardId },
  );
  if (zone === null) throw notFound("Zone");
  return zone;
}

const isZoneDeleted = ({ businessId, id: boardId }: BoardKey, zoneId: string): Unit<boolean> =>
  exists(`SELECT 1 FROM zone WHERE ${IS_ZONE} AND board_id = @boardId AND deleted_at IS NOT NULL`, { businessId, zoneId, boardId });

export function createZoneStore(driver: Driver, adapter: TileAdapter, notifier: Notifier): ZoneStore {
  const { dialect, read, write } = driver;
  return {
    list({ target }, after, limit) {
      const from = `zone z WHERE z.business_id = @businessId AND z.board_id = @boardId AND z.deleted_at IS NULL
        AND (z.sort_order, z.id) > (@sortOrder, @id) ORDER BY z.sort_order, z.id LIMIT @limit`;
      const start = { sortOrder: after?.sortOrder ?? Number.MIN_SAFE_INTEGER, id: after?.id ?? "" };
      return read(() => ZONES.list(from, { businessId: target.businessId, boardId: target.id, ...start, limit: limit ?? NO_LIMIT }));
    },

    find: (businessId, zoneId) => read(() => ZONES.find(`${ON_LIVE_BOARD} AND z.deleted_at IS NULL`, { businessId, zoneId })),
    findDeleted: (businessId, zoneId, deletedAfter) =>
      read(() => ZONES.find(`${ON_LIVE_BOARD} AND z.deleted_at > @deletedAfter`, { businessId, zoneId, deletedAfter })),

    create: ({ target }, zone, now, idempotency) =>
      createIdempotently(driver, { idempotency, now, create: () => createZone(target, zone, now) }),

    update: ({ target }, zoneId, patch, now, ifVersion) =>
      write(function* () {
        const { businessId } = target;
        if (!isEmpty(patch)) yield* touchZones(businessId, target.id);
        const zone = yield* readZone(target, zoneId);
        checkVersion(ifVersion, zone.version);
        if (isEmpty(patch)) return zone;
        const { name, sortOrder, connectedToChat, color, emoji, size } = { ...zone, ...patch };
        yield* run(
          `UPDATE zone SET name = @name, sort_order = @sortOrder, connected_to_chat = @connectedToChat, color = @color, emoji = @emoji,
           size = @size, version = version + 1, updated_at = @now WHERE ${IS_ZONE}`,
          { name, sortOrder, connectedToChat, color, emoji, size, now, businessId, zoneId },
        );
        return yield* readZone(target, zoneId);
      }),

    remove: ({ target }, zoneId, now, ifVersion, limit = STEP_LIMIT) =>
      write(function* () {
        const { businessId } = target;
        yield* touchZones(businessId, target.id);
        checkVersion(ifVersion, (yield* readZone(target, zoneId)).version);
        if (yield* softDeleteTilesOfZone(adapter, target, zoneId, now, limit)) return false;
        yield* run(`UPDATE zone SET deleted_at = @now, version = version + 1 WHERE ${IS_ZONE}`, { now, businessId, zoneId });
        return true;
      }),

    async restore({ target }, zoneId, newJob, now, deletedUntil, limit = STEP_LIMIT) {
      const { businessId } = target;
      const step = await write(function* () {
        yield* lockRows(dialect, "board", businessId, [target.id]);
        const isDeleted = deletedUntil === undefined && (yield* isZoneDeleted(target, zoneId));
        const zone = yield* readZone(target, zoneId, isDeleted);
        const { ids, next } = yield* findDeletedWithZone(adapter, target, zoneId, deletedUntil ?? NO_LIMIT, limit);
        if (!isDeleted && ids.length === 0) return { zone, lostExternalIds: [], deletedUntil: null };
        yield* touchZones(businessId, target.id);
        const sql = `UPDATE zone SET deleted_at = NULL, version = version + 1, updated_at = @now WHERE ${IS_ZONE}`;
        if (isDeleted) yield* run(sql, { now, businessId, zoneId });
        const lostExternalIds = ids.length === 0 ? [] : yield* restoreTiles(adapter, target, ids, newJob, now);
        return { zone: yield* readZone(target, zoneId), lostExternalIds, deletedUntil: next };
      });
      notifier.notifyWorkers("jobs");
      return step;
    },
  };
}

function* createZone(target: BoardKey, zone: NewZone, now: number): Unit<Zone> {
  const { businessId, id: boardId } = target;
  if ((yield* touchZones(businessId, boardId)) === 0) throw notFound("Board");
  const last = yield* get<{ last: number | null }>(
    "SELECT max(sort_order) AS last FROM zone WHERE business_id = @businessId AND board_id = @boardId AND deleted_at IS NULL",
    { businessId, boardId },
  );
  const { id, name, connectedToChat, color, emoji, size } = zone;
  const sortOrder = zone.sortOrder ?? Math.max(-1, last?.last ?? -1) + 1;
  const times = { createdAt: now, updatedAt: now };
  yield* insert("zone", { businessId, id, boardId, name, sortOrder, connectedToChat, color, emoji, size, ...times });
  return yield* readZone(target, id);
}
