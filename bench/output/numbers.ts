/** The smallest of the sorted numbers that is at least as large as this share of them; NaN without numbers. */
export function computeQuantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export type Spread = { readonly median: number; readonly min: number; readonly max: number };

export function computeSpread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
  return { median: median ?? Number.NaN, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** The mean, or 0 without numbers. */
export const computeMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
export const computeMedian = (values: readonly number[]): number => computeSpread(values).median;

export const formatCount = (value: number): string => Math.round(value).toLocaleString("en");
export const formatDecimal = (value: number, digits = 2): string => value.toFixed(digits);
export const formatSpread = ({ median, min, max }: Spread, digits = 2): string =>
  `${formatDecimal(median, digits)} (${formatDecimal(min, digits)}–${formatDecimal(max, digits)})`;
