import type { LostExternalId, StepLimit } from "#domain/content/changes.ts";
import type { NewJob } from "#domain/content/job.ts";
import { type BoardKey, lockRows } from "../driver.ts";
import { dropJobs, putJobs } from "../queue/job-rows.ts";
import { removeFromIndex } from "../search/remove-tiles.ts";
import { Mapping, plain } from "../mapping.ts";
import type { Unit } from "../unit.ts";
import { EVENT_FIELDS, EVENT_TILES, type EventRow, insertTileEvents } from "../events/record.ts";
import { forgetDeletions, recordDeletions } from "./deletions.ts";
import type { TileAdapter } from "./tile-adapter.ts";
import { STAMP_REVISION, TEXT_BYTES } from "./rows/tile-columns.ts";
import { limitStep } from "./tile-steps.ts";

type NewJobFor = (url: string | null) => NewJob;
const RESTORED_TILES = new Mapping<EventRow & { readonly status: string }>({ ...EVENT_FIELDS, status: plain }, "tile");
const EXTERNAL_IDS = new Mapping<LostExternalId>({ tileId: { column: "id" }, externalId: plain });
/** A tile with the length of its texts. */
const STEP_FIELDS = { id: plain, bytes: { expression: TEXT_BYTES } };
const STEP_TILES = new Mapping<{ readonly id: string; readonly bytes: number }>(STEP_FIELDS, "t");
const DELETED_TILES = new Mapping<{ readonly id: string; readonly bytes: number; readonly deletedAt: number }>(
  { ...STEP_FIELDS, deletedAt: plain },
  "t",
);

/** Deletes tiles so that they can be restored. `zoneId` is set if they are deleted with their zone. The board must be touched before. */
export function* softDeleteTiles(
  adapter: TileAdapter,
  board: BoardKey,
  ids: readonly string[],
  now: number,
  zoneId: string | null = null,
): Unit<void> {
  const { businessId } = board;
  // Units lock tiles before index and jobs, since the indexer locks a tile and then the index, without the board.
  yield* lockRows(adapter.dialect, "tile", businessId, ids);
  yield* removeFromIndex(adapter.dialect, businessId, ids);
  yield* dropJobs(adapter.dialect, businessId, ids);
  const tiles = yield* EVENT_TILES.change(
    `UPDATE tile SET deleted_at = @now, deleted_with = ${zoneId === null ? "id" : "@zoneId"}, is_indexed = TRUE,
     version = version + 1, ${STAMP_REVISION} WHERE business_id = @businessId AND ${adapter.dialect.isAnyOf("id", "ids")}`,
    { now, zoneId, businessId, ids },
  );
  yield* recordDeletions(adapter.dialect, board, tiles, now);
  yield* insertTileEvents(adapter.dialect, "tile.deleted", board, tiles, now);
}

/** Deletes the first tiles of a zone. Returns whether tiles are left. The board must be touched before. */
export function* softDeleteTilesOfZone(
  adapter: TileAdapter,
  board: BoardKey,
  zoneId: string,
  now: number,
  limit: StepLimit,
): Unit<boolean> {
  const found = yield* STEP_TILES.list(
    `tile t WHERE t.business_id = @businessId AND t.zone_id = @zoneId AND t.deleted_at IS NULL
     ORDER BY t.sequence LIMIT @rows`,
    { businessId: board.businessId, zoneId, rows: limit.tiles + 1 },
  );
  const tiles = limitStep(found, limit);
  if (tiles.length > 0) {
    const ids = tiles.map(({ id }) => id);
    yield* softDeleteTiles(adapter, board, ids, now, zoneId);
  }
  return tiles.length < found.length;
}

/**
 * Restores deleted tiles, indexes them again, and restarts unfinished ingestion. A tile loses its external id if another tile has it by
 * now. Of several restored tiles with the same id, the first one created keeps it. The board must be touched before. Returns the lost ids.
 */
export function* restoreTiles(
  adapter: TileAdapter,
  board: BoardKey,
  ids: readonly string[],
  newJob: NewJobFor,
  now: number,
): Unit<readonly LostExternalId[]> {
  const { businessId } = board;
  const { isAnyOf } = adapter.dialect;
  // The two conditions are separate because only the first one can use the index of external ids.
  const sameExternalId = `SELECT 1 FROM tile o WHERE o.business_id = tile.business_id AND o.board_id = tile.board_id
    AND o.external_id = tile.external_id`;
  const previous = yield* EXTERNAL_IDS.list(
    `tile WHERE business_id = @businessId AND ${isAnyOf("id", "ids")} AND deleted_at IS NOT NULL AND external_id IS NOT NULL`,
    { businessId, ids },
  );
  const rows = yield* RESTORED_TILES.change(
    `UPDATE tile SET deleted_at = NULL, deleted_with = NULL, is_indexed = (status <> 'ready'),
     external_id = CASE WHEN tile.external_id IS NOT NULL AND (EXISTS (${sameExternalId} AND o.deleted_at IS NULL)
       OR EXISTS (${sameExternalId} AND ${isAnyOf("o.id", "ids")} AND o.sequence < tile.sequence)) THEN NULL ELSE external_id END,
     version = version + 1, updated_at = @now, ${STAMP_REVISION}
     WHERE business_id = @businessId AND ${isAnyOf("id", "ids")} AND deleted_at IS NOT NULL`,
    { now, businessId, ids },
  );
  yield* forgetDeletions(adapter.dialect, board, rows);
  yield* insertTileEvents(adapter.dialect, "tile.created", board, rows, now);
  const unfinished = rows.filter(({ status }) => status === "processing");
  const jobs = unfinished.map(({ id, sourceUrl: url }) => ({ tileId: id, job: newJob(url) }));
  if (jobs.length > 0) yield* putJobs(adapter.dialect, board, jobs, now);
  const keepers = new Set(rows.filter(({ externalId }) => externalId !== null).map(({ id }) => id));
  return previous.filter(({ tileId }) => !keepers.has(tileId));
}

/**
 * Finds the tiles of one step that were deleted with their zone, at `deletedUntil` or before, from the last one deleted: tiles that are
 * deleted meanwhile are not found again. `next` is where the next step continues; null if no tile is left.
 */
export function* findDeletedWithZone(
  { dialect }: TileAdapter,
  { businessId }: BoardKey,
  zoneId: string,
  deletedUntil: number,
  limit: StepLimit,
): Unit<{ readonly ids: readonly string[]; readonly next: number | null }> {
  const found = yield* DELETED_TILES.list(
    `tile t${dialect.useIndex("tile_deleted_with")}
     WHERE t.business_id = @businessId AND t.deleted_with = @zoneId AND t.deleted_at <= @deletedUntil AND t.deleted_at IS NOT NULL
     ORDER BY t.deleted_at DESC LIMIT @rows`,
    { businessId, zoneId, deletedUntil, rows: limit.tiles + 1 },
  );
  const tiles = limitStep(found, limit);
  return { ids: tiles.map(({ id }) => id), next: tiles.length < found.length ? (tiles.at(-1)?.deletedAt ?? null) : null };
}
