import type { Deps } from "#service/deps.ts";
import type { World } from "./world.ts";

/** The ways of search that are compared with the baseline. */
export type Way = "words only" | "with vectors";

/** What is run one after the other: words alone, then, where vectors are on, vectors as well; `embed` is awaited before the latter. */
export async function* waysOf(world: World, embed: () => Promise<unknown>): AsyncGenerator<{ readonly way: Way; readonly deps: Deps }> {
  yield { way: "words only", deps: world.wordsOnly };
  if (world.withVectors === null) return;
  await embed();
  yield { way: "with vectors", deps: world.withVectors };
}
