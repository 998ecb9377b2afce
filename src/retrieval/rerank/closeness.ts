import type { WeighedQuestion } from "../lexical/weigh.ts";

/** A word of the question, by its key, and where in a passage it stands, in terms. */
export type Place = { readonly key: string; readonly at: number };

/** Words that stand so many terms apart count half as close as a word and itself. */
const HALF_APART = 2;

/**
 * How close to one another the question's words stand in a passage, 0 to 1: over each two of them their weights' product, less the
 * farther the nearest places of both are apart. `places` in the passage's order.
 */
export function closenessOf({ words, weights, mass }: WeighedQuestion, places: readonly Place[]): number {
  const count = words.length;
  if (count < 2 || mass <= 0) return 0;
  const numbers = new Map(words.map(({ key }, number) => [key, number]));
  const gaps = smallestGaps(
    places.flatMap(({ key, at }) => {
      const number = numbers.get(key);
      return number === undefined ? [] : [{ number, at }];
    }),
    count,
  );
  const shares = words.map(({ key }) => (weights.get(key) ?? 0) / mass);
  let sum = 0;
  let most = 0;
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const worth = (shares[one] as number) * (shares[other] as number);
      most += worth;
      sum += worth / (1 + (gaps[one * count + other] as number) / HALF_APART);
    }
  }
  return most > 0 ? sum / most : 0;
}

/** For each two of `count` words the fewest terms between their places, in a square of which one half is filled; Infinity where one is not there. */
function smallestGaps(places: readonly { readonly number: number; readonly at: number }[], count: number): Float64Array {
  const gaps = new Float64Array(count * count).fill(Infinity);
  const last = new Float64Array(count).fill(-Infinity);
  for (const { number, at } of places) {
    for (let other = 0; other < count; other++) {
      if (other === number) continue;
      const slot = Math.min(number, other) * count + Math.max(number, other);
      gaps[slot] = Math.min(gaps[slot] as number, at - (last[other] as number));
    }
    last[number] = at;
  }
  return gaps;
}
