import { type ZoneField, notFound, zoneNotOnBoard } from "#domain/core/errors/error.ts";
import { PARTLY_INDEXED, type Tile, type TileHead } from "#domain/content/tile.ts";
import { listLabels } from "#domain/labels/labels.ts";
import { buildTile, isReindexed, nextRefresh } from "#domain/content/tile-rules.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import { storeTilePayload } from "#domain/events/event.ts";
import type { BoardKey } from "../../driver.ts";
import { putPage } from "../../content/files.ts";
import { insertJobs } from "../../queue/job-rows.ts";
import { removeFromIndex } from "../../search/remove-tiles.ts";
import { boardChanged, exists, get, run, type SqlValue, type Unit } from "../../unit.ts";
import type { TileAdapter } from "../tile-adapter.ts";
import {
  CHANGEABLE_COLUMNS,
  CHANGEABLE_HEAD_COLUMNS,
  HEAD_COLUMNS,
  STAMP_REVISION,
  TILE_COLUMNS,
  changeableColumns,
  changedColumns,
  toTile,
  toTileHead,
} from "./tile-columns.ts";
import type { TileRow } from "./tile-fields.ts";
import { changeLabels } from "./tile-labels.ts";

// Statements are constants, since the prepared statement is looked up by its text: building these took 3 µs of a change.
const ON_BOARD = "FROM tile t WHERE t.business_id = @businessId AND t.board_id = @boardId AND t.deleted_at IS NULL";
const SELECT_BY_ID = `SELECT ${TILE_COLUMNS} ${ON_BOARD} AND t.id = @tileId`;
const SELECT_HEAD_BY_ID = `SELECT ${HEAD_COLUMNS} ${ON_BOARD} AND t.id = @tileId`;
const SELECT_BY_EXTERNAL_ID = `SELECT ${HEAD_COLUMNS} ${ON_BOARD} AND t.external_id = @externalId`;
const HAS_TEXT = `SELECT 1 ${ON_BOARD} AND t.id = @tileId AND coalesce(t.raw_content, t.extracted_text) = @text`;

/** Changes these columns of a tile. */
function createUpdate(columns: readonly string[]): string {
  const assignments = columns.map((name) => `${name} = @${name}`).join(", ");
  return `UPDATE tile SET ${assignments}, version = version + 1, updated_at = @now, ${STAMP_REVISION},
      refresh_at = CASE WHEN refresh_minutes IS NOT DISTINCT FROM @refresh_minutes THEN refresh_at ELSE @refreshAt END
    WHERE business_id = @businessId AND id = @tileId`;
}
const UPDATE_FIELDS = createUpdate(CHANGEABLE_COLUMNS);
const UPDATE_HEAD = createUpdate(CHANGEABLE_HEAD_COLUMNS);

/** Reads a tile of the board. Throws 404 if there is none, or it is deleted. */
export function* readTile({ businessId, id: boardId }: BoardKey, tileId: string): Unit<Tile> {
  const row = yield* get<TileRow>(SELECT_BY_ID, { businessId, tileId, boardId });
  if (row === undefined) throw notFound("Tile");
  return toTile(row);
}

/** As `readTile`, without the texts. */
export function* readTileHead({ businessId, id: boardId }: BoardKey, tileId: string): Unit<TileHead> {
  const row = yield* get<TileRow>(SELECT_HEAD_BY_ID, { businessId, tileId, boardId });
  if (row === undefined) throw notFound("Tile");
  return toTileHead(row);
}

/** Returns the live tile with this external id without its texts, or null. */
export function* findByExternalId({ businessId, id: boardId }: BoardKey, externalId: string): Unit<TileHead | null> {
  const row = yield* get<TileRow>(SELECT_BY_EXTERNAL_ID, { businessId, boardId, externalId });
  return row === undefined ? null : toTileHead(row);
}

/** Whether a tile was made of this text, which the database compares: the text of the tile is not read. */
export const isMadeOf = ({ businessId, id: boardId }: BoardKey, tileId: string, text: string): Unit<boolean> =>
  exists(HAS_TEXT, { businessId, boardId, tileId, text });

/** Throws 400 if the zone belongs to another board or is deleted. Lock the board first: that keeps the zone from being deleted. */
export function* requireZone({ businessId, id: boardId }: BoardKey, zoneId: string | null, field: ZoneField = "zone_id"): Unit<void> {
  if (zoneId === null) return;
  const found = yield* exists(
    "SELECT 1 FROM zone WHERE business_id = @businessId AND id = @zoneId AND board_id = @boardId AND deleted_at IS NULL",
    { businessId, zoneId, boardId },
  );
  if (!found) throw zoneNotOnBoard(field);
}

/** Inserts a new tile and its job, if it has one; see `insertJobs`. */
export function* insertTile(adapter: TileAdapter, board: BoardKey, tile: NewTile, now: number): Unit<Tile> {
  yield* requireZone(board, tile.zoneId);
  yield* boardChanged(board.id);
  const created = buildTile(board, tile, 0, now);
  const columns = {
    ...changeableColumns(created),
    business_id: board.businessId,
    id: tile.id,
    board_id: board.id,
    is_indexed: created.status !== "ready",
    created_at: now,
    updated_at: now,
    payload: storeTilePayload(created),
  };
  const sequence = yield* adapter.insertWithSequence(board, columns, listLabels(created));
  if (sequence === undefined) throw notFound("Board");
  if (tile.html !== undefined) yield* putPage(board.businessId, tile.id, tile.html, now);
  if (tile.job !== null) yield* insertJobs(adapter.dialect, board, [{ tileId: tile.id, job: tile.job }], now);
  return { ...created, sortOrder: sequence, sequence };
}

export type WriteOptions = {
  /** Columns to write that are not fields of a tile. */
  readonly columns?: Readonly<Record<string, SqlValue>>;
  /** False if the tile has no passages in the index, which saves a statement. */
  readonly hasChunks?: boolean;
};

/**
 * Writes a changed tile, which is indexed again if needed. Texts are written if `next` has them and they are not those of `previous`. The
 * board must have been touched in the same unit.
 */
export function* writeTile(
  { dialect }: Pick<TileAdapter, "dialect">,
  previous: Tile | TileHead,
  next: Tile | TileHead,
  now: number,
  options: WriteOptions = {},
): Unit<void> {
  const isReindexing = isReindexed(previous, next);
  const warnings = isReindexing ? next.warnings.filter(({ code }) => code !== PARTLY_INDEXED) : next.warnings;
  const values = changedColumns(previous, { ...next, warnings });
  const sql = "extracted_text" in values ? UPDATE_FIELDS : UPDATE_HEAD;
  const columns: Record<string, SqlValue> = { ...options.columns };
  if (isReindexing) columns["is_indexed"] = next.status !== "ready";
  const isPlain = Object.keys(columns).length === 0;
  Object.assign(values, columns);
  const names = isPlain ? [] : Object.keys(values);
  values["refreshAt"] = nextRefresh(next, now);
  values["now"] = now;
  values["businessId"] = next.businessId;
  values["tileId"] = next.id;
  yield* run(isPlain ? sql : createUpdate(names), values);
  yield* changeLabels(dialect, [{ previous, next }]);
  if (isReindexing && options.hasChunks !== false) yield* removeFromIndex(dialect, next.businessId, [next.id]);
}
