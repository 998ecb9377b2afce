import { checkBoardAccess } from "#domain/core/access.ts";
import { AppError, isUnavailable, messageOf } from "#domain/core/error.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import type { DueRefresh } from "#domain/content/tile-store.ts";
import type { Deps } from "../deps.ts";
import { retryTile } from "../content/tiles.ts";

type Log = { error(fields: object, message: string): void };

/** How often due links are polled for; they are fetched again at most this late. */
const POLL_INTERVAL_MS = 30_000;
const BATCH_TILES = 50;
/** The delay between attempts while the database is unavailable, and for how long a link is retried. */
const UNAVAILABLE_RETRY_MS = 1_000;
const MAX_UNAVAILABLE_MS = 120_000;

/** Fetches links again on the schedule of their tiles. */
export function startRefreshing(deps: Deps, log: Log, intervalMs = POLL_INTERVAL_MS): Pick<Loop, "stop"> {
  const hasJumped = createJumpDetector(deps.clock);
  let isFirst = true;
  return startLoop({
    intervalMs,
    firstMs: intervalMs,
    async run(signal) {
      // The clock may also have been set while no process ran.
      if (hasJumped() || isFirst) await deps.store.tiles.replanRefreshes(deps.clock.now());
      isFirst = false;
      for (let count = BATCH_TILES; count === BATCH_TILES && !signal.aborted;) {
        const due = await deps.store.tiles.takeDueRefreshes(BATCH_TILES, deps.clock.now());
        for (const one of due) await refreshUnlessStopped(deps, one, signal);
        count = due.length;
      }
    },
    onError: (error) => log.error({ error: messageOf(error) }, "scheduled links could not be fetched again; retrying soon"),
  });
}

/** A refresh that was taken is due again only at its next time, so it is retried while the database is unavailable. */
async function refreshUnlessStopped(deps: Deps, one: DueRefresh, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const options = { delayMs: UNAVAILABLE_RETRY_MS, maxMs: MAX_UNAVAILABLE_MS, signal };
  await retryWhileUnavailable(() => refreshTile(deps, one), options);
}

async function refreshTile(deps: Deps, { businessId, boardId, tileId }: DueRefresh): Promise<void> {
  const tile = await deps.store.tiles.find(businessId, tileId);
  const board = await deps.store.boards.find(businessId, boardId);
  if (tile === null || board === null) return;
  const scope = checkBoardAccess({ kind: "operator", businessId }, boardId, board, "write");
  try {
    await retryTile(deps, scope, tile);
  } catch (error) {
    // A tile that is processing, was overridden by hand or is gone waits for its next time.
    if (!(error instanceof AppError) || isUnavailable(error)) throw error;
  }
}
