const FIRST_MS = 1_000;
const FACTOR = 4;
const JITTER = 0.2;

/** Milliseconds to wait after the given attempt (1 is the first): 1 s · 4^(attempt-1), ±20 % by `random` in [0, 1). */
export const backOffMs = (attempt: number, random: () => number): number =>
  Math.round(FIRST_MS * FACTOR ** (attempt - 1) * (1 + JITTER * (2 * random() - 1)));
