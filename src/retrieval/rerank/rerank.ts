import type { PassageReading } from "./reading.ts";

/** What a passage is ranked by; see `WEIGHTS`. */
export type Features = {
  /** BM25 over the question's idf mass. */
  readonly lexical: number;
  readonly bestSentence: number;
  readonly bestTwo: number;
  readonly pairs: number;
  readonly grams: number;
  readonly bestGrams: number;
  readonly likeness: number;
  readonly bestLikeness: number;
  /** What the passages before and after it have of the question's words, the more the shorter it is itself. */
  readonly around: number;
};

/** Fitted as a linear model of rank on public sets; `docs/decisions/015-retrieval.md` tells how, and what else was tried. */
const WEIGHTS: Features = {
  lexical: 1,
  bestSentence: 0.35,
  bestTwo: 0.35,
  pairs: 0.35,
  grams: 0.3,
  bestGrams: 0.4,
  likeness: 1,
  bestLikeness: 1.5,
  around: 1.6,
};

/** A passage of so many terms leans on what is around it half as much as one of none. */
const SHORT_PASSAGE = 25;

const NAMES = Object.keys(WEIGHTS) as (keyof Features)[];

export type Candidate = {
  readonly lexical: number;
  /** The mean lexical score of the passages next to it. */
  readonly around: number;
  readonly reading: PassageReading;
};

/** Features of each candidate; where one has no vector, the mean of the others stands in for its likeness. */
export function featuresOf(candidates: readonly Candidate[]): Features[] {
  const likeness = candidates.map(({ reading }) => reading.likeness);
  const best = candidates.map(({ reading }) => bestOf(reading.sentences.map((sentence) => sentence.likeness)));
  const meanLikeness = meanOf(likeness);
  const meanBest = meanOf(best);
  return candidates.map(({ lexical, around, reading }, at) => ({
    lexical,
    bestSentence: Math.max(0, ...reading.sentences.map(({ matched }) => matched)),
    bestTwo: reading.bestTwo,
    pairs: reading.pairs,
    grams: reading.grams,
    bestGrams: Math.max(0, ...reading.sentences.map(({ grams }) => grams)),
    likeness: likeness[at] ?? meanLikeness,
    bestLikeness: best[at] ?? meanBest,
    around: around / (1 + reading.length / SHORT_PASSAGE),
  }));
}

export const scoreOf = (features: Features): number => NAMES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);

const bestOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

function meanOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}
