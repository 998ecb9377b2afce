import type { ClaimedJob } from "#domain/content/job.ts";
import type { Tile, TileError } from "#domain/content/tile.ts";
import { endWithoutText } from "../../shared/changes.ts";
import { touchBoard } from "../content/board-revisions.ts";
import type { TileAdapter } from "../tiles/tile-adapter.ts";
import { TILE_COLUMNS, type TileRow, tileOf } from "../tiles/tile-columns.ts";
import { writeTile } from "../tiles/tile-rows.ts";
import { type Dialect, readForChange } from "../driver.ts";
import { recordTileEvent } from "../events.ts";
import type { Unit } from "../unit.ts";

/** Undoes a unit of work without a trace: the job does not belong to its holder any more. */
export class LeaseLostError extends Error {}

/** A job whose tile is written; `lease` is empty where the job is ended without its holder. */
export type JobOfTile = Pick<ClaimedJob, "id" | "businessId" | "boardId" | "tileId"> & { readonly lease: string };

/** A tile that a job works on, locked for the unit of work. */
export type LockedTile = {
  readonly tile: Tile;
  /** Whether `tile.ready` was recorded before. */
  readonly readyEventSent: boolean;
  /** Whether the tile had a text before this job. */
  readonly wasReady: boolean;
  readonly hasChunks: boolean;
};

/**
 * Locks in the order of every writer: board, tile, then the job. Null where `condition` does not hold, which says of the tile `t` that
 * `@jobId` under `@lease` is its job.
 */
export function* lockTile(
  dialect: Dialect,
  condition: string,
  { id, businessId, boardId, tileId, lease }: JobOfTile,
): Unit<LockedTile | null> {
  yield* touchBoard(dialect, businessId, boardId);
  const row = yield* readForChange<TileRow>(
    dialect,
    `SELECT ${TILE_COLUMNS}, t.${dialect.tile.announced} AS announced,
       EXISTS (SELECT 1 FROM chunk c WHERE ${dialect.index.isOfTile}) AS has_chunks
     FROM tile t WHERE t.business_id = @businessId AND t.id = @tileId AND ${condition}`,
    { businessId, tileId, jobId: id, lease },
  );
  if (row === undefined) return null;
  const tile = tileOf(row);
  const readyEventSent = Boolean(row["announced"]);
  return { tile, readyEventSent, wasReady: readyEventSent || tile.textOverridden, hasChunks: Boolean(row["has_chunks"]) };
}

/** Ends the work on a tile without text: it is failed, or ready with its earlier text. */
export function* failTile(
  dialect: Dialect,
  { tile, wasReady, hasChunks }: LockedTile,
  error: TileError,
  closedJob: TileAdapter["closedJob"],
  now: number,
): Unit<void> {
  if (tile.status !== "processing") return;
  const end = endWithoutText({ wasReady, hasText: tile.extractedText !== "", warnings: tile.warnings }, error);
  yield* writeTile({ dialect }, tile, { ...tile, error: null, ...end }, now, { columns: closedJob, hasChunks });
  if (end.status === "failed") yield* recordTileEvent(dialect, "tile.failed", tile, now);
}
