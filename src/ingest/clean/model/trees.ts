/** Trees in preorder: a split is its feature and threshold, followed by its left and right subtree; a leaf is -1 and its value. */
export type TreeData = { readonly base: number; readonly trees: readonly (readonly number[])[] };

type Forest = {
  readonly base: number;
  readonly roots: readonly number[];
  readonly feature: Int16Array;
  readonly value: Float32Array;
  readonly right: Int32Array;
};

/** Prepares trees for evaluation. The left subtree of a split is the next node. */
export function readTrees({ base, trees }: TreeData): Forest {
  const total = trees.reduce((sum, tree) => sum + tree.length / 2, 0);
  const forest = {
    base,
    roots: [] as number[],
    feature: new Int16Array(total),
    value: new Float32Array(total),
    right: new Int32Array(total),
  };
  let node = 0;
  for (const tree of trees) {
    forest.roots.push(node);
    let at = 0;
    const visit = (): void => {
      const own = node++;
      forest.feature[own] = tree[at] as number;
      forest.value[own] = tree[at + 1] as number;
      at += 2;
      if ((forest.feature[own] as number) < 0) return;
      visit();
      forest.right[own] = node;
      visit();
    };
    visit();
  }
  return forest;
}

/** Returns the probability that the trees give to a row: the logistic function of the sum of their values. */
export function predict({ base, roots, feature, value, right }: Forest, row: ArrayLike<number>): number {
  let score = base;
  for (const root of roots) {
    let at = root;
    while ((feature[at] as number) >= 0)
      at = (row[feature[at] as number] as number) < (value[at] as number) ? at + 1 : (right[at] as number);
    score += value[at] as number;
  }
  return 1 / (1 + Math.exp(-score));
}
