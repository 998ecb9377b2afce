import { expect, it } from "vitest";
import { predict, readTrees } from "#ingest/clean/model/trees.ts";
import { boostTrees } from "../../bench/fit/clean/trees/boost.ts";
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
