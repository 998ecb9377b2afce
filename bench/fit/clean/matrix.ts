import { createRandom } from "../../output/random-text.ts";

/** Rows of features, each value replaced by the number of its bin. */
export type Matrix = {
  readonly rows: number;
  /** Bins by column. */
  readonly bins: readonly Uint8Array[];
  /** Lower bounds of the bins after the first, by column. */
  readonly bounds: readonly Float32Array[];
};

export const BINS = 64;
/** Bounds are found in a sample of about this many rows. */
const SAMPLE = 60_000;

/** Bins each column by its quantiles, or by its values if there are few. */
export function binRows(rows: readonly ArrayLike<number>[], seed: number): Matrix {
  const random = createRandom(seed);
  const sample = rows.filter(() => random() < SAMPLE / rows.length);
  const columns = Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => column);
  const bounds = columns.map((column) => findBounds(Float32Array.from(sample, (row) => row[column] as number).sort()));
  const bins = columns.map((column) => Uint8Array.from(rows, (row) => findBin(bounds[column] as Float32Array, row[column] as number)));
  return { rows: rows.length, bins, bounds };
}

function findBounds(values: Float32Array): Float32Array {
  const distinct = [...new Set(values)];
  if (distinct.length <= BINS) return Float32Array.from(distinct.slice(1), (value, at) => (value + (distinct[at] as number)) / 2);
  const bounds = new Set<number>();
  for (let bin = 1; bin < BINS; bin++) bounds.add(values[Math.floor((bin * values.length) / BINS)] as number);
  return Float32Array.from(bounds);
}

/** Returns the number of bounds that are at most `value`. */
function findBin(bounds: Float32Array, value: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
