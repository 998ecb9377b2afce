import type { WeightedQuestion } from "../lexical/weight-question.ts";
import { WEIGHTS } from "../weights.ts";

/** Terms from the first word of a pair to the second, at most. */
const MAX_PAIR_DISTANCE = 2;

/** Adds to `counts` the question's word pairs that occur close together in a sentence, given the key of each of its terms. */
export function countPairs({ pairs }: WeightedQuestion, keys: readonly (string | undefined)[], counts: Map<string, number>): void {
  for (const [first, second] of pairs) {
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== first) continue;
      for (let j = i + 1; j <= i + MAX_PAIR_DISTANCE && j < keys.length; j++) {
        if (keys[j] === second) counts.set(`${first} ${second}`, (counts.get(`${first} ${second}`) ?? 0) + 1);
      }
    }
  }
}

/** Share of the question's word pairs, by weight, that were counted. Slightly above 1 if all were counted several times. */
export function computePairShare({ pairs, weights }: WeightedQuestion, counts: ReadonlyMap<string, number>): number {
  const { pairSaturation } = WEIGHTS.match;
  let found = 0;
  let total = 0;
  for (const [first, second] of pairs) {
    const weight = ((weights.get(first) ?? 0) + (weights.get(second) ?? 0)) / 2;
    const count = counts.get(`${first} ${second}`) ?? 0;
    total += weight;
    found += (weight * count * (1 + pairSaturation)) / (count + pairSaturation);
  }
  return total > 0 ? found / total : 0;
}
