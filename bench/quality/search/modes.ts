import type { Deps } from "#service/deps.ts";
import type { World } from "./world.ts";

/** The search modes compared with the baseline. */
export type SearchMode = "words only" | "with vectors";

/** Yields the modes to measure: words only, then, if vectors are on, with vectors, after `embed`. */
export async function* iterateModes(
  world: World,
  embed: () => Promise<unknown>,
): AsyncGenerator<{ readonly mode: SearchMode; readonly deps: Deps }> {
  yield { mode: "words only", deps: world.wordsOnly };
  if (world.withVectors === null) return;
  await embed();
  yield { mode: "with vectors", deps: world.withVectors };
}
