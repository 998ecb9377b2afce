import type { Waker } from "#domain/content/job.ts";
import { notFound } from "#domain/core/error.ts";
import type { Zone, ZoneStore } from "#domain/content/zone.ts";
import { checkVersion, isEmpty } from "../../shared/changes.ts";
import { ZONE_COLUMNS, type ZoneRow, zoneOf } from "../../shared/rows/rows.ts";
import { touchZones } from "./boards.ts";
import type { Connection } from "../engine/database.ts";
import { createOnce } from "../shared/once.ts";
import { hideTilesOfZone, restoreTilesOfZone } from "../shared/tile-lifecycle.ts";

const ON_LIVE_BOARD =
  "JOIN board b ON b.business_id = z.business_id AND b.id = z.board_id AND b.deleted_at IS NULL WHERE z.business_id = ? AND z.id = ?";

export function createZoneStore(db: Connection, wakers: ReadonlySet<Waker>): ZoneStore {
  function readZone(businessId: string, boardId: string, zoneId: string, deleted: boolean): Zone {
    const row = db.get<ZoneRow>(
      `SELECT ${ZONE_COLUMNS} FROM zone z WHERE z.business_id = ? AND z.id = ? AND z.board_id = ? AND z.deleted_at IS ${deleted ? "NOT " : ""}NULL`,
      businessId,
      zoneId,
      boardId,
    );
    if (row === undefined) throw notFound("Zone");
    return zoneOf(row);
  }

  function requireBoard(businessId: string, boardId: string): void {
    if (touchZones(db, businessId, boardId) === 0) throw notFound("Board");
  }

  return {
    async list({ target }, after, limit) {
      return db
        .all<ZoneRow>(
          `SELECT ${ZONE_COLUMNS} FROM zone z WHERE z.business_id = ? AND z.board_id = ? AND z.deleted_at IS NULL
           AND (z.sort_order, z.id) > (?, ?) ORDER BY z.sort_order, z.id LIMIT ?`,
          target.businessId,
          target.id,
          after?.sortOrder ?? Number.MIN_SAFE_INTEGER,
          after?.id ?? "",
          limit ?? -1,
        )
        .map(zoneOf);
    },

    async find(businessId, zoneId) {
      const row = db.get<ZoneRow>(`SELECT ${ZONE_COLUMNS} FROM zone z ${ON_LIVE_BOARD} AND z.deleted_at IS NULL`, businessId, zoneId);
      return row === undefined ? null : zoneOf(row);
    },

    async findDeleted(businessId, zoneId, deletedAfter) {
      const row = db.get<ZoneRow>(
        `SELECT ${ZONE_COLUMNS} FROM zone z ${ON_LIVE_BOARD} AND z.deleted_at > ?`,
        businessId,
        zoneId,
        deletedAfter,
      );
      return row === undefined ? null : zoneOf(row);
    },

    create: ({ target }, zone, now, once) =>
      db.write(() =>
        createOnce(db, once, now, () => {
          requireBoard(target.businessId, target.id);
          const last = db.get<{ last: number | null }>(
            "SELECT max(sort_order) AS last FROM zone WHERE business_id = ? AND board_id = ? AND deleted_at IS NULL",
            target.businessId,
            target.id,
          );
          db.run(
            `INSERT INTO zone (business_id, id, board_id, name, sort_order, connected_to_chat, color, emoji, size, created_at, updated_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            target.businessId,
            zone.id,
            target.id,
            zone.name,
            zone.sortOrder ?? Math.max(-1, last?.last ?? -1) + 1,
            zone.connectedToChat ? 1 : 0,
            zone.color,
            zone.emoji,
            zone.size,
            now,
            now,
          );
          return readZone(target.businessId, target.id, zone.id, false);
        }),
      ),

    update: ({ target }, zoneId, patch, now, ifVersion) =>
      db.write(() => {
        const zone = readZone(target.businessId, target.id, zoneId, false);
        checkVersion(ifVersion, zone.version);
        if (isEmpty(patch)) return zone;
        const next = { ...zone, ...patch };
        db.run(
          `UPDATE zone SET name = ?, sort_order = ?, connected_to_chat = ?, color = ?, emoji = ?, size = ?, version = version + 1, updated_at = ?
           WHERE business_id = ? AND id = ?`,
          next.name,
          next.sortOrder,
          next.connectedToChat ? 1 : 0,
          next.color,
          next.emoji,
          next.size,
          now,
          target.businessId,
          zoneId,
        );
        touchZones(db, target.businessId, target.id);
        return readZone(target.businessId, target.id, zoneId, false);
      }),

    remove: ({ target }, zoneId, now, ifVersion) =>
      db.write(() => {
        checkVersion(ifVersion, readZone(target.businessId, target.id, zoneId, false).version);
        db.run("UPDATE zone SET deleted_at = ?, version = version + 1 WHERE business_id = ? AND id = ?", now, target.businessId, zoneId);
        touchZones(db, target.businessId, target.id);
        hideTilesOfZone(db, target.businessId, zoneId, now);
      }),

    async restore({ target }, zoneId, jobOf, now) {
      const zone = await db.write(() => {
        readZone(target.businessId, target.id, zoneId, true);
        db.run(
          "UPDATE zone SET deleted_at = NULL, version = version + 1, updated_at = ? WHERE business_id = ? AND id = ?",
          now,
          target.businessId,
          zoneId,
        );
        touchZones(db, target.businessId, target.id);
        restoreTilesOfZone(db, target.businessId, zoneId, jobOf, now);
        return readZone(target.businessId, target.id, zoneId, false);
      });
      for (const waker of wakers) waker("jobs");
      return zone;
    },
  };
}
