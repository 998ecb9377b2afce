import type { IndexRebuildStore, RebuiltBoard } from "#domain/answers/index-rebuild.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import { waitAtMost } from "#runtime/wait.ts";
import type { Log } from "#domain/core/log.ts";

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
  let marked = 0;
  const onStep = (tiles: number): void => onProgress?.((marked += tiles));
  while (!(await markTiles(rebuild, board, { signal, onStep })) && signal?.aborted !== true)
    await waitAtMost(WAITING_POLL_MS, undefined, signal);
}

type MarkOptions = { readonly signal: AbortSignal | undefined; readonly onStep?: (tiles: number) => void };

/** Marks tiles until all are marked, and returns true; or until too many wait for the indexer or the signal aborts. */
async function markTiles(rebuild: IndexRebuildStore, board: RebuiltBoard, { signal, onStep }: MarkOptions): Promise<boolean> {
  while (signal?.aborted !== true) {
    if (!board.isEmptied && (await rebuild.countWaiting(board)) > MAX_WAITING_TILES) return false;
    const step = await rebuild.step(board);
    if (step === null) return true;
    if (step > 0) onStep?.(step);
    await waitAtMost(PAUSE_MS, undefined, signal);
  }
  return false;
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
      // A board whose tiles wait for the indexer does not hold up the others.
      for (let boards = await rebuild.unfinished(); boards.length > 0 && !signal.aborted; boards = await rebuild.unfinished()) {
        let isAnyMarked = false;
        for (const board of boards) {
          if (!(await markTiles(rebuild, board, { signal }))) continue;
          isAnyMarked = true;
          log.info({ board: board.id }, "The tiles of a board were marked to be indexed anew.");
        }
        if (!isAnyMarked) await waitAtMost(WAITING_POLL_MS, undefined, signal);
      }
    },
    onError: (error) => log.error({ err: error }, "Rebuilding the search index failed; will retry."),
  });
}
