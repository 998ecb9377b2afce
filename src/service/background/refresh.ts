import { authorize } from "#domain/core/access.ts";
import { AppError, messageOf } from "#domain/core/error.ts";
import { createJumpDetector } from "#domain/core/system.ts";
import type { DueRefresh } from "#domain/content/tile.ts";
import type { Deps } from "../deps.ts";
import { retryTile } from "../content/tiles.ts";

type Log = { error(fields: object, message: string): void };

/** How often it is looked for links that are due; they are read again at most so much late. */
const POLL_INTERVAL_MS = 30_000;
const BATCH_TILES = 50;
/** How long a store that is away is waited for, and how often it is asked. */
const UNAVAILABLE_RETRY_MS = 1_000;
const MAX_ATTEMPTS = 120;

/** Reads links again on the schedule set on their tiles. */
export function startRefreshing(deps: Deps, log: Log, lookMs = POLL_INTERVAL_MS): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  let isStopped = false;
  const jumped = createJumpDetector(deps.clock);
  let isFirst = true;
  /** Also with the first look: the clock may have been set while nothing ran. */
  const hasJumped = (): boolean => {
    const has = jumped() || isFirst;
    isFirst = false;
    return has;
  };

  async function refreshOne({ businessId, boardId, tileId }: DueRefresh): Promise<void> {
    const tile = await deps.store.tiles.find(businessId, tileId);
    const board = await deps.store.boards.find(businessId, boardId);
    if (tile === null || board === null) return;
    const scope = authorize({ kind: "operator", businessId }, boardId, board, "write");
    try {
      await retryTile(deps, scope, tile);
    } catch (error) {
      // A tile that is processing just now, was replaced by hand or is gone waits for its next time.
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    }
  }

  /** Those that were given out are due again only after their own time, so a store that is away is waited for. */
  async function refreshInTime(one: DueRefresh): Promise<void> {
    for (let tries = 0; !isStopped; tries++) {
      try {
        return await refreshOne(one);
      } catch (error) {
        if (!(error instanceof AppError && error.code === "unavailable") || tries === MAX_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, UNAVAILABLE_RETRY_MS));
      }
    }
  }

  async function look(): Promise<void> {
    try {
      if (hasJumped()) await deps.store.tiles.replanRefreshes(deps.clock.now());
      for (;;) {
        const due = await deps.store.tiles.takeDueRefreshes(BATCH_TILES, deps.clock.now());
        for (const one of due) await refreshInTime(one);
        if (due.length < BATCH_TILES || isStopped) break;
      }
    } catch (error) {
      log.error({ error: messageOf(error) }, "links could not be read again on their schedule; tried again soon");
    } finally {
      running = null;
    }
  }

  const timer = setInterval(() => (running ??= look()), lookMs).unref();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
