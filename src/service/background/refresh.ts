import { authorize } from "#domain/access.ts";
import { AppError, messageOf } from "#domain/error.ts";
import type { DueRefresh } from "#domain/tile.ts";
import type { Deps } from "../deps.ts";
import { retryTile } from "../tiles.ts";

type Log = { error(fields: object, message: string): void };

/** How often it is looked for links that are due; they are read again at most so much late. */
const LOOK_MS = 30_000;
const AT_ONCE = 50;

/** Reads links again on the schedule set on their tiles. */
export function startRefreshing(deps: Deps, log: Log, lookMs = LOOK_MS): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  let isStopped = false;

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

  async function look(): Promise<void> {
    try {
      for (;;) {
        const due = await deps.store.tiles.takeDueRefreshes(AT_ONCE, deps.clock.now());
        for (const one of due) await refreshOne(one);
        if (due.length < AT_ONCE || isStopped) break;
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
