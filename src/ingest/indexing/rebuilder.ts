import type { IndexRebuildStore, RebuiltBoard } from "#domain/answers/index-rebuild.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { Log } from "../jobs/log.ts";

/** How often to look for rebuilds that a command or another process began. */
const POLL_INTERVAL_MS = 30_000;
const MAX_BACK_OFF_MS = 600_000;
/** Time for other writers between two steps. */
const PAUSE_MS = 10;
/** While more tiles of a board wait for the indexer, no further ones are marked, since the previous index still finds those. */
const MAX_WAITING_TILES = 500;
const WAITING_POLL_MS = 250;

type Options = { readonly signal?: AbortSignal; readonly onProgress?: (marked: number) => void };

/**
 * Marks all tiles of a board in small steps, not faster than the indexer of this or another process indexes them. Continues an interrupted
 * rebuild. Returns early when the signal aborts.
 */
export async function rebuildBoard(rebuild: IndexRebuildStore, board: RebuiltBoard, { signal, onProgress }: Options = {}): Promise<void> {
  const isAborted = (): boolean => signal?.aborted === true;
  for (let marked = 0; !isAborted();) {
    const step = await rebuild.step(board);
    if (step === null) return;
    if (step > 0) onProgress?.((marked += step));
    await waitAtMost(PAUSE_MS, undefined, signal);
    while (!board.isEmptied && !isAborted() && (await rebuild.countWaiting(board)) > MAX_WAITING_TILES)
      await waitAtMost(WAITING_POLL_MS, undefined, signal);
  }
}

/** `mayRun` is false while nothing can be stored. */
type RebuilderDeps = { readonly rebuild: IndexRebuildStore; readonly mayRun?: () => boolean; readonly log: Log };

/** Completes rebuilds of search indexes in the background: after a damaged index was replaced, and those that were interrupted. */
export function startRebuilder({ rebuild, mayRun, log }: RebuilderDeps): Pick<Loop, "stop"> {
  return startLoop({
    intervalMs: POLL_INTERVAL_MS,
    mayRun,
    maxBackOffMs: MAX_BACK_OFF_MS,
    wake: (wake) =>
      rebuild.onRepair(({ tables }) => {
        log.error({ tables }, "The search index was damaged. It is built anew; searches read the texts of the tiles meanwhile.");
        wake();
      }),
    async run(signal) {
      for (const board of await rebuild.unfinished()) {
        await rebuildBoard(rebuild, board, { signal });
        if (!signal.aborted) log.info({ board: board.id }, "The tiles of a board were marked to be indexed anew.");
      }
    },
    onError: (error) => log.error({ err: error }, "Rebuilding the search index failed; will retry."),
  });
}
