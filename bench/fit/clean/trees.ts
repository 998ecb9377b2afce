/** Gradient-boosted trees on binned features, for the logistic loss. */
export type Tree = { readonly feature: Int16Array; readonly threshold: Float32Array; readonly left: Int16Array; readonly right: Int16Array; readonly value: Float32Array };
export type Model = { readonly base: number; readonly trees: Tree[] };

export type Matrix = { readonly rows: number; readonly columns: number; readonly bins: Uint8Array[]; readonly edges: Float32Array[] };

const BINS = 64;

/** Bins each column by its quantiles. */
export function binRows(rows: readonly Float32Array[], seed = 1): Matrix {
  const columns = rows[0]!.length;
  const random = createRandom(seed);
  const sample: Float32Array[] = [];
  const take = Math.min(1, 60_000 / rows.length);
  for (const row of rows) if (random() < take) sample.push(row);
  const edges: Float32Array[] = [];
  const bins: Uint8Array[] = [];
  for (let c = 0; c < columns; c++) {
    const values = Float32Array.from(sample, (row) => row[c]!).sort();
    const list: number[] = [];
    const distinct = [...new Set(values)];
    if (distinct.length <= BINS) for (let i = 1; i < distinct.length; i++) list.push((distinct[i - 1]! + distinct[i]!) / 2);
    else for (let i = 1; i < BINS; i++) { const v = values[Math.floor((i * values.length) / BINS)]!; if (list.length === 0 || v > list.at(-1)!) list.push(v); }
    const edge = Float32Array.from(list);
    edges.push(edge);
    const column = new Uint8Array(rows.length);
    for (let r = 0; r < rows.length; r++) column[r] = findBin(edge, rows[r]![c]!);
    bins.push(column);
  }
  return { rows: rows.length, columns, bins, edges };
}

/** Number of edges that are at most `value`… values < edge[0] are in bin 0. */
export function findBin(edges: Float32Array, value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) { const middle = (low + high) >> 1; if (edges[middle]! <= value) low = middle + 1; else high = middle; }
  return low;
}

export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => { state = (state + 0x6d2b79f5) >>> 0; let t = Math.imul(state ^ (state >>> 15), 1 | state); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
}

export type Options = { readonly trees: number; readonly leaves: number; readonly rate: number; readonly minWeight: number; readonly l2: number; readonly rowShare: number; readonly columnShare: number; readonly seed: number };

export function trainTrees(matrix: Matrix, labels: Float32Array, weights: Float32Array, use: Int32Array, options: Options): Model {
  const random = createRandom(options.seed);
  let [sw, sy] = [0, 0];
  for (const r of use) { sw += weights[r]!; sy += weights[r]! * labels[r]!; }
  const base = Math.log(sy / (sw - sy));
  const scores = new Float32Array(matrix.rows).fill(base);
  const g = new Float32Array(matrix.rows);
  const h = new Float32Array(matrix.rows);
  const trees: Tree[] = [];
  for (let t = 0; t < options.trees; t++) {
    const picked = new Int32Array(use.length);
    let m = 0;
    for (const r of use) {
      const p = 1 / (1 + Math.exp(-scores[r]!));
      g[r] = weights[r]! * (p - labels[r]!);
      h[r] = weights[r]! * Math.max(1e-6, p * (1 - p));
      if (weights[r]! > 0 && random() < options.rowShare) picked[m++] = r;
    }
    const columns: number[] = [];
    for (let c = 0; c < matrix.columns; c++) if (random() < options.columnShare) columns.push(c);
    const { tree, binTree } = growTree(matrix, picked.subarray(0, m), g, h, columns, options);
    trees.push(tree);
    for (const r of use) scores[r] = scores[r]! + applyBinned(binTree, matrix.bins, r);
  }
  return { base, trees };
}

type BinTree = { feature: number[]; bin: number[]; left: number[]; right: number[]; value: number[] };

function applyBinned(tree: BinTree, bins: readonly Uint8Array[], row: number): number {
  let at = 0;
  while (tree.feature[at]! >= 0) at = bins[tree.feature[at]!]![row]! <= tree.bin[at]! ? tree.left[at]! : tree.right[at]!;
  return tree.value[at]!;
}

type Node = { id: number; rows: Int32Array; hist: Float64Array | null; sg: number; sh: number; best: { gain: number; c: number; bin: number } | null };

