import type { NewJob } from "#domain/content/job.ts";
import type { BoardKey } from "../driver.ts";
import { removeFromIndex } from "../search/index.ts";
import { all, run, type Unit } from "../unit.ts";
import type { TileAdapter } from "./tile-adapter.ts";
import { STAMP_REVISION } from "./tile-columns.ts";

type JobOf = (url: string | null) => NewJob;
type ShownRow = { id: string; status: string; source_url: string | null };

/** Hides tiles: out of listings, the index and the queue. `zoneId` is given where they went with their zone. The board must be touched before. */
export function* hideTiles(
  adapter: TileAdapter,
  { businessId }: BoardKey,
  ids: readonly string[],
  now: number,
  zoneId: string | null = null,
): Unit<void> {
  // Tiles before their index and jobs, the order of all units: the indexer locks a tile and then the index, without the board.
  yield* adapter.dialect.lockRows("tile", businessId, ids);
  yield* removeFromIndex(adapter.dialect, businessId, ids);
  yield* adapter.dropJobs(businessId, ids);
  yield* run(
    `UPDATE tile SET deleted_at = @now, deleted_with = ${zoneId === null ? "id" : "@zoneId"}, ${adapter.dialect.tile.indexed} = TRUE,
     version = version + 1, ${STAMP_REVISION} WHERE business_id = @businessId AND ${adapter.dialect.isAnyOf("id", "ids")}`,
    { now, zoneId, businessId, ids },
  );
}

export function* hideTilesOfZone(adapter: TileAdapter, board: BoardKey, zoneId: string, now: number): Unit<void> {
  const tiles = yield* all<{ id: string }>(
    `SELECT id FROM tile WHERE business_id = @businessId AND zone_id = @zoneId AND deleted_at IS NULL ORDER BY id${adapter.dialect.forUpdate}`,
    { businessId: board.businessId, zoneId },
  );
  if (tiles.length > 0)
    yield* hideTiles(
      adapter,
      board,
      tiles.map(({ id }) => id),
      now,
      zoneId,
    );
}

/**
 * Brings hidden tiles back; their words are indexed anew, and unfinished ingestion starts again. An external id that was given to another
 * tile meanwhile stays with that one; of several that come back, the tile that was created first keeps it. The board must be touched before.
 */
export function* showTiles(adapter: TileAdapter, board: BoardKey, ids: readonly string[], jobOf: JobOf, now: number): Unit<void> {
  const { businessId } = board;
  const { isAnyOf } = adapter.dialect;
  // Two conditions, since only the first one alone can be answered from the index of external ids.
  const rivals = `SELECT 1 FROM tile o WHERE o.business_id = tile.business_id AND o.board_id = tile.board_id
    AND o.external_id = tile.external_id`;
  const rows = yield* all<ShownRow>(
    `UPDATE tile SET deleted_at = NULL, deleted_with = NULL, ${adapter.dialect.tile.indexed} = (status <> 'ready'),
     external_id = CASE WHEN tile.external_id IS NOT NULL AND (EXISTS (${rivals} AND o.deleted_at IS NULL)
       OR EXISTS (${rivals} AND ${isAnyOf("o.id", "ids")} AND o.sequence < tile.sequence)) THEN NULL ELSE external_id END,
     version = version + 1, updated_at = @now, ${STAMP_REVISION}
     WHERE business_id = @businessId AND ${isAnyOf("id", "ids")} AND deleted_at IS NOT NULL RETURNING id, status, source_url`,
    { now, businessId, ids },
  );
  const unfinished = rows.filter(({ status }) => status === "processing");
  if (unfinished.length === 0) return;
  yield* adapter.putJobs(
    board,
    unfinished.map(({ id, source_url: url }) => ({ tileId: id, job: jobOf(url) })),
    now,
  );
}

/** Brings back the tiles that were hidden with their zone. */
export function* showTilesOfZone(adapter: TileAdapter, board: BoardKey, zoneId: string, jobOf: JobOf, now: number): Unit<void> {
  const tiles = yield* all<{ id: string }>(
    "SELECT id FROM tile WHERE business_id = @businessId AND deleted_with = @zoneId AND deleted_at IS NOT NULL ORDER BY id",
    { businessId: board.businessId, zoneId },
  );
  if (tiles.length > 0)
    yield* showTiles(
      adapter,
      board,
      tiles.map(({ id }) => id),
      jobOf,
      now,
    );
}
