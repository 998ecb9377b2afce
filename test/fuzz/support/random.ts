/** Random numbers that are the same in every run with the same seed. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from 0 (inclusive) to `limit` (exclusive). */
  int(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
};

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new RangeError("There is nothing to pick from.");
      return choices[int(choices.length)] as T;
    },
  };
}
