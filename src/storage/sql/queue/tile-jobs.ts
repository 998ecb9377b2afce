import type { ClaimedJob } from "#domain/content/job.ts";
import type { Tile, TileError, TileType } from "#domain/content/tile.ts";
import { endWithoutText } from "./ingestion.ts";
import { isOfTile } from "../search/board-index.ts";
import { touchBoard } from "../content/board-revisions.ts";
import { TILE_COLUMNS, toTile } from "../tiles/rows/tile-columns.ts";
import type { TileRow } from "../tiles/rows/tile-fields.ts";
import { writeTile } from "../tiles/rows/tile-rows.ts";
import { type Dialect, readForChange } from "../driver.ts";
import { recordTileEvent } from "../webhooks/events.ts";
import type { Unit } from "../unit.ts";
import { LeaseLostError } from "./job-rows.ts";

/** The columns of a tile that its job needs. */
export type SourceRow = {
  readonly source_url: string | null;
  readonly file_name: string | null;
  readonly file_type: string | null;
  readonly type: string;
  readonly has_page: boolean | number;
};

/** Whether the page of the tile `t`, a link, is stored. */
export const HAS_PAGE = `(t.file_name IS NULL AND EXISTS (
  SELECT 1 FROM file_part f WHERE f.business_id = t.business_id AND f.tile_id = t.id))`;

export const toSource = ({
  source_url,
  file_name,
  file_type,
  type,
  has_page,
}: SourceRow): Pick<ClaimedJob, "url" | "file" | "type" | "hasPage"> => ({
  url: source_url,
  file: file_name === null ? null : { name: file_name, mediaType: file_type ?? "" },
  type: type as TileType,
  hasPage: Boolean(has_page),
});

/** The tile of a job, locked until the unit of work is committed. */
export type LockedTile = {
  readonly tile: Tile;
  /** Whether `tile.ready` was recorded before. */
  readonly readyEventSent: boolean;
  /** Whether the tile had a text before this job. */
  readonly wasReady: boolean;
  readonly hasChunks: boolean;
};

/** Locks the board and then the tile of a leased job, as every unit does. Throws `LeaseLostError` when the lease is lost. */
export function* lockTile(dialect: Dialect, { id, businessId, boardId, tileId, lease }: ClaimedJob): Unit<LockedTile> {
  yield* touchBoard(businessId, boardId);
  const row = yield* readForChange<TileRow & { readonly is_announced: boolean | number; readonly has_chunks: boolean | number }>(
    dialect,
    `SELECT ${TILE_COLUMNS}, t.is_announced,
       EXISTS (SELECT 1 FROM chunk c WHERE ${isOfTile(dialect)}) AS has_chunks
     FROM tile t WHERE t.business_id = @businessId AND t.id = @tileId
       AND EXISTS (SELECT 1 FROM job j WHERE j.business_id = t.business_id AND j.id = @jobId AND j.lease = @lease)`,
    { businessId, tileId, jobId: id, lease },
  );
  if (row === undefined) throw new LeaseLostError();
  const tile = toTile(row);
  const readyEventSent = Boolean(row.is_announced);
  return { tile, readyEventSent, wasReady: readyEventSent || tile.textOverridden, hasChunks: Boolean(row.has_chunks) };
}

/** Ends the ingestion of a tile without text: the tile fails, or stays ready with its previous text. */
export function* failTile(dialect: Dialect, { tile, wasReady, hasChunks }: LockedTile, error: TileError, now: number): Unit<void> {
  if (tile.status !== "processing") return;
  const end = endWithoutText({ wasReady, hasText: tile.extractedText !== "", warnings: tile.warnings }, error);
  yield* writeTile({ dialect }, tile, { ...tile, error: null, ...end }, now, { hasChunks });
  if (end.status === "failed") yield* recordTileEvent(dialect, "tile.failed", tile, now);
}
