import { notFound, zoneElsewhere } from "#domain/core/error.ts";
import type { Tile } from "#domain/content/tile.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import { createdTile, isReindexed, nextRefresh } from "../../shared/changes.ts";
import { STAMP_REVISION, TILE_COLUMNS, type TileRow, jsonOrNull, segmentsColumn, tileOf } from "../../shared/rows/tile-rows.ts";
import { exists, get, run, type SqlValue, type Unit } from "../unit.ts";
import type { BoardId, TileEngine } from "./tile-engine.ts";

/** The columns that a change of a tile may write. A field of tiles has its column here, and in `shared/rows/tile-rows.ts` for reading. */
const changeableColumns = (tile: Tile): Record<string, SqlValue> => ({
  zone_id: tile.zoneId,
  type: tile.type,
  status: tile.status,
  title: tile.title,
  title_by_hand: tile.titleOverridden,
  text_by_hand: tile.textOverridden,
  source_url: tile.sourceUrl,
  sort_order: tile.sortOrder,
  error: tile.error === null ? null : JSON.stringify(tile.error),
  metadata: jsonOrNull(tile.metadata),
  warnings: jsonOrNull(tile.warnings),
  // Text is stored once where both are the same.
  raw_content: tile.rawContent === tile.extractedText ? null : tile.rawContent,
  extracted_text: tile.extractedText,
  segments: segmentsColumn(tile.segments),
  earlier_text: tile.earlier?.text ?? null,
  earlier_until: tile.earlier?.until ?? null,
  refresh_minutes: tile.refreshMinutes,
  file_name: tile.file?.name ?? null,
  file_type: tile.file?.mediaType ?? null,
  connected_to_chat: tile.connectedToChat,
});

/** 404 where the board has no such tile, or it is deleted. */
export function* readTile({ businessId, id: boardId }: BoardId, tileId: string): Unit<Tile> {
  const row = yield* get<TileRow>(
    `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = @businessId AND t.id = @tileId AND t.board_id = @boardId AND t.deleted_at IS NULL`,
    { businessId, tileId, boardId },
  );
  if (row === undefined) throw notFound("Tile");
  return tileOf(row);
}

export function* findByExternalId({ businessId, id: boardId }: BoardId, externalId: string): Unit<Tile | null> {
  const row = yield* get<TileRow>(
    `SELECT ${TILE_COLUMNS} FROM tile t WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.external_id = @externalId
     AND t.deleted_at IS NULL`,
    { businessId, boardId, externalId },
  );
  return row === undefined ? null : tileOf(row);
}

/** 400 when the zone is not this board's, or deleted. The board must be locked, so that the zone stays. */
export function* requireZone({ businessId, id: boardId }: BoardId, zoneId: string | null): Unit<void> {
  if (zoneId === null) return;
  const found = yield* exists(
    "SELECT 1 FROM zone WHERE business_id = @businessId AND id = @zoneId AND board_id = @boardId AND deleted_at IS NULL",
    { businessId, zoneId, boardId },
  );
  if (!found) throw zoneElsewhere();
}

/** Inserts a new tile, with its job where it has one. */
export function* insertTile(engine: TileEngine, board: BoardId, tile: NewTile, now: number): Unit<Tile> {
  yield* requireZone(board, tile.zoneId);
  yield* engine.dialect.boardChanged(board.id);
  const created = createdTile(board, tile, 0, now);
  const job = tile.job === null ? null : engine.prepareJob(board, tile.id, tile.job, now);
  const { sort_order: _sequence, ...columns } = changeableColumns(created);
  const sequence = yield* engine.insertWithSequence(board, {
    business_id: board.businessId,
    id: tile.id,
    board_id: board.id,
    external_id: tile.externalId,
    [engine.indexedColumn]: created.status !== "ready",
    created_at: now,
    updated_at: now,
    ...columns,
    ...job?.columns,
  });
  if (sequence === undefined) throw notFound("Board");
  if (job !== null) yield* job.insert();
  return { ...created, sortOrder: sequence, sequence };
}

/** Writes a changed tile of a board that was touched before; its words are indexed anew where title, text or readiness changed. */
export function* writeTile(engine: TileEngine, previous: Tile, next: Tile, now: number): Unit<void> {
  const columns = changeableColumns(next);
  const isReindexing = isReindexed(previous, next);
  if (isReindexing) columns[engine.indexedColumn] = next.status !== "ready";
  const assignments = Object.keys(columns).map((name) => `${name} = @${name}`);
  yield* run(
    `UPDATE tile SET ${assignments.join(", ")},
       refresh_at = CASE WHEN refresh_minutes IS NOT DISTINCT FROM @refresh_minutes THEN refresh_at ELSE @refreshAt END,
       version = version + 1, updated_at = @now, ${STAMP_REVISION} WHERE business_id = @businessId AND id = @tileId`,
    { ...columns, refreshAt: nextRefresh(next, now), now, businessId: next.businessId, tileId: next.id },
  );
  if (isReindexing) yield* engine.removeFromIndex(next.businessId, [next.id]);
}
