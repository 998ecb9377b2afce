import { computeMean } from "../output/numbers.ts";

/** True and false positives and false negatives of one page. */
export type Match = { readonly tp: number; readonly fp: number; readonly fn: number };
export type Score = { readonly f1: number; readonly precision: number; readonly recall: number };

const SHINGLE = 4;

function countShingles(text: string): Map<string, number> {
  const tokens = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, tokens.length - SHINGLE + 1); at++) {
    const key = tokens.slice(at, at + SHINGLE).join("\u0001");
    if (key !== "") counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Overlap of a text with the true one in word 4-grams, counting repetitions; the parts sum to 1. */
export function matchShingles(truth: string, text: string): Match {
  const expected = countShingles(truth);
  const actual = countShingles(text);
  let [tp, fp, fn] = [0, 0, 0];
  for (const [key, count] of expected) {
    const found = actual.get(key) ?? 0;
    tp += Math.min(count, found);
    fn += Math.max(0, count - found);
  }
  for (const [key, count] of actual) fp += Math.max(0, count - (expected.get(key) ?? 0));
  const sum = tp + fp + fn;
  return sum === 0 ? { tp, fp, fn } : { tp: tp / sum, fp: fp / sum, fn: fn / sum };
}

/** Segments found and not found in a text, verbatim. */
export function matchSegments(expected: readonly string[], unwanted: readonly string[], text: string): Match {
  const tp = expected.filter((segment) => text.includes(segment)).length;
  return { tp, fn: expected.length - tp, fp: unwanted.filter((segment) => text.includes(segment)).length };
}

const computePrecision = ({ tp, fp, fn }: Match): number => (tp + fp > 0 ? tp / (tp + fp) : fn > 0 ? 0 : 1);
const computeRecall = ({ tp, fn }: Match): number => (tp + fn > 0 ? tp / (tp + fn) : 1);
const computeHarmonicMean = (precision: number, recall: number): number =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);

/** Mean precision and recall over pages, and F1 of the two means. */
export function scorePages(pages: readonly Match[]): Score {
  const precision = computeMean(pages.filter(({ tp, fp }) => tp + fp > 0).map(computePrecision));
  const recall = computeMean(pages.filter(({ tp, fn }) => tp + fn > 0).map(computeRecall));
  return { f1: computeHarmonicMean(precision, recall), precision, recall };
}

/** Precision, recall and F1 over all segments together. */
export function scoreTotal(pages: readonly Match[]): Score {
  const total = pages.reduce((sum, { tp, fp, fn }) => ({ tp: sum.tp + tp, fp: sum.fp + fp, fn: sum.fn + fn }), { tp: 0, fp: 0, fn: 0 });
  const [precision, recall] = [computePrecision(total), computeRecall(total)];
  return { f1: computeHarmonicMean(precision, recall), precision, recall };
}
