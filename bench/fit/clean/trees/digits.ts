const MAX_DIGITS = 17;

/** Rounds to a number of significant digits. */
export const roundTo = (value: number, digits: number): number => Number(value.toPrecision(digits));

/** Rounds to as few digits as are enough, since every digit is written to the model's file. */
export function shorten(value: number, isEnough: (rounded: number) => boolean): number {
  for (let digits = 1; digits < MAX_DIGITS; digits++) {
    const rounded = roundTo(value, digits);
    if (isEnough(rounded)) return rounded;
  }
  return value;
}
