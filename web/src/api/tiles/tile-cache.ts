import type { QueryClient } from "@tanstack/react-query";
import type { Tile, TileChanges, TileSummary } from "@tessera-board/sdk";
import { tileKey, tilesKey } from "../query-keys.ts";

export type ListedTile = TileSummary;

/** How far the tiles of a zone are loaded, in manual order. */
export type LoadedPart = {
  /** Continues the listing; null if all tiles are loaded. */
  readonly cursor: string | null;
  /** The last tile that is loaded; null if the zone is empty. */
  readonly last: Pick<ListedTile, "sortOrder" | "createdAt"> | null;
};

/** The loaded parts by zone, where null stands for tiles outside zones. Null if every tile of the board is loaded. */
export type LoadedParts = ReadonlyMap<string | null, LoadedPart> | null;

/** The server state that a list of rows includes, and the parts of the board that it covers. It may have rows beyond these parts. */
export type SyncState = {
  /** Null if all rows must be fetched. */
  readonly syncToken: string | null;
  readonly loaded: LoadedParts;
};

const NOTHING_LOADED: SyncState = { syncToken: null, loaded: new Map() };

const syncStates = new WeakMap<readonly ListedTile[], SyncState>();

export const getSyncState = (rows: readonly ListedTile[] | undefined): SyncState =>
  (rows === undefined ? undefined : syncStates.get(rows)) ?? NOTHING_LOADED;

/** Returns a new list with the same rows and another state. */
export function withSyncState(rows: readonly ListedTile[], state: SyncState): readonly ListedTile[] {
  const next = [...rows];
  syncStates.set(next, state);
  return next;
}

/** The rows after applying changes from the server. */
export function applyChanges(rows: readonly ListedTile[] | undefined, changes: TileChanges): readonly ListedTile[] {
  const { loaded } = getSyncState(rows);
  const next = changes.complete || rows === undefined ? reuseUnchangedRows(rows ?? [], changes.tiles) : mergeChanges(rows, changes);
  syncStates.set(next, { syncToken: changes.syncToken, loaded: changes.complete ? null : loaded });
  return next;
}

/** Whether changes alter the number of tiles of a zone, or of failed tiles. */
export function isCountChanged(rows: readonly ListedTile[] | undefined, { tiles, deleted }: TileChanges): boolean {
  if (deleted.length > 0) return true;
  const rowsById = new Map(rows?.map((row) => [row.id, row]));
  return tiles.some((tile) => {
    const row = rowsById.get(tile.id);
    return row?.zoneId !== tile.zoneId || (row.status === "failed") !== (tile.status === "failed");
  });
}

/**
 * Applies the server's rows whatever their `updatedAt` says. The token advances past them, so a row that was skipped because the server's
 * clock had been set back would stay outdated.
 */
function mergeChanges(rows: readonly ListedTile[], { tiles, deleted }: TileChanges): readonly ListedTile[] {
  const deletedIds = new Set(deleted);
  const remaining = rows.some(({ id }) => deletedIds.has(id)) ? rows.filter(({ id }) => !deletedIds.has(id)) : rows;
  return replaceRows(remaining, tiles, isUnchanged);
}

/** Converts a tile to a row of a listing without text. */
function toRow(tile: TileSummary): ListedTile {
  const {
    id,
    zoneId,
    type,
    title,
    status,
    sourceUrl,
    error,
    sortOrder,
    externalId,
    tags,
    createdAt,
    updatedAt,
    metadata,
    connectedToChat = null,
  } = tile;
  // Omitted when empty, as in the listing.
  const warnings = tile.warnings !== undefined && tile.warnings.length > 0 ? { warnings: tile.warnings } : {};
  const overridden = tile.textOverridden === true ? { textOverridden: true } : {};
  const row = { id, zoneId, type, title, status, sourceUrl, error, sortOrder, externalId, tags, createdAt, updatedAt };
  return metadata === undefined ? row : { ...row, metadata, connectedToChat, ...warnings, ...overridden };
}

/** Replaces rows with newer versions of their tiles and adds tiles without a row. Skips rows for which `isCurrent` returns true. */
function replaceRows(
  rows: readonly ListedTile[],
  changed: readonly TileSummary[],
  isCurrent: (row: ListedTile, tile: TileSummary) => boolean,
): readonly ListedTile[] {
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  let isChanged = false;
  for (const tile of changed) {
    const row = rowsById.get(tile.id);
    if (row !== undefined && isCurrent(row, tile)) continue;
    isChanged = true;
    rowsById.set(tile.id, toRow(tile));
  }
  return isChanged ? [...rowsById.values()] : rows;
}

/** The rows of a fresh listing. Unchanged rows keep their object identity, so that their cards do not render again. */
export function reuseUnchangedRows(before: readonly ListedTile[], fresh: readonly ListedTile[]): readonly ListedTile[] {
  const rowsById = new Map(before.map((row) => [row.id, row]));
  const rows = fresh.map((tile) => {
    const row = rowsById.get(tile.id);
    return row !== undefined && isUnchanged(row, tile) ? row : tile;
  });
  return rows.length === before.length && rows.every((row, index) => row === before[index]) ? before : rows;
}

const isUnchanged = (row: ListedTile, tile: TileSummary): boolean =>
  row.updatedAt === tile.updatedAt &&
  row.zoneId === tile.zoneId &&
  row.sortOrder === tile.sortOrder &&
  row.status === tile.status &&
  row.title === tile.title;

/** Updates the cached rows; they keep their sync state. */
export function updateCachedTiles(
  client: QueryClient,
  boardId: string,
  change: (rows: readonly ListedTile[]) => readonly ListedTile[],
): void {
  client.setQueryData<readonly ListedTile[]>(tilesKey(boardId), (rows) => {
    const next = rows && change(rows);
    if (next !== undefined && next !== rows) syncStates.set(next, getSyncState(rows));
    return next;
  });
}

/**
 * Restores the rows from before a failed mutation, with their sync state, and reads what changed since: the mutation may have been applied
 * in part.
 */
export function rollBackTiles(client: QueryClient, boardId: string, before: readonly ListedTile[] | undefined): Promise<void> {
  if (before !== undefined) client.setQueryData<readonly ListedTile[]>(tilesKey(boardId), before);
  return client.invalidateQueries({ queryKey: tilesKey(boardId) });
}

/** Stores the tile that a mutation returned. */
export function cacheTile(client: QueryClient, tile: Tile & { readonly etag?: string | null }): void {
  // Responses to two requests may arrive out of order.
  updateCachedTiles(client, tile.boardId, (rows) =>
    replaceRows(rows, [tile], (row) => row.updatedAt > tile.updatedAt || isUnchanged(row, tile)),
  );
  // Only a response with an ETag can be edited.
  if (typeof tile.etag === "string") client.setQueryData(tileKey(tile.id), (before: object | undefined) => before && tile);
  void client.invalidateQueries({ queryKey: tileKey(tile.id) });
}
