import type { WeightedQuestion } from "../lexical/weight-question.ts";

/** Words that stand together may have so many others between them, and seeing them again and again tells ever less. */
const MAX_WORDS_BETWEEN = 2;
const SATURATION = 0.8;

/** Counts the question's neighbouring words that stand together in a sentence, given each of its terms' keys, on top of `counts`. */
export function countPairs({ pairs }: WeightedQuestion, keys: readonly (string | undefined)[], counts: Map<string, number>): void {
  for (const [first, second] of pairs) {
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== first) continue;
      for (let j = i + 1; j <= i + MAX_WORDS_BETWEEN && j < keys.length; j++) {
        if (keys[j] === second) counts.set(`${first} ${second}`, (counts.get(`${first} ${second}`) ?? 0) + 1);
      }
    }
  }
}

/** The share of the question's neighbouring words, by weight, that were counted; a little above 1 where all were counted often. */
export function computePairShare({ pairs, weights }: WeightedQuestion, counts: ReadonlyMap<string, number>): number {
  let found = 0;
  let total = 0;
  for (const [first, second] of pairs) {
    const weight = ((weights.get(first) ?? 0) + (weights.get(second) ?? 0)) / 2;
    const count = counts.get(`${first} ${second}`) ?? 0;
    total += weight;
    found += (weight * count * (1 + SATURATION)) / (count + SATURATION);
  }
  return total > 0 ? found / total : 0;
}
