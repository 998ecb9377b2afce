import type { LostExternalId } from "#domain/content/changes.ts";
import type { Actor } from "#domain/core/access.ts";
import { type ZoneField, notFound, zoneNotOnBoard } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import type { Tile, TileHead, TileSummary } from "#domain/content/tile.ts";
import type { NewTile, TileCreation, TilePage, TilePatch, TileCursor, TileQuery } from "#domain/content/tile-store.ts";
import type { BoardContributor, BoardReader, BoardWriter } from "../access.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { ContentDeps, Deps, StoreDeps, WorkDeps } from "../deps.ts";
import { createSteps, runStepInTurn, toOwner } from "../work-queue.ts";
import { newJob } from "./links.ts";
import { runBySize } from "./long-tiles.ts";

/** Rows, and approximate bytes of text, read at once while a listing is streamed. */
const STEP_ROWS = 500;
const STEP_BYTES = 262_144;

/** Creates a tile, or updates or returns an existing one. The caller lets a long text wait for its turn. */
export const createTile = (
  { store, clock }: StoreDeps,
  scope: BoardContributor,
  tile: NewTile,
  idempotency?: IdempotencyRecord<TileCreation>,
): Promise<IdempotentOutcome<TileCreation>> => store.tiles.create(scope, tile, clock.now(), idempotency);

/** The tile that a creation updates or returns; null if it makes a new one. */
export const findExisting = async ({ store }: StoreDeps, scope: BoardContributor, tile: NewTile): Promise<TileHead | null> =>
  tile.externalId === null && tile.onDuplicate === undefined ? null : store.tiles.findExistingHead(scope, tile);

/** Throws 400 when the zone does not belong to the board. `field` named it. */
export async function requireZoneOn({ store }: StoreDeps, scope: BoardReader, zoneId: string, field: ZoneField = "zone_id"): Promise<void> {
  const zone = await store.zones.find(scope.target.businessId, zoneId);
  if (zone === null || zone.boardId !== scope.target.id) throw zoneNotOnBoard(field);
}

/** Reads up to `rows` tiles of a listing, and fewer if their texts are long. The caller lets it wait for its turn. */
export const readTileStep = (
  { store }: StoreDeps,
  scope: BoardReader,
  query: TileQuery,
  after: TileCursor | null,
  rows = STEP_ROWS,
): Promise<TilePage> => store.tiles.list(scope, query, after, rows, STEP_BYTES);

/**
 * Returns one page of a listing. The store may end a step early when texts are large, so several steps can be needed. Throws 429 when too
 * much work of the caller is waiting. An abort ends the wait.
 */
export async function pageTiles(
  deps: WorkDeps,
  scope: BoardReader,
  query: TileQuery,
  after: TileCursor | null,
  limit: number,
  signal: AbortSignal,
): Promise<TilePage> {
  const runStep = createSteps(deps, scope.actor, signal, true);
  const read = (from: TileCursor | null, max: number): Promise<TilePage> =>
    runStep(() => deps.store.tiles.list(scope, query, from, max, STEP_BYTES));
  const first = await read(after, limit);
  if (first.next === null || first.tiles.length === limit) return first;
  const tiles = [...first.tiles];
  let next: TileCursor | null = first.next;
  while (next !== null && tiles.length < limit) {
    const step = await read(next, limit - tiles.length);
    tiles.push(...step.tiles);
    ({ next } = step);
  }
  return { tiles, next };
}

/** Yields a whole listing in batches of bounded size, each when it is its turn. Never yields an empty batch. */
export async function* streamTiles(deps: WorkDeps, scope: BoardReader, query: TileQuery): AsyncGenerator<readonly TileSummary[]> {
  for (let cursor: TileCursor | null | undefined; cursor !== null;) {
    const from: TileCursor | null = cursor ?? null;
    const read = (): Promise<TilePage> => deps.store.tiles.list(scope, query, from, STEP_ROWS, STEP_BYTES);
    const { tiles, next }: TilePage = await runStepInTurn(deps, scope.actor, read);
    if (tiles.length > 0) yield tiles;
    cursor = next;
  }
}

