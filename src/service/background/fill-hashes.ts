import { STEP_LIMIT } from "#domain/content/changes.ts";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { type Loop, startLoop } from "#runtime/loop.ts";
import type { Deps, StoreDeps } from "../deps.ts";

const FIRST_MS = 2_000;
/** The pause between two steps, in which others write. */
const PAUSE_MS = 100;
/** A restored backup of an earlier version brings tiles without hashes, so the loop looks again. */
const INTERVAL_MS = 3_600_000;

/**
 * Stores the hashes by which duplicates are found in tiles of earlier versions, in small steps. A process that is stopped continues with
 * the tiles that are left, and several processes may share them.
 */
export function startFillingHashes(
  { store, log, mayRun }: Pick<StoreDeps, "store"> & Pick<Deps, "log"> & { readonly mayRun?: () => boolean },
  { firstMs = FIRST_MS, pauseMs = PAUSE_MS } = {},
): Pick<Loop, "stop"> {
  let total = 0;
  return startLoop({
    firstMs,
    intervalMs: INTERVAL_MS,
    mayRun,
    async run() {
      const filled = await store.tiles.fillHashes(STEP_LIMIT);
      total += filled;
      if (filled > 0) return pauseMs;
      if (total > 0) log.info({ tiles: total }, "stored the hashes of addresses and texts of tiles of an earlier version");
      total = 0;
      return undefined;
    },
    onError: (error) =>
      log.error({ error: getErrorMessage(error) }, "the hashes of earlier tiles could not be stored; retrying in an hour"),
  });
}
