import { AppError, isUnavailable } from "#domain/core/errors/error.ts";
import type { TileHead } from "#domain/content/tile.ts";
import { upsertTile } from "#domain/content/tile-rules.ts";
import type { BatchTile, NewTile, TileCreation } from "#domain/content/tile-store.ts";
import { type BoardKey, lockRows } from "../driver.ts";
import type { Unit } from "../unit.ts";
import { insertTileEvent } from "../events/record.ts";
import { touchBoard } from "../content/board-revisions.ts";
import { dropFile, moveFile, putPage } from "../content/files.ts";
import { dropJobs, insertJobs, markDueNow } from "../queue/job-rows.ts";
import { wasDeleted } from "./deletions.ts";
import type { TileAdapter } from "./tile-adapter.ts";
import { findExisting } from "./rows/find-existing.ts";
import { isSameAddress } from "./rows/tile-hashes.ts";
import { insertTile, isMadeOf, readTile, readTileHead, requireZone, writeTile } from "./rows/tile-rows.ts";

type Item = { readonly scope: { readonly target: BoardKey }; readonly tile: NewTile };
type Updated = { readonly tile: TileHead; readonly created: false; readonly changed: boolean; readonly duplicate?: true };
type Written = Extract<TileCreation, { created: true } | { tile: null }> | Updated;

/** Creates a tile, or updates or returns an existing one. */
export function* createTile(adapter: TileAdapter, board: BoardKey, tile: NewTile, now: number): Unit<TileCreation> {
  const creation = yield* createOrUpdate(adapter, board, tile, now);
  if (hasNewJob(tile, creation)) yield* markDueNow(adapter.dialect, board.businessId, now);
  if (creation.created || creation.tile === null) return creation;
  return { ...creation, tile: yield* readTile(board, creation.tile.id) };
}

/** As `createTile`, for several tiles. Returns the error of each tile that is refused. */
export function* createTiles(
  adapter: TileAdapter,
  items: readonly Item[],
  now: number,
): Unit<readonly (TileCreation<BatchTile> | Error)[]> {
  const boards = [...new Set(items.map(({ scope }) => scope.target.id))];
  const businessId = items[0]?.scope.target.businessId;
  if (boards.length > 1 && businessId !== undefined) yield* lockRows(adapter.dialect, "board", businessId, boards);
  const results: (TileCreation<BatchTile> | Error)[] = [];
  let hasJobs = false;
  for (const { scope, tile } of items) {
    try {
      const written = yield* createOrUpdate(adapter, scope.target, tile, now);
      hasJobs ||= hasNewJob(tile, written);
      results.push(written);
    } catch (error) {
      // A rejected item has written nothing yet, so the others can be stored. Any other error rolls back the transaction.
      if (!(error instanceof AppError) || isUnavailable(error)) throw error;
      results.push(error);
    }
  }
  if (hasJobs && businessId !== undefined) yield* markDueNow(adapter.dialect, businessId, now);
  return results;
}

const hasNewJob = ({ job }: NewTile, written: Written): boolean =>
  job !== null && (written.created || ("changed" in written && written.changed));

/** An existing tile has its id and head alone. */
function* createOrUpdate(adapter: TileAdapter, board: BoardKey, tile: NewTile, now: number): Unit<Written> {
  if (tile.externalId === null && tile.zoneId === null && tile.skipDeleted !== true && tile.onDuplicate === undefined)
    return { tile: yield* insertTile(adapter, board, tile, now), created: true };
  // Lock the board, so that concurrent creations of one tile don't create two. The lock also keeps the zone from being deleted.
  yield* lockRows(adapter.dialect, "board", board.businessId, [board.id]);
  const previous = yield* findExisting(board, tile);
  if (previous !== null) {
    const updated =
      tile.onDuplicate === "skip" ? yield* keep(board, previous, tile) : yield* overwrite(adapter, board, previous, tile, now);
    return tile.onDuplicate === undefined ? updated : { ...updated, duplicate: true };
  }
  if (tile.skipDeleted === true) {
    yield* requireZone(board, tile.zoneId);
    if (yield* wasDeleted(adapter.dialect, board, tile)) return { tile: null, created: false, deleted: true };
  }
  return { tile: yield* insertTile(adapter, board, tile, now), created: true };
}

/** Leaves an existing tile unchanged, and deletes the bytes of an upload that is not needed. */
function* keep(board: BoardKey, previous: TileHead, tile: NewTile): Unit<Updated> {
  yield* requireZone(board, tile.zoneId);
  if (tile.file !== undefined) yield* dropFile(board.businessId, tile.id);
  return { tile: previous, created: false, changed: false };
}

/** Updates an existing tile by an upsert. Writes nothing, not even `updatedAt`, if nothing changed. */
function* overwrite(adapter: TileAdapter, board: BoardKey, previous: TileHead, tile: NewTile, now: number): Unit<Updated> {
  yield* requireZone(board, tile.zoneId);
  const { businessId } = board;
  const areTexts = tile.type === "TEXT" && previous.type === "TEXT";
  const upsert = upsertTile(previous, tile, {
    isSameText: areTexts && (yield* isMadeOf(board, previous.id, tile.rawContent)),
    isSameAddress: isSameAddress(previous.sourceUrl, tile.sourceUrl),
  });
  // The tile has these bytes already.
  if (tile.file !== undefined && upsert?.source !== "replaced") yield* dropFile(businessId, tile.id);
  if (upsert === null) return { tile: previous, created: false, changed: false };
  yield* touchBoard(businessId, board.id);
  yield* writeTile(adapter, previous, upsert.next, now);
  yield* insertTileEvent("tile.updated", upsert.next, now);
  if (upsert.source === "replaced") {
    // A link that still waits may have its page.
    if (previous.file !== null || previous.status === "processing") yield* dropFile(businessId, previous.id);
    if (tile.file !== undefined) yield* moveFile(businessId, tile.id, previous.id);
  }
  if (upsert.source !== "kept") {
    if (tile.html !== undefined) yield* putPage(businessId, previous.id, tile.html, now);
    yield* dropJobs(adapter.dialect, businessId, [previous.id]);
    if (tile.job !== null) yield* insertJobs(adapter.dialect, board, [{ tileId: previous.id, job: tile.job }], now);
  }
  return { tile: yield* readTileHead(board, previous.id), created: false, changed: true };
}
