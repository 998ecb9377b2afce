import type { TreeData } from "#ingest/clean/model/trees.ts";
import { applyTree, growTree, type GrowOptions, type Tree, type TreeNode } from "./grow.ts";
import type { Matrix } from "./matrix.ts";
import { roundTo, shorten } from "./digits.ts";
import { createRandom } from "../../../output/random-text.ts";

const BASE_DIGITS = 4;

export type BoostOptions = GrowOptions & {
  readonly trees: number;
  /** Shares of pages and of features that each tree is grown from. */
  readonly pageShare: number;
  readonly featureShare: number;
  readonly seed: number;
};

/** Labels from 0 to 1, weights, and the page of each row; rows of weight 0 are not used. */
export type Targets = { readonly labels: Float32Array; readonly weights: Float32Array; readonly pages: Int32Array };

const toProbability = (score: number): number => 1 / (1 + Math.exp(-score));

/** Fits gradient-boosted trees to the labels of rows, for the logistic loss. */
export function boostTrees(matrix: Matrix, { labels, weights, pages }: Targets, used: Int32Array, options: BoostOptions): TreeData {
  const random = createRandom(options.seed);
  const rows = used.filter((row) => (weights[row] as number) > 0);
  const base = roundTo(findBase(labels, weights, rows), BASE_DIGITS);
  const scores = new Float32Array(matrix.rows).fill(base);
  const gradients = { first: new Float32Array(matrix.rows), second: new Float32Array(matrix.rows) };
  const trees: Tree[] = [];
  for (let number = 0; number < options.trees; number++) {
    for (const row of rows) {
      const probability = toProbability(scores[row] as number);
      gradients.first[row] = (weights[row] as number) * (probability - (labels[row] as number));
      gradients.second[row] = (weights[row] as number) * Math.max(1e-6, probability * (1 - probability));
    }
    // Blocks of a page are alike: whole pages are left out.
    const isPicked = Uint8Array.from({ length: (pages.at(-1) ?? 0) + 1 }, () => (random() < options.pageShare ? 1 : 0));
    const picked = rows.filter((row) => isPicked[pages[row] as number] === 1);
    const features = [...matrix.bins.keys()].filter(() => random() < options.featureShare);
    const tree = growTree(matrix, picked, gradients, features, options);
    for (const row of rows) scores[row] = (scores[row] as number) + applyTree(tree, matrix, row);
    trees.push(tree);
  }
  return { base, trees: trees.map((tree) => writeTree(tree, matrix)) };
}

function findBase(labels: Float32Array, weights: Float32Array, rows: Int32Array): number {
  let [yes, all] = [0, 0];
  for (const row of rows) {
    yes += (weights[row] as number) * (labels[row] as number);
    all += weights[row] as number;
  }
  return Math.log(yes / (all - yes));
}

/** Writes a tree in preorder: for a split its feature and the least value of the right side, for a leaf -1 and its value. */
export function writeTree({ nodes }: Tree, { bounds }: Matrix): readonly number[] {
  const written: number[] = [];
  const write = (at: number): void => {
    const { feature, bin, left, right, value } = nodes[at] as TreeNode;
    if (feature < 0) return void written.push(-1, value);
    const bound = (bounds[feature] as Float32Array)[bin] as number;
    written.push(
      feature,
      shorten(bound, (rounded) => Math.fround(rounded) === bound),
    );
    write(left);
    write(right);
  };
  write(0);
  return written;
}
