import { computeQuantile } from "../output/numbers.ts";
import { createRandom } from "../output/random-text.ts";

export type Difference = { readonly value: number; readonly low: number; readonly high: number };

const RESAMPLES = 10_000;
const SEED = 2026;

/** Difference of a score between two systems on the same items, with its 95 % interval by paired bootstrap. */
export function bootstrapDifference<T>(
  before: readonly T[],
  after: readonly T[],
  score: (items: readonly T[]) => number,
  resamples = RESAMPLES,
): Difference {
  const random = createRandom(SEED);
  const differences = new Float64Array(resamples);
  for (let at = 0; at < resamples; at++) {
    const picks = Array.from(before, () => Math.floor(random() * before.length));
    differences[at] = score(picks.map((pick) => after[pick] as T)) - score(picks.map((pick) => before[pick] as T));
  }
  differences.sort();
  return { value: score(after) - score(before), low: computeQuantile(differences, 0.025), high: computeQuantile(differences, 0.975) };
}
