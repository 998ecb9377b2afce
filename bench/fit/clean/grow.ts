import { BINS, type Matrix } from "./matrix.ts";

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
  for (const { node, first, second } of leaves) (tree.nodes[node] as TreeNode).value = (-first / (second + options.damping)) * options.rate;
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
  const sums = new Float64Array(features.length * BINS * 2);
  for (const [which, feature] of features.entries()) {
    const column = bins[feature] as Uint8Array;
    const offset = which * BINS * 2;
    for (const row of rows) {
      const at = offset + (column[row] as number) * 2;
      sums[at] = (sums[at] as number) + (first[row] as number);
      sums[at + 1] = (sums[at + 1] as number) + (second[row] as number);
    }
  }
  return sums;
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
  const column = matrix.bins[feature] as Uint8Array;
  const left = leaf.rows.filter((row) => (column[row] as number) <= bin);
  const right = leaf.rows.filter((row) => (column[row] as number) > bin);
  // Only the smaller part is summed; the other is the difference.
  const isLeftSmall = left.length <= right.length;
  const small = sumBins(matrix, isLeftSmall ? left : right, gradients, features);
  const large = leaf.histogram.map((sum, at) => sum - (small[at] as number));
  const create = (rows: Int32Array, histogram: Float64Array): Leaf => createLeaf(tree, rows, histogram, gradients, features, options);
  const parts = [create(left, isLeftSmall ? small : large), create(right, isLeftSmall ? large : small)] as const;
  Object.assign(tree.nodes[leaf.node] as TreeNode, { feature, bin, left: parts[0].node, right: parts[1].node });
  return parts;
}

/** Returns the value of a tree for a row of the matrix. */
export function applyTree({ nodes }: Tree, { bins }: Matrix, row: number): number {
  let node = nodes[0] as TreeNode;
  while (node.feature >= 0)
    node = nodes[((bins[node.feature] as Uint8Array)[row] as number) <= node.bin ? node.left : node.right] as TreeNode;
  return node.value;
}
