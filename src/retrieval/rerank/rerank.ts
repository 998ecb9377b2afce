import type { PassageReading } from "./reading.ts";

/** What a passage is ranked by; see `WEIGHTS`. */
export type Features = {
  /** BM25 over the question's idf mass. */
  readonly lexical: number;
  readonly bestSentence: number;
  readonly bestSentenceWithTitle: number;
  readonly pairs: number;
  readonly closeness: number;
  /** Runs of the question's characters, in the passage and in the sentence that has most. */
  readonly runs: number;
  readonly bestRuns: number;
  readonly likeness: number;
  readonly bestLikeness: number;
  readonly likenessOfFullest: number;
  /** What the passages before and after it have of the question's words, the more the shorter it is itself. */
  readonly around: number;
};

/** Fitted as a linear model of rank on public sets; `docs/decisions/015-retrieval.md` tells how, and what else was tried. */
const WEIGHTS: Features = {
  lexical: 1,
  // Below zero, since `bestSentenceWithTitle` says the same of the rare words: what is left is what the common ones bring, which is often chance.
  bestSentence: -0.5,
  bestSentenceWithTitle: 1.3,
  pairs: 0.45,
  closeness: 1.45,
  runs: 0.75,
  bestRuns: 1.4,
  likeness: 1,
  bestLikeness: 1.15,
  likenessOfFullest: 1.1,
  around: 2.2,
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
  const meanFullest = meanOf(candidates.map(({ reading }) => reading.likenessOfFullest));
  return candidates.map(({ lexical, around, reading }, at) => ({
    lexical,
    bestSentence: Math.max(0, ...reading.sentences.map(({ matched }) => matched)),
    bestSentenceWithTitle: reading.bestSentenceWithTitle,
    pairs: reading.pairs,
    closeness: reading.closeness,
    runs: reading.runs,
    bestRuns: Math.max(0, ...reading.sentences.map(({ runs }) => runs)),
    likeness: likeness[at] ?? meanLikeness,
    bestLikeness: best[at] ?? meanBest,
    likenessOfFullest: reading.likenessOfFullest ?? meanFullest,
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
