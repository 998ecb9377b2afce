import type { NewJob } from "#domain/content/job.ts";
import type { Connection } from "../engine/database.ts";
import { STAMP_REVISION } from "../../shared/rows/tile-rows.ts";
import { removeFromIndex } from "../search/index.ts";

/** Writes a tile's job; an earlier one is replaced. */
export function putJob(db: Connection, businessId: string, boardId: string, tileId: string, job: NewJob, now: number): void {
  dropJob(db, businessId, tileId);
  db.run(
    "INSERT INTO job (business_id, id, board_id, tile_id, host, run_at, max_attempts, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    businessId,
    job.id,
    boardId,
    tileId,
    job.host,
    now,
    job.maxAttempts,
    now,
  );
}

export function dropJob(db: Connection, businessId: string, tileId: string): void {
  db.run("DELETE FROM job WHERE business_id = ? AND tile_id = ?", businessId, tileId);
}

/** Hides one tile: out of the listing, the index and the queue. `withId` names what it went with. The board is touched before. */
export function hideTile(db: Connection, businessId: string, tileId: string, withId: string, now: number): void {
  dropJob(db, businessId, tileId);
  removeFromIndex(db, tileId);
  db.run(
    `UPDATE tile SET deleted_at = ?, deleted_with = ?, indexed = 1, version = version + 1, ${STAMP_REVISION} WHERE business_id = ? AND id = ?`,
    now,
    withId,
    businessId,
    tileId,
  );
}

export function hideTilesOfZone(db: Connection, businessId: string, zoneId: string, now: number): void {
  const tiles = db.all<{ id: string }>(
    "SELECT id FROM tile WHERE business_id = ? AND zone_id = ? AND deleted_at IS NULL",
    businessId,
    zoneId,
  );
  for (const tile of tiles) hideTile(db, businessId, tile.id, zoneId, now);
}

/** Brings back one hidden tile; its words wait for the index again, and unfinished ingestion starts again. False when it was not hidden. The board is touched before. */
export function showTile(db: Connection, businessId: string, tileId: string, job: NewJob | null, now: number): boolean {
  const changed = db.run(
    `UPDATE tile SET deleted_at = NULL, deleted_with = NULL, indexed = CASE status WHEN 'ready' THEN 0 ELSE 1 END,
     external_id = CASE WHEN EXISTS (SELECT 1 FROM tile o WHERE o.business_id = tile.business_id AND o.board_id = tile.board_id
       AND o.external_id = tile.external_id AND o.deleted_at IS NULL) THEN NULL ELSE external_id END,
     version = version + 1, updated_at = ?, ${STAMP_REVISION} WHERE business_id = ? AND id = ? AND deleted_at IS NOT NULL`,
    now,
    businessId,
    tileId,
  );
  if (changed === 0) return false;
  const row = db.get<{ status: string; board_id: string }>(
    "SELECT status, board_id FROM tile WHERE business_id = ? AND id = ?",
    businessId,
    tileId,
  );
  if (row?.status === "processing" && job !== null) putJob(db, businessId, row.board_id, tileId, job, now);
  return true;
}

/** Brings back the tiles that went with their zone. */
export function restoreTilesOfZone(
  db: Connection,
  businessId: string,
  zoneId: string,
  jobOf: (url: string | null) => NewJob,
  now: number,
): void {
  const tiles = db.all<{ id: string; status: string; source_url: string | null }>(
    "SELECT id, status, source_url FROM tile WHERE business_id = ? AND deleted_with = ? AND deleted_at IS NOT NULL",
    businessId,
    zoneId,
  );
  for (const tile of tiles) showTile(db, businessId, tile.id, tile.status === "processing" ? jobOf(tile.source_url) : null, now);
}
