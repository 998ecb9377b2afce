import { expect, it } from "vitest";
import { bootstrapDifference } from "../../bench/quality/bootstrap.ts";
import { computeMean } from "../../bench/output/numbers.ts";
import { isSameTitle, isTitleWithin } from "../../bench/quality/wcxb/score.ts";
import { balancedAccuracy, containsAnswer, ndcg, recall } from "../../bench/quality/search/scores.ts";

it("NDCG is 1 for the ideal order and falls with the rank", () => {
  expect(ndcg(["a", "b", "c"], { a: 2, b: 1 })).toBe(1);
  expect(ndcg(["x", "a"], { a: 1 })).toBeCloseTo(1 / Math.log2(3), 10);
  expect(ndcg(["b", "a"], { a: 2, b: 1 })).toBeCloseTo((1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3)), 10);
});

it("NDCG considers the top k only, and is 0 without relevant results", () => {
  const ranked = [..."bcdefghijka"];
  expect(ndcg(ranked, { a: 1 })).toBe(0);
  expect(ndcg(ranked, { a: 1 }, 11)).toBeGreaterThan(0);
  expect(ndcg(ranked, {})).toBe(0);
});

it("recall is the share of relevant results", () => {
  expect(recall(["a", "x", "b"], { a: 1, b: 2, c: 0 }, 1)).toBe(0.5);
  expect(recall(["a", "x", "b"], { a: 1, b: 2, c: 0 }, 3)).toBe(1);
  expect(recall(["a"], {}, 1)).toBe(0);
});

it("answer matching ignores case and white space", () => {
  expect(containsAnswer(["Rollo"], "under their leader ROLLO, agreed")).toBe(true);
  expect(containsAnswer(["10th  century"], "in the 10th\n century")).toBe(true);
  expect(containsAnswer(["no", "third of June"], "on the\u00a0Third of\tJune")).toBe(true);
});

it("answer matching finds neither missing text nor an empty answer", () => {
  expect(containsAnswer(["Rollo"], "their leader")).toBe(false);
  expect(containsAnswer([], "anything")).toBe(false);
  expect(containsAnswer(["", "  "], "anything")).toBe(false);
  expect(containsAnswer(["x"], "")).toBe(false);
});

const verdicts = (isAnswerable: boolean, answered: number, all: number) =>
  Array.from({ length: all }, (_, at) => ({ isAnswerable, isAnswered: at < answered }));

it("balanced accuracy weights both kinds of questions equally, whatever their number", () => {
  expect(balancedAccuracy([...verdicts(true, 9, 10), ...verdicts(false, 20, 100)])).toBeCloseTo((0.9 + 0.8) / 2, 10);
});

it("balanced accuracy is 0.5 for a system that always or never answers", () => {
  expect(balancedAccuracy([...verdicts(true, 10, 10), ...verdicts(false, 30, 30)])).toBe(0.5);
  expect(balancedAccuracy([...verdicts(true, 0, 10), ...verdicts(false, 0, 30)])).toBe(0.5);
});

it("the paired difference distinguishes a steady gain from chance", () => {
  const before = Array.from({ length: 200 }, (_, at) => (at % 3 === 0 ? 1 : 0));
  const steady = before.map((value, at) => (at % 5 === 0 ? 1 : value));
  const gain = bootstrapDifference(before, steady, computeMean, 500);
  expect(gain.low).toBeGreaterThan(0);
  expect(gain.value).toBeCloseTo(computeMean(steady) - computeMean(before), 10);
  const chance = before.map((value, at) => (at % 40 === 0 ? 1 - value : value));
  const none = bootstrapDifference(before, chance, computeMean, 500);
  expect(none.low).toBeLessThanOrEqual(0);
  expect(none.high).toBeGreaterThanOrEqual(0);
});

it.each([
  ["Lamps of the coast", "Lamps of the coast | Harbour", true, true],
  ["“Lamps” of the coast…", "LAMPS OF THE COAST", true, true],
  ["Lamps of the coast", "Lamps of the coast – part two", false, true],
  ["Lamps of the coast", "Lamp", false, false],
  ["Lamps of the coast", null, false, false],
])("of the title %s, %s is %s, within it or around it %s", (truth, title, same, within) => {
  expect(isSameTitle(truth, title, { siteName: "Harbour", url: "https://example.com/" })).toBe(same);
  expect(isTitleWithin(truth, title)).toBe(within);
});
