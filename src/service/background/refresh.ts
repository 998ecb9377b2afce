import { checkBoardAccess } from "#domain/core/access.ts";
import { AppError, isUnavailable, getErrorMessage } from "#domain/core/errors/error.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import type { DueRefresh } from "#domain/content/tile-store.ts";
import type { ContentDeps, Deps } from "../deps.ts";
import { retryTile } from "../content/tiles.ts";

/** How often to poll for links that are due, which is also the longest delay of a refresh. */
const POLL_INTERVAL_MS = 30_000;
const BATCH_TILES = 50;
/** The delay between attempts while the database is unavailable, and the total time of these attempts. */
const UNAVAILABLE_RETRY_MS = 1_000;
const MAX_UNAVAILABLE_MS = 120_000;

/** Fetches links again on the schedule of their tiles. */
export function startRefreshing(
  deps: ContentDeps & Pick<Deps, "log"> & { readonly mayRun?: () => boolean },
  intervalMs = POLL_INTERVAL_MS,
): Pick<Loop, "stop"> {
  const hasJumped = createJumpDetector(deps.clock);
  let isFirst = true;
  return startLoop({
    intervalMs,
    firstMs: intervalMs,
    mayRun: deps.mayRun,
    async run(signal) {
      // The clock may also have been set while no process ran.
      if (hasJumped() || isFirst) await deps.store.tiles.replanRefreshes(deps.clock.now());
      isFirst = false;
      for (let count = BATCH_TILES; count === BATCH_TILES && !signal.aborted;) {
        const due = await deps.store.tiles.takeDueRefreshes(BATCH_TILES, deps.clock.now());
        for (const refresh of due) await refreshUnlessStopped(deps, refresh, signal);
        count = due.length;
      }
    },
    onError: (error) => deps.log.error({ error: getErrorMessage(error) }, "scheduled links could not be fetched again; retrying soon"),
  });
}

/** Retries while the database is unavailable, since a refresh taken from the store is due again only at its next scheduled time. */
async function refreshUnlessStopped(deps: ContentDeps, refresh: DueRefresh, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const options = { delayMs: UNAVAILABLE_RETRY_MS, maxMs: MAX_UNAVAILABLE_MS, signal };
  await retryWhileUnavailable(() => refreshTile(deps, refresh), options);
}

async function refreshTile(deps: ContentDeps, { businessId, boardId, tileId }: DueRefresh): Promise<void> {
  const tile = await deps.store.tiles.findHead(businessId, tileId);
  const board = await deps.store.boards.find(businessId, boardId);
  if (tile === null || board === null) return;
  const scope = checkBoardAccess({ kind: "operator", businessId }, boardId, board, "write");
  try {
    await retryTile(deps, scope, tile);
  } catch (error) {
    // Skip a tile that is processing, overridden or deleted until its next scheduled time.
    if (!(error instanceof AppError) || isUnavailable(error)) throw error;
  }
}
