import { createRandom } from "../../../output/random-text.ts";
import { shorten } from "./digits.ts";

/** Rows of as many numbers each, one row after another. */
export type Rows = { readonly width: number; readonly values: Float32Array };

/** Rows of features, each value replaced by the number of its bin. */
export type Matrix = {
  readonly rows: number;
  /** Bins by column. */
  readonly bins: readonly Uint8Array[];
  /** Lower bounds of the bins after the first, by column: numbers between the values, or equal to the least value above. */
  readonly bounds: readonly Float32Array[];
};

export const BINS = 64;
/** Bounds are found in a sample of about this many rows. */
const SAMPLE = 60_000;

/** Copies `count` rows into one array, since an array for each would take several times the memory. */
export function collectRows(count: number, rows: Iterable<readonly number[]>): Rows {
  let [width, at] = [0, 0];
  let values = new Float32Array(0);
  for (const row of rows) {
    if (at === 0) {
      width = row.length;
      values = new Float32Array(count * width);
    }
    values.set(row, at);
    at += width;
  }
  return { width, values };
}

export const getRow = ({ width, values }: Rows, row: number): Float32Array => values.subarray(row * width, (row + 1) * width);

/** Bins each column by its quantiles, or by its values if there are few. */
export function binRows({ width, values }: Rows, seed: number): Matrix {
  const random = createRandom(seed);
  const rows = values.length / Math.max(1, width);
  const sample = Int32Array.from({ length: rows }, (_, row) => row).filter(() => random() < SAMPLE / rows);
  const bounds: Float32Array[] = [];
  const bins: Uint8Array[] = [];
  for (let column = 0; column < width; column++) {
    const own = findBounds(Float32Array.from(sample, (row) => values[row * width + column] as number).sort());
    const binned = new Uint8Array(rows);
    for (let row = 0; row < rows; row++) binned[row] = findBin(own, values[row * width + column] as number);
    bounds.push(own);
    bins.push(binned);
  }
  return { rows, bins, bounds };
}

/** Puts the columns of two matrices with the same rows side by side. */
export const joinMatrices = (one: Matrix, other: Matrix): Matrix => ({
  rows: one.rows,
  bins: [...one.bins, ...other.bins],
  bounds: [...one.bounds, ...other.bounds],
});

function findBounds(values: Float32Array): Float32Array {
  const distinct = Float32Array.from(new Set(values));
  const quantiles = Array.from({ length: BINS - 1 }, (_, bin) => values[Math.floor(((bin + 1) * values.length) / BINS)] as number);
  // The place of a value is that of the first of its bin.
  const places = new Set(distinct.length <= BINS ? distinct.keys() : quantiles.map((value) => findBin(distinct, value) - 1));
  places.delete(0);
  return Float32Array.from(places, (at) => chooseBound(distinct[at - 1] as number, distinct[at] as number));
}

/** Chooses a short number between two, or the greater one if there is no other between them. The trees compare 32-bit numbers. */
function chooseBound(below: number, above: number): number {
  const bound = shorten((below + above) / 2, (rounded) => below < Math.fround(rounded) && Math.fround(rounded) < above);
  return Math.fround(bound) > below ? bound : above;
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
