import { expect, it } from "vitest";
import { predict, readTrees } from "#ingest/clean/model/trees.ts";
import { boostTrees, writeTree } from "../../bench/fit/clean/trees/boost.ts";
import { applyTree, growTree } from "../../bench/fit/clean/trees/grow.ts";
import { binRows, collectRows, getRow, joinMatrices } from "../../bench/fit/clean/trees/matrix.ts";
import { createRandom } from "../../bench/output/random-text.ts";

const COUNT = 4_000;
const OPTIONS = { trees: 20, leaves: 8, rate: 0.3, minWeight: 2, damping: 1, pageShare: 0.8, featureShare: 0.9, seed: 1 };

/** Rows of which the first two numbers decide: rows are right if the first is above .4 and the second one is not 3. */
function plantRows() {
  const random = createRandom(7);
  const numbers = Array.from({ length: COUNT }, () => [random(), Math.floor(random() * 5), random()]);
  const labels = Float32Array.from(numbers, ([first = 0, second = 0]) => (first > 0.4 && second !== 3 ? 1 : 0));
  return { rows: collectRows(COUNT, numbers), labels };
}

it("boosted trees find a planted rule, and leave out rows that are not used or have no weight", () => {
  const { rows, labels } = plantRows();
  const used = Int32Array.from({ length: COUNT }, (_, row) => row).filter((row) => row % 4 !== 0);
  const weights = new Float32Array(COUNT).fill(1);
  const spoilt = labels.map((label, row) => (row % 4 === 1 ? 1 - label : label));
  for (const row of used) if (row % 4 === 1) weights[row] = 0;
  const pages = Int32Array.from(labels, (_, row) => Math.floor(row / 10));
  const forest = readTrees(boostTrees(binRows(rows, 1), { labels: spoilt, weights, pages }, used, OPTIONS));
  const right = labels.filter((label, row) => predict(forest, getRow(rows, row)) > 0.5 === (label === 1));
  expect(right.length / COUNT).toBeGreaterThan(0.98);
});

it("matrices are joined column by column", () => {
  const rows = collectRows(3, [
    [1, 5],
    [2, 5],
    [2, 4],
  ]);
  const joined = joinMatrices(binRows(rows, 1), binRows(collectRows(3, [[0], [1], [0]]), 1));
  expect(joined.bins.map((column) => [...column])).toEqual([
    [0, 1, 1],
    [1, 1, 0],
    [0, 1, 0],
  ]);
});

/** Columns that are hard to bin: many values, values that differ in the last bit, one value in half of the rows, and whole numbers. */
function plantValues() {
  const random = createRandom(11);
  const one = Math.fround(1 / 3);
  const bit = 2 ** -25;
  return collectRows(
    COUNT,
    Array.from({ length: COUNT }, () => [
      random(),
      one + Math.floor(random() * 200) * bit,
      random() < 0.5 ? 0 : random() / 1_000,
      Math.floor(random() * 30),
      -100_000 - random(),
    ]),
  );
}

it("bounds of bins separate values that differ in the last bit, with as few digits as are enough", () => {
  const { bounds, bins } = binRows(collectRows(4, [[1], [1 + 2 ** -23], [2], [7]]), 1);
  expect([...(bounds[0] as Float32Array)]).toEqual([1 + 2 ** -23, 1.5, 5]);
  expect([...(bins[0] as Uint8Array)]).toEqual([0, 1, 2, 3]);
});

it("a tree that is written and read again has the same value for every row", () => {
  const rows = plantValues();
  const matrix = binRows(rows, 1);
  const random = createRandom(5);
  const gradients = { first: Float32Array.from({ length: COUNT }, () => random() - 0.5), second: new Float32Array(COUNT).fill(1) };
  const all = Int32Array.from({ length: COUNT }, (_, row) => row);
  const tree = growTree(matrix, all, gradients, [...matrix.bins.keys()], { ...OPTIONS, leaves: 200 });
  const forest = readTrees({ base: 0, trees: [JSON.parse(JSON.stringify(writeTree(tree, matrix))) as number[]] });
  const different = all.filter((row) => {
    const score = Math.fround(applyTree(tree, matrix, row));
    return predict(forest, getRow(rows, row)) !== 1 / (1 + Math.exp(-score));
  });
  expect(tree.nodes.filter(({ feature }) => feature < 0)).toHaveLength(200);
  expect([...different]).toEqual([]);
});
