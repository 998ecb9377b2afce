import { notFound } from "#domain/core/error.ts";
import type { Zone, ZoneStore } from "#domain/content/zone.ts";
import { checkVersion, isEmpty } from "../../shared/changes.ts";
import { ZONE_COLUMNS, type ZoneRow, zoneOf } from "../../shared/rows/rows.ts";
import { touchZones } from "./boards.ts";
import type { Database, Reader, Transaction } from "../engine/database.ts";
import type { TileJobs } from "../shared/tile-jobs.ts";
import { createOnce } from "../shared/once.ts";
import { hideTilesOfZone, restoreTilesOfZone } from "../shared/tile-lifecycle.ts";

const ON_LIVE_BOARD =
  "JOIN board b ON b.business_id = z.business_id AND b.id = z.board_id AND b.deleted_at IS NULL WHERE z.business_id = $1 AND z.id = $2";

async function readZone(on: Reader, businessId: string, boardId: string, zoneId: string, deleted: boolean): Promise<Zone> {
  const row = await on.get<ZoneRow>(
    `SELECT ${ZONE_COLUMNS} FROM zone z WHERE z.business_id = $1 AND z.id = $2 AND z.board_id = $3 AND z.deleted_at IS ${deleted ? "NOT " : ""}NULL`,
    businessId,
    zoneId,
    boardId,
  );
  if (row === undefined) throw notFound("Zone");
  return zoneOf(row);
}

async function requireBoard(tx: Transaction, businessId: string, boardId: string): Promise<void> {
  if ((await touchZones(tx, businessId, boardId)) === 0) throw notFound("Board");
}

export function createZoneStore(db: Database, jobs: TileJobs): ZoneStore {
  return {
    async list({ target }, after, limit) {
      const rows = await db.all<ZoneRow>(
        `SELECT ${ZONE_COLUMNS} FROM zone z WHERE z.business_id = $1 AND z.board_id = $2 AND z.deleted_at IS NULL
         AND (z.sort_order, z.id) > ($3, $4) ORDER BY z.sort_order, z.id LIMIT $5`,
        target.businessId,
        target.id,
        after?.sortOrder ?? Number.MIN_SAFE_INTEGER,
        after?.id ?? "",
        limit,
      );
      return rows.map(zoneOf);
    },

    async find(businessId, zoneId) {
      const row = await db.get<ZoneRow>(`SELECT ${ZONE_COLUMNS} FROM zone z ${ON_LIVE_BOARD} AND z.deleted_at IS NULL`, businessId, zoneId);
      return row === undefined ? null : zoneOf(row);
    },

    async findDeleted(businessId, zoneId, deletedAfter) {
      const row = await db.get<ZoneRow>(
        `SELECT ${ZONE_COLUMNS} FROM zone z ${ON_LIVE_BOARD} AND z.deleted_at > $3`,
        businessId,
        zoneId,
        deletedAfter,
      );
      return row === undefined ? null : zoneOf(row);
    },

    create: ({ target }, zone, now, once) =>
      db.write((tx) =>
        createOnce(tx, once, now, async () => {
          await requireBoard(tx, target.businessId, target.id);
          const last = await tx.get<{ last: number | null }>(
            "SELECT max(sort_order) AS last FROM zone WHERE business_id = $1 AND board_id = $2 AND deleted_at IS NULL",
            target.businessId,
            target.id,
          );
          await tx.run(
            `INSERT INTO zone (business_id, id, board_id, name, sort_order, connected_to_chat, color, emoji, size, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
            target.businessId,
            zone.id,
            target.id,
            zone.name,
            zone.sortOrder ?? Math.max(-1, last?.last ?? -1) + 1,
            zone.connectedToChat,
            zone.color,
            zone.emoji,
            zone.size,
            now,
          );
          return readZone(tx, target.businessId, target.id, zone.id, false);
        }),
      ),

    update: ({ target }, zoneId, patch, now, ifVersion) =>
      db.write(async (tx) => {
        if (!isEmpty(patch)) await touchZones(tx, target.businessId, target.id);
        const zone = await readZone(tx, target.businessId, target.id, zoneId, false);
        checkVersion(ifVersion, zone.version);
        if (isEmpty(patch)) return zone;
        const next = { ...zone, ...patch };
        await tx.run(
          `UPDATE zone SET name = $1, sort_order = $2, connected_to_chat = $3, color = $4, emoji = $5, size = $6, version = version + 1, updated_at = $7
           WHERE business_id = $8 AND id = $9`,
          next.name,
          next.sortOrder,
          next.connectedToChat,
          next.color,
          next.emoji,
          next.size,
          now,
          target.businessId,
          zoneId,
        );
        return readZone(tx, target.businessId, target.id, zoneId, false);
      }),

    remove: ({ target }, zoneId, now, ifVersion) =>
      db.write(async (tx) => {
        await touchZones(tx, target.businessId, target.id);
        checkVersion(ifVersion, (await readZone(tx, target.businessId, target.id, zoneId, false)).version);
        await tx.run(
          "UPDATE zone SET deleted_at = $1, version = version + 1 WHERE business_id = $2 AND id = $3",
          now,
          target.businessId,
          zoneId,
        );
        await hideTilesOfZone(tx, jobs, target.businessId, zoneId, now);
      }),

    async restore({ target }, zoneId, jobOf, now) {
      const zone = await db.write(async (tx) => {
        await touchZones(tx, target.businessId, target.id);
        await readZone(tx, target.businessId, target.id, zoneId, true);
        await tx.run(
          "UPDATE zone SET deleted_at = NULL, version = version + 1, updated_at = $1 WHERE business_id = $2 AND id = $3",
          now,
          target.businessId,
          zoneId,
        );
        await restoreTilesOfZone(tx, jobs, target.businessId, zoneId, jobOf, now);
        return readZone(tx, target.businessId, target.id, zoneId, false);
      });
      jobs.wake();
      return zone;
    },
  };
}
