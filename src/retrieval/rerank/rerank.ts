import type { PassageMatch } from "./match-passage.ts";

/** What a passage is ranked by; see `WEIGHTS`. */
export type Features = {
  /** BM25 over the question's idf mass. */
  readonly lexical: number;
  readonly bestSentence: number;
  readonly bestSentenceWithTitle: number;
  readonly pairs: number;
  readonly proximity: number;
  /** Runs of the question's characters, in the passage and in the sentence that has most. */
  readonly ngrams: number;
  readonly bestNgrams: number;
  readonly similarity: number;
  readonly bestSimilarity: number;
  readonly fullestSimilarity: number;
  /** What the passages before and after it have of the question's words, the more the shorter it is itself. */
  readonly neighbours: number;
};

/** Fitted as a linear model of rank on public sets; `docs/decisions/015-retrieval.md` tells how, and what else was tried. */
const WEIGHTS: Features = {
  lexical: 1,
  // Below zero, since `bestSentenceWithTitle` says the same of the rare words: what is left is what the common ones bring, which is often chance.
  bestSentence: -0.5,
  bestSentenceWithTitle: 1.3,
  pairs: 0.45,
  proximity: 1.45,
  ngrams: 0.75,
  bestNgrams: 1.4,
  similarity: 1,
  bestSimilarity: 1.15,
  fullestSimilarity: 1.1,
  neighbours: 2.2,
};

/** A passage of so many terms leans on what is around it half as much as one of none. */
const SHORT_PASSAGE_TERMS = 25;

const NAMES = Object.keys(WEIGHTS) as (keyof Features)[];

export type Candidate = {
  readonly lexical: number;
  /** The mean lexical score of the passages next to it. */
  readonly neighbourScore: number;
  readonly match: PassageMatch;
};

/** Features of each candidate; where one has no vector, the mean of the others stands in for its likeness. */
export function computeFeatures(candidates: readonly Candidate[]): Features[] {
  const similarities = candidates.map(({ match }) => match.similarity);
  const bestSimilarities = candidates.map(({ match }) => findMax(match.sentences.map((sentence) => sentence.similarity)));
  const meanSimilarity = computeMean(similarities);
  const meanBest = computeMean(bestSimilarities);
  const meanFullest = computeMean(candidates.map(({ match }) => match.fullestSimilarity));
  return candidates.map(({ lexical, neighbourScore, match }, at) => ({
    lexical,
    bestSentence: Math.max(0, ...match.sentences.map(({ coverage }) => coverage)),
    bestSentenceWithTitle: match.bestSentenceWithTitle,
    pairs: match.pairShare,
    proximity: match.proximity,
    ngrams: match.ngramShare,
    bestNgrams: Math.max(0, ...match.sentences.map(({ ngramShare }) => ngramShare)),
    similarity: similarities[at] ?? meanSimilarity,
    bestSimilarity: bestSimilarities[at] ?? meanBest,
    fullestSimilarity: match.fullestSimilarity ?? meanFullest,
    neighbours: neighbourScore / (1 + match.length / SHORT_PASSAGE_TERMS),
  }));
}

export const computeScore = (features: Features): number => NAMES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);

const findMax = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

function computeMean(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}
