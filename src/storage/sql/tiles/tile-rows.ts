import { notFound, zoneElsewhere } from "#domain/core/error.ts";
import type { Tile } from "#domain/content/tile.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import { createdTile, isReindexed, nextRefresh } from "../../shared/changes.ts";
import type { BoardKey } from "../driver.ts";
import { removeFromIndex } from "../search/index.ts";
import { exists, get, run, type SqlValue, type Unit } from "../unit.ts";
import type { TileAdapter } from "./tile-adapter.ts";
import { CHANGEABLE_COLUMNS, STAMP_REVISION, TILE_COLUMNS, type TileRow, changeableColumns, tileOf } from "./tile-columns.ts";

const ASSIGNMENTS = CHANGEABLE_COLUMNS.map((name) => `${name} = @${name}`).join(", ");

/** 404 where the board has no such tile, or it is deleted. */
export function* readTile({ businessId, id: boardId }: BoardKey, tileId: string): Unit<Tile> {
  const row = yield* get<TileRow>(
    `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = @businessId AND t.id = @tileId AND t.board_id = @boardId AND t.deleted_at IS NULL`,
    { businessId, tileId, boardId },
  );
  if (row === undefined) throw notFound("Tile");
  return tileOf(row);
}

export function* findByExternalId({ businessId, id: boardId }: BoardKey, externalId: string): Unit<Tile | null> {
  const row = yield* get<TileRow>(
    `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.external_id = @externalId
     AND t.deleted_at IS NULL`,
    { businessId, boardId, externalId },
  );
  return row === undefined ? null : tileOf(row);
}

/** 400 when the zone is not this board's, or deleted. The board must be locked, so that the zone stays. */
export function* requireZone({ businessId, id: boardId }: BoardKey, zoneId: string | null): Unit<void> {
  if (zoneId === null) return;
  const found = yield* exists(
    "SELECT 1 FROM zone WHERE business_id = @businessId AND id = @zoneId AND board_id = @boardId AND deleted_at IS NULL",
    { businessId, zoneId, boardId },
  );
  if (!found) throw zoneElsewhere();
}

/** Inserts a new tile, with its job where it has one. */
export function* insertTile(adapter: TileAdapter, board: BoardKey, tile: NewTile, now: number): Unit<Tile> {
  yield* requireZone(board, tile.zoneId);
  yield* adapter.dialect.boardChanged(board.id);
  const created = createdTile(board, tile, 0, now);
  const job = tile.job === null ? null : adapter.prepareJob(board, tile.id, tile.job, now);
  const sequence = yield* adapter.insertWithSequence(board, {
    ...changeableColumns(created),
    business_id: board.businessId,
    id: tile.id,
    board_id: board.id,
    external_id: tile.externalId,
    [adapter.dialect.tile.indexed]: created.status !== "ready",
    created_at: now,
    updated_at: now,
    ...(job?.columns ?? adapter.closedJob),
  });
  if (sequence === undefined) throw notFound("Board");
  if (job !== null) yield* job.insert();
  return { ...created, sortOrder: sequence, sequence };
}

/** What is written beside a change of a tile. */
export type WriteOptions = {
  /** Columns that are no fields of a tile. */
  readonly columns?: Readonly<Record<string, SqlValue>>;
  /** False where the tile is known to have nothing in the index, which saves a statement. */
  readonly hasChunks?: boolean;
};

/** Writes a changed tile of a board that was touched before; its words are indexed anew where title, text or readiness changed. */
export function* writeTile(
  { dialect }: Pick<TileAdapter, "dialect">,
  previous: Tile,
  next: Tile,
  now: number,
  options: WriteOptions = {},
): Unit<void> {
  const columns = changeableColumns(next);
  const others: Record<string, SqlValue> = { ...options.columns };
  const isReindexing = isReindexed(previous, next);
  if (isReindexing) others[dialect.tile.indexed] = next.status !== "ready";
  const otherAssignments = Object.keys(others).map((name) => `, ${name} = @${name}`);
  yield* run(
    `UPDATE tile SET ${ASSIGNMENTS}${otherAssignments.join("")},
       refresh_at = CASE WHEN refresh_minutes IS NOT DISTINCT FROM @refresh_minutes THEN refresh_at ELSE @refreshAt END,
       version = version + 1, updated_at = @now, ${STAMP_REVISION} WHERE business_id = @businessId AND id = @tileId`,
    { ...columns, ...others, refreshAt: nextRefresh(next, now), now, businessId: next.businessId, tileId: next.id },
  );
  if (isReindexing && options.hasChunks !== false) yield* removeFromIndex(dialect, next.businessId, [next.id]);
}
