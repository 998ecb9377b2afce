import type { WeightedQuestion } from "../lexical/weight-question.ts";
import { WEIGHTS } from "../weights.ts";

/** A word of the question, by key, and its position in a passage, in terms. */
export type WordPosition = { readonly key: string; readonly position: number };

/**
 * How close to each other the question's words are in a passage, 0 to 1: the product of the weights of each two words, reduced by
 * the distance of their closest occurrences. `positions` are in ascending order.
 */
export function computeProximity({ words, weights, idfSum }: WeightedQuestion, positions: readonly WordPosition[]): number {
  const count = words.length;
  if (count < 2 || idfSum <= 0) return 0;
  const numbers = new Map(words.map(({ key }, number) => [key, number]));
  const gaps = findSmallestGaps(
    positions.flatMap(({ key, position }) => {
      const number = numbers.get(key);
      return number === undefined ? [] : [{ number, position }];
    }),
    count,
  );
  const shares = words.map(({ key }) => (weights.get(key) ?? 0) / idfSum);
  let sum = 0;
  let max = 0;
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const weight = (shares[one] as number) * (shares[other] as number);
      max += weight;
      sum += weight / (1 + (gaps[one * count + other] as number) / WEIGHTS.match.proximityHalfDistance);
    }
  }
  return max > 0 ? sum / max : 0;
}

/** Smallest distance of each two of `count` words, in the upper half of a square matrix; Infinity if one does not occur. */
function findSmallestGaps(positions: readonly { readonly number: number; readonly position: number }[], count: number): Float64Array {
  const gaps = new Float64Array(count * count).fill(Infinity);
  const last = new Float64Array(count).fill(-Infinity);
  for (const { number, position } of positions) {
    for (let other = 0; other < count; other++) {
      if (other === number) continue;
      const slot = Math.min(number, other) * count + Math.max(number, other);
      gaps[slot] = Math.min(gaps[slot] as number, position - (last[other] as number));
    }
    last[number] = position;
  }
  return gaps;
}
