import type { NewJob } from "#domain/content/job.ts";
import type { Transaction } from "../engine/database.ts";
import { STAMP_REVISION } from "../../shared/rows/tile-rows.ts";
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
    `UPDATE tile SET deleted_at = $1, deleted_with = $2, is_indexed = TRUE, version = version + 1, ${STAMP_REVISION}
     WHERE business_id = $3 AND id = $4`,
    now,
    withId,
    businessId,
    tileId,
  );
  await removeFromIndex(tx, businessId, [tileId]);
  await jobs.drop(tx, businessId, tileId);
}

/** Hides several tiles, each for itself, all in as many statements as one. */
export async function hideTiles(tx: Transaction, jobs: TileJobs, businessId: string, ids: readonly string[], now: number): Promise<void> {
  const running = await tx.all<{ job_id: string }>(
    "SELECT job_id FROM tile WHERE business_id = $1 AND id = ANY($2) AND job_id IS NOT NULL ORDER BY id FOR UPDATE",
    businessId,
    ids,
  );
  await tx.run(
    `UPDATE tile SET deleted_at = $1, deleted_with = id, is_indexed = TRUE, job_id = NULL, version = version + 1, ${STAMP_REVISION}
     WHERE business_id = $2 AND id = ANY($3)`,
    now,
    businessId,
    ids,
  );
  await removeFromIndex(tx, businessId, ids);
  await jobs.end(
    tx,
    running.map(({ job_id }) => job_id),
  );
}

/** Hides the tiles of a zone, all in as many statements as one. */
export async function hideTilesOfZone(tx: Transaction, jobs: TileJobs, businessId: string, zoneId: string, now: number): Promise<void> {
  const tiles = await tx.all<{ id: string; job_id: string | null }>(
    "SELECT id, job_id FROM tile WHERE business_id = $1 AND zone_id = $2 AND deleted_at IS NULL ORDER BY id FOR UPDATE",
    businessId,
    zoneId,
  );
  const ids = tiles.map(({ id }) => id);
  await tx.run(
    `UPDATE tile SET deleted_at = $1, deleted_with = $2, is_indexed = TRUE, job_id = NULL, version = version + 1,
     ${STAMP_REVISION} WHERE business_id = $3 AND id = ANY($4)`,
    now,
    zoneId,
    businessId,
    ids,
  );
  await removeFromIndex(tx, businessId, ids);
  await jobs.end(
    tx,
    tiles.flatMap((tile) => tile.job_id ?? []),
  );
}

/** What a hidden tile is when it comes back: its words wait for the index again, and an external id that was given anew stays with the other. */
const shown = (rival = "o.deleted_at IS NULL"): string => `deleted_at = NULL, deleted_with = NULL, is_indexed = (status <> 'ready'),
  external_id = CASE WHEN EXISTS (SELECT 1 FROM tile o WHERE o.business_id = tile.business_id AND o.board_id = tile.board_id
    AND o.external_id = tile.external_id AND (${rival})) THEN NULL ELSE external_id END,
  version = version + 1, ${STAMP_REVISION}`;

/** Of several with one external id that come back in one statement, the one that was created first keeps it. */
const RESTORED_TOGETHER = "o.deleted_at IS NULL OR (o.id = ANY($3) AND o.sequence < tile.sequence)";

type ShownRow = { id: string; status: string; board_id: string; source_url: string | null };

/** Brings back one hidden tile; unfinished ingestion starts again. False when it was not hidden. */
export async function showTile(
  tx: Transaction,
  jobs: TileJobs,
  businessId: string,
  tileId: string,
  job: NewJob | null,
  now: number,
): Promise<boolean> {
  const row = await tx.get<ShownRow>(
    `UPDATE tile SET ${shown()}, updated_at = $1 WHERE business_id = $2 AND id = $3 AND deleted_at IS NOT NULL
     RETURNING id, status, board_id, source_url`,
    now,
    businessId,
    tileId,
  );
  if (row === undefined) return false;
  if (row.status === "processing" && job !== null) await jobs.put(tx, businessId, row.board_id, tileId, job);
  return true;
}

/** Brings back several hidden tiles, all in as many statements as one; unfinished ingestion starts again. */
export async function showTiles(
  tx: Transaction,
  jobs: TileJobs,
  businessId: string,
  ids: readonly string[],
  jobOf: (url: string | null) => NewJob,
  now: number,
): Promise<void> {
  const rows = await tx.all<ShownRow>(
    `UPDATE tile SET ${shown(RESTORED_TOGETHER)}, updated_at = $1 WHERE business_id = $2 AND id = ANY($3) AND deleted_at IS NOT NULL
     RETURNING id, status, board_id, source_url`,
    now,
    businessId,
    ids,
  );
  await beginUnfinished(tx, jobs, businessId, rows, jobOf);
}

/** Brings back the tiles that went with their zone, all in as many statements as one. */
export async function restoreTilesOfZone(
  tx: Transaction,
  jobs: TileJobs,
  businessId: string,
  zoneId: string,
  jobOf: (url: string | null) => NewJob,
  now: number,
): Promise<void> {
  const rows = await tx.all<ShownRow>(
    `UPDATE tile SET ${shown()}, updated_at = $1 WHERE business_id = $2 AND deleted_with = $3 AND deleted_at IS NOT NULL
     RETURNING id, status, board_id, source_url`,
    now,
    businessId,
    zoneId,
  );
  await beginUnfinished(tx, jobs, businessId, rows, jobOf);
}

async function beginUnfinished(
  tx: Transaction,
  jobs: TileJobs,
  businessId: string,
  rows: readonly ShownRow[],
  jobOf: (url: string | null) => NewJob,
): Promise<void> {
  const unfinished = rows.flatMap((row) =>
    row.status === "processing" ? [{ tileId: row.id, boardId: row.board_id, job: jobOf(row.source_url) }] : [],
  );
  await jobs.begin(tx, businessId, unfinished);
}
