import { roundTo } from "./digits.ts";
import { BINS, type Matrix } from "./matrix.ts";

/** Values of leaves are rounded before the next tree is grown, which makes up for it. */
const VALUE_DIGITS = 3;

/** A tree of splits on bins. A leaf has the feature -1. Rows with at most `bin` go to `left`. */
export type Tree = { readonly nodes: TreeNode[] };
export type TreeNode = { feature: number; bin: number; left: number; right: number; value: number };

/** First and second derivatives of the loss, by row. */
export type Gradients = { readonly first: Float32Array; readonly second: Float32Array };

export type GrowOptions = {
  readonly leaves: number;
  /** Factor of the values of leaves. */
  readonly rate: number;
  /** Least sum of second derivatives in a leaf. */
  readonly minWeight: number;
  /** Added to the sum of second derivatives, against overfitting. */
  readonly damping: number;
};

type Split = { readonly gain: number; readonly feature: number; readonly bin: number };
/** A leaf that may be split: its rows, the sums of their derivatives, and these by feature and bin. */
type Leaf = {
  readonly node: number;
  readonly rows: Int32Array;
  readonly first: number;
  readonly second: number;
  readonly histogram: Float64Array;
  readonly split: Split | null;
};

/**
 * Grows a tree leaf by leaf, each time by the split with the largest gain, as in gradient boosting with second derivatives (Chen and
 * Guestrin 2016) on histograms (Ke et al. 2017).
 */
export function growTree(matrix: Matrix, rows: Int32Array, gradients: Gradients, features: readonly number[], options: GrowOptions): Tree {
  const tree: Tree = { nodes: [] };
  const leaves = [createLeaf(tree, rows, sumBins(matrix, rows, gradients, features), gradients, features, options)];
  while (leaves.length < options.leaves) {
    const best = leaves.reduce((most, leaf, at) => (gainOf(leaf) > gainOf(leaves[most]) ? at : most), 0);
    const [leaf] = leaves.splice(best, 1);
    if (!leaf?.split) {
      if (leaf) leaves.push(leaf);
      break;
    }
    leaves.push(...splitLeaf(tree, matrix, leaf, leaf.split, gradients, features, options));
  }
  for (const { node, first, second } of leaves)
    (tree.nodes[node] as TreeNode).value = roundTo((-first / (second + options.damping)) * options.rate, VALUE_DIGITS);
  return tree;
}

const gainOf = (leaf: Leaf | undefined): number => leaf?.split?.gain ?? 0;

function createLeaf(
  tree: Tree,
  rows: Int32Array,
  histogram: Float64Array,
  gradients: Gradients,
  features: readonly number[],
  options: GrowOptions,
): Leaf {
  let [first, second] = [0, 0];
  for (const row of rows) {
    first += gradients.first[row] as number;
    second += gradients.second[row] as number;
  }
  const node = tree.nodes.push({ feature: -1, bin: 0, left: 0, right: 0, value: 0 }) - 1;
  return { node, rows, first, second, histogram, split: findSplit(histogram, first, second, features, options) };
}

/** Sums the derivatives of rows by feature and bin: two numbers for each. */
function sumBins({ bins }: Matrix, rows: Int32Array, { first, second }: Gradients, features: readonly number[]): Float64Array {
  const sums = new Float64Array(2 * Math.ceil(features.length / 2) * BINS * 2);
  // Read once for all features: the rows of a leaf are far apart.
  const gradients = new Float32Array(rows.length * 2);
  for (let at = 0; at < rows.length; at++) {
    gradients[at * 2] = first[rows[at] as number] as number;
    gradients[at * 2 + 1] = second[rows[at] as number] as number;
  }
  for (let which = 0; which < features.length; which += 2) {
    const [one, other] = [features[which] as number, features[which + 1] ?? (features[which] as number)];
    addColumns(sums, which * BINS * 2, bins[one] as Uint8Array, bins[other] as Uint8Array, rows, gradients);
  }
  return sums;
}

/** Adds two columns together: the processor has to wait until it can add to the same bin again, and serves the other one meanwhile. */
function addColumns(sums: Float64Array, from: number, one: Uint8Array, other: Uint8Array, rows: Int32Array, gradients: Float32Array): void {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const [first, second] = [gradients[at * 2] as number, gradients[at * 2 + 1] as number];
    const bin = from + (one[row] as number) * 2;
    sums[bin] = (sums[bin] as number) + first;
    sums[bin + 1] = (sums[bin + 1] as number) + second;
    const next = from + (BINS + (other[row] as number)) * 2;
    sums[next] = (sums[next] as number) + first;
    sums[next + 1] = (sums[next + 1] as number) + second;
  }
}

function findSplit(
  histogram: Float64Array,
  first: number,
  second: number,
  features: readonly number[],
  { minWeight, damping }: GrowOptions,
): Split | null {
  let best: Split | null = null;
  const whole = (first * first) / (second + damping);
  for (const [which, feature] of features.entries()) {
    let [leftFirst, leftSecond] = [0, 0];
    for (let bin = 0; bin < BINS - 1; bin++) {
      const at = (which * BINS + bin) * 2;
      leftFirst += histogram[at] as number;
      leftSecond += histogram[at + 1] as number;
      const [rightFirst, rightSecond] = [first - leftFirst, second - leftSecond];
      if (leftSecond < minWeight) continue;
      if (rightSecond < minWeight) break;
      const gain = (leftFirst * leftFirst) / (leftSecond + damping) + (rightFirst * rightFirst) / (rightSecond + damping) - whole;
      if (gain > 1e-6 && gain > (best?.gain ?? 0)) best = { gain, feature, bin };
    }
  }
  return best;
}

function splitLeaf(
  tree: Tree,
  matrix: Matrix,
  leaf: Leaf,
  { feature, bin }: Split,
  gradients: Gradients,
  features: readonly number[],
  options: GrowOptions,
): readonly [Leaf, Leaf] {
  const [left, right] = partitionRows(leaf.rows, matrix.bins[feature] as Uint8Array, bin);
  // Only the smaller part is summed; the other is the difference, which takes the place of the sums of the whole.
  const isLeftSmall = left.length <= right.length;
  const small = sumBins(matrix, isLeftSmall ? left : right, gradients, features);
  const large = leaf.histogram;
  for (let at = 0; at < large.length; at++) large[at] = (large[at] as number) - (small[at] as number);
  const create = (rows: Int32Array, histogram: Float64Array): Leaf => createLeaf(tree, rows, histogram, gradients, features, options);
  const parts = [create(left, isLeftSmall ? small : large), create(right, isLeftSmall ? large : small)] as const;
  Object.assign(tree.nodes[leaf.node] as TreeNode, { feature, bin, left: parts[0].node, right: parts[1].node });
  return parts;
}

/** Divides rows into those with at most `bin` and the others, in order. */
function partitionRows(rows: Int32Array, column: Uint8Array, bin: number): readonly [Int32Array, Int32Array] {
  const [left, right] = [new Int32Array(rows.length), new Int32Array(rows.length)];
  let [lefts, rights] = [0, 0];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    if ((column[row] as number) <= bin) left[lefts++] = row;
    else right[rights++] = row;
  }
  return [left.slice(0, lefts), right.slice(0, rights)];
}

/** Returns the value of a tree for a row of the matrix. */
export function applyTree({ nodes }: Tree, { bins }: Matrix, row: number): number {
  let node = nodes[0] as TreeNode;
  while (node.feature >= 0)
    node = nodes[((bins[node.feature] as Uint8Array)[row] as number) <= node.bin ? node.left : node.right] as TreeNode;
  return node.value;
}
