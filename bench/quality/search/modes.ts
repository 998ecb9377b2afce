import type { Deps } from "#service/deps.ts";
import type { QualityService } from "./quality-service.ts";

/** The search modes compared with the baseline. */
export type SearchMode = "words only" | "with vectors";

/** Yields the modes to measure: words only, then, if vectors are on, with vectors, after `embed`. */
export async function* iterateModes(
  service: QualityService,
  embed: () => Promise<unknown>,
): AsyncGenerator<{ readonly mode: SearchMode; readonly deps: Deps }> {
  yield { mode: "words only", deps: service.wordsOnly };
  if (service.withVectors === null) return;
  await embed();
  yield { mode: "with vectors", deps: service.withVectors };
}
