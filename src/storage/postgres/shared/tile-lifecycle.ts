import type { NewJob } from "#domain/job.ts";
import type { Transaction } from "../engine/database.ts";
import { removeFromIndex } from "../search/index.ts";
import type { TileJobs } from "./tile-jobs.ts";

/** Hides one tile: out of the listing, the index and the queue. `withId` names what it went with. */
export async function hideTile(
  tx: Transaction,
  jobs: TileJobs,
  businessId: string,
  tileId: string,
  withId: string,
  now: number,
): Promise<void> {
  await tx.run(
    "UPDATE tile SET deleted_at = $1, deleted_with = $2, is_indexed = TRUE, version = version + 1 WHERE business_id = $3 AND id = $4",
    now,
    withId,
    businessId,
    tileId,
  );
  await removeFromIndex(tx, businessId, tileId);
  await jobs.drop(tx, businessId, tileId);
}

export async function hideTilesOfZone(tx: Transaction, jobs: TileJobs, businessId: string, zoneId: string, now: number): Promise<void> {
  const tiles = await tx.all<{ id: string }>(
    "SELECT id FROM tile WHERE business_id = $1 AND zone_id = $2 AND deleted_at IS NULL ORDER BY id",
    businessId,
    zoneId,
  );
  for (const tile of tiles) await hideTile(tx, jobs, businessId, tile.id, zoneId, now);
}

/** Brings back one hidden tile; its words wait for the index again, and unfinished ingestion starts again. False when it was not hidden. */
export async function showTile(
  tx: Transaction,
  jobs: TileJobs,
  businessId: string,
  tileId: string,
  job: NewJob | null,
  now: number,
): Promise<boolean> {
  const row = await tx.get<{ status: string; board_id: string }>(
    `UPDATE tile SET deleted_at = NULL, deleted_with = NULL, is_indexed = (status <> 'ready'),
     external_id = CASE WHEN EXISTS (SELECT 1 FROM tile o WHERE o.business_id = tile.business_id AND o.board_id = tile.board_id
       AND o.external_id = tile.external_id AND o.deleted_at IS NULL) THEN NULL ELSE external_id END,
     version = version + 1, updated_at = $1 WHERE business_id = $2 AND id = $3 AND deleted_at IS NOT NULL
     RETURNING status, board_id`,
    now,
    businessId,
    tileId,
  );
  if (row === undefined) return false;
  if (row.status === "processing" && job !== null) await jobs.put(tx, businessId, row.board_id, tileId, job);
  return true;
}

/** Brings back the tiles that went with their zone. */
export async function restoreTilesOfZone(
  tx: Transaction,
  jobs: TileJobs,
  businessId: string,
  zoneId: string,
  jobOf: (url: string) => NewJob,
  now: number,
): Promise<void> {
  const tiles = await tx.all<{ id: string; source_url: string | null }>(
    "SELECT id, source_url FROM tile WHERE business_id = $1 AND deleted_with = $2 AND deleted_at IS NOT NULL ORDER BY id",
    businessId,
    zoneId,
  );
  for (const tile of tiles) await showTile(tx, jobs, businessId, tile.id, tile.source_url === null ? null : jobOf(tile.source_url), now);
}