/** Reads a tile with its texts. Throws 404 if it was deleted meanwhile. */
export async function readTile({ store }: StoreDeps, { businessId, id }: TileHead): Promise<Tile> {
  const tile = await store.tiles.find(businessId, id);
  if (tile === null) throw notFound("Tile");
  return tile;
}

export const updateTile = (
  { store, clock }: StoreDeps,
  scope: BoardWriter,
  tile: TileHead,
  patch: TilePatch,
  ifVersion?: number,
): Promise<Tile> => store.tiles.update(scope, tile.id, patch, clock.now(), ifVersion);

/** Deletes a tile; a long one, whose text is written again with the time of its deletion, when it is the caller's turn. */
export const deleteTile = (deps: WorkDeps, scope: BoardWriter, tile: TileHead, ifVersion?: number): Promise<void> =>
  runBySize(deps, scope.actor, tile, () => deps.store.tiles.remove(scope, tile.id, deps.clock.now(), ifVersion));

/** A restored tile, and the external id that it lost. */
export type RestoredTile = { readonly tile: Tile; readonly lostExternalIds: readonly LostExternalId[] };

/** Restores a deleted tile. Returns a tile that is not deleted unchanged. */
export async function restoreTile(deps: ContentDeps, scope: BoardWriter, tile: TileHead): Promise<RestoredTile> {
  const { store, clock } = deps;
  const { id, businessId, externalId, sourceUrl } = tile;
  const live = await store.tiles.find(businessId, id);
  if (live !== null) return { tile: live, lostExternalIds: [] };
  const restored = await store.tiles.restore(scope, id, newJob(deps, sourceUrl), clock.now());
  const isLost = externalId !== null && restored.externalId === null;
  return { tile: restored, lostExternalIds: isLost ? [{ tileId: id, externalId }] : [] };
}

/** Restarts ingestion. The store refuses text tiles, tiles still processing, and overridden text unless `replacesText` is true. */
export function retryTile(deps: ContentDeps, scope: BoardWriter, tile: TileHead, replacesText = false): Promise<Tile> {
  const job = newJob(deps, tile.sourceUrl);
  return deps.store.tiles.retry(scope, tile.id, job, deps.clock.now(), replacesText);
}

/** How often a waiting read polls, in case a change notification was lost. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Waits until a tile is no longer processing, for at most `seconds` or until `signal` is aborted. Returns null for a deleted tile. Throws
 * 429 while too many calls of the caller wait.
 */
export async function waitForTile(
  deps: StoreDeps & Pick<Deps, "waitQueue">,
  actor: Actor,
  tile: TileHead,
  seconds: number,
  signal: AbortSignal,
): Promise<TileHead | null> {
  if (tile.status !== "processing") return tile;
  return deps.waitQueue.run(() => watchTile(deps, tile, seconds, signal), { owner: toOwner(actor) });
}

async function watchTile({ store }: StoreDeps, tile: TileHead, seconds: number, signal: AbortSignal): Promise<TileHead | null> {
  const until = performance.now() + seconds * 1_000;
  let current: TileHead | null = tile;
  let changed = Promise.withResolvers<void>();
  const unsubscribe = store.changes.watch(tile.businessId, tile.boardId, () => changed.resolve());
  try {
    while (current?.status === "processing" && performance.now() < until && !signal.aborted) {
      changed = Promise.withResolvers();
      current = await store.tiles.findHead(tile.businessId, tile.id);
      if (current?.status !== "processing") break;
      await waitAtMost(Math.min(POLL_INTERVAL_MS, until - performance.now()), changed.promise, signal);
    }
    return current;
  } finally {
    unsubscribe();
  }
}