function growTree(matrix: Matrix, rows: Int32Array, g: Float32Array, h: Float32Array, columns: readonly number[], { leaves, rate, minWeight, l2 }: Options): { tree: Tree; binTree: BinTree } {
  const b: BinTree = { feature: [], bin: [], left: [], right: [], value: [] };
  const add = (): number => { b.feature.push(-1); b.bin.push(0); b.left.push(0); b.right.push(0); b.value.push(0); return b.feature.length - 1; };
  const build = (list: Int32Array): Float64Array => {
    const hist = new Float64Array(columns.length * BINS * 2);
    for (let i = 0; i < columns.length; i++) {
      const column = matrix.bins[columns[i]!]!;
      const offset = i * BINS * 2;
      for (let k = 0; k < list.length; k++) { const r = list[k]!; const at = offset + column[r]! * 2; hist[at] = hist[at]! + g[r]!; hist[at + 1] = hist[at + 1]! + h[r]!; }
    }
    return hist;
  };
  const total = (list: Int32Array): [number, number] => { let [a, c] = [0, 0]; for (const r of list) { a += g[r]!; c += h[r]!; } return [a, c]; };
  const search = (node: Node): void => {
    const { sg, sh } = node;
    const parent = (sg * sg) / (sh + l2);
    let best: Node["best"] = null;
    for (let i = 0; i < columns.length; i++) {
      let [lg, lh] = [0, 0];
      const offset = i * BINS * 2;
      for (let bin = 0; bin < BINS - 1; bin++) {
        lg += node.hist![offset + bin * 2]!;
        lh += node.hist![offset + bin * 2 + 1]!;
        if (lh < minWeight) continue;
        const rh = sh - lh;
        if (rh < minWeight) break;
        const rg = sg - lg;
        const gain = (lg * lg) / (lh + l2) + (rg * rg) / (rh + l2) - parent;
        if (gain > 1e-6 && (best === null || gain > best.gain)) best = { gain, c: columns[i]!, bin };
      }
    }
    node.best = best;
  };
  const make = (list: Int32Array, hist: Float64Array): Node => { const [sg, sh] = total(list); const node: Node = { id: add(), rows: list, hist, sg, sh, best: null }; search(node); return node; };
  const open: Node[] = [make(rows, build(rows))];
  const done: Node[] = [];
  while (open.length + done.length < leaves) {
    let pick = -1;
    for (let i = 0; i < open.length; i++) if (open[i]!.best !== null && (pick < 0 || open[i]!.best!.gain > open[pick]!.best!.gain)) pick = i;
    if (pick < 0) break;
    const node = open.splice(pick, 1)[0]!;
    const { c, bin } = node.best!;
    const column = matrix.bins[c]!;
    let count = 0;
    for (const r of node.rows) if (column[r]! <= bin) count++;
    const [left, right] = [new Int32Array(count), new Int32Array(node.rows.length - count)];
    let [i, j] = [0, 0];
    for (const r of node.rows) if (column[r]! <= bin) left[i++] = r; else right[j++] = r;
    const small = left.length <= right.length ? left : right;
    const smallHist = build(small);
    const bigHist = node.hist!;
    for (let k = 0; k < bigHist.length; k++) bigHist[k] = bigHist[k]! - smallHist[k]!;
    b.feature[node.id] = c;
    b.bin[node.id] = bin;
    const l = make(left, small === left ? smallHist : bigHist);
    const r = make(right, small === left ? bigHist : smallHist);
    b.left[node.id] = l.id;
    b.right[node.id] = r.id;
    node.hist = null;
    open.push(l, r);
  }
  for (const node of [...open, ...done]) b.value[node.id] = (-node.sg / (node.sh + l2)) * rate;
  const tree: Tree = {
    feature: Int16Array.from(b.feature), left: Int16Array.from(b.left), right: Int16Array.from(b.right), value: Float32Array.from(b.value),
    // A row goes left if its value is below the threshold.
    threshold: Float32Array.from(b.feature, (c, at) => (c < 0 ? 0 : matrix.edges[c]![b.bin[at]!] ?? Infinity)),
  };
  return { tree, binTree: b };
}

export function predictRow({ base, trees }: Model, row: Float32Array): number {
  let score = base;
  for (const { feature, threshold, left, right, value } of trees) {
    let at = 0;
    while (feature[at]! >= 0) at = row[feature[at]!]! < threshold[at]! ? left[at]! : right[at]!;
    score += value[at]!;
  }
  return 1 / (1 + Math.exp(-score));
}
