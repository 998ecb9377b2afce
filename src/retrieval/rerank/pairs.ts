import type { WeighedQuestion } from "../lexical/weigh.ts";

/** Words that stand together may have so many others between them, and seeing them again and again tells ever less. */
const GAP = 2;
const HALF = 0.8;

/** Counts the question's neighbouring words that stand together in a sentence, given each of its terms' keys, on top of `counts`. */
export function countPairs({ pairs }: WeighedQuestion, keys: readonly (string | undefined)[], counts: Map<string, number>): void {
  for (const [first, second] of pairs) {
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== first) continue;
      for (let j = i + 1; j <= i + GAP && j < keys.length; j++) {
        if (keys[j] === second) counts.set(`${first} ${second}`, (counts.get(`${first} ${second}`) ?? 0) + 1);
      }
    }
  }
}

/** The share of the question's neighbouring words, by weight, that were counted; a little above 1 where all were counted often. */
export function pairShare({ pairs, weights }: WeighedQuestion, counts: ReadonlyMap<string, number>): number {
  let found = 0;
  let mass = 0;
  for (const [first, second] of pairs) {
    const weight = ((weights.get(first) ?? 0) + (weights.get(second) ?? 0)) / 2;
    const count = counts.get(`${first} ${second}`) ?? 0;
    mass += weight;
    found += (weight * count * (1 + HALF)) / (count + HALF);
  }
  return mass > 0 ? found / mass : 0;
}
