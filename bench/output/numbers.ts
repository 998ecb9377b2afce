/** The value below which a share of the sorted numbers lies. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export type Spread = { readonly median: number; readonly min: number; readonly max: number };

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
  return { median: median ?? Number.NaN, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).median;

export const count = (value: number): string => Math.round(value).toLocaleString("en");
export const decimal = (value: number, digits = 2): string => value.toFixed(digits);
export const spread = ({ median, min, max }: Spread, digits = 2): string =>
  `${decimal(median, digits)} (${decimal(min, digits)}–${decimal(max, digits)})`;
