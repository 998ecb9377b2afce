/**
 * The fitted constants of ranking and answering. `npm run fit` refits them one at a time and reports the effect on held-out
 * questions; `npm run fit -- --write` changes this file. `docs/decisions/015-retrieval.md` says how and when to refit.
 *
 * Fitted on the public parts of SQuAD 2.0, SciFact, Cranfield, CISI and QMSum; `confidence` also on the sample board of
 * `bench/quality/board`. XQuAD's twelve languages served as a check.
 *
 * Read the values where they are used, never at import: the fitting script changes them in its own process.
 */
export const WEIGHTS = {
  /** What the index stores; a change takes effect when a tile is indexed again. */
  index: {
    /** Frequency of a title term, relative to a term of the text. */
    titleTerm: 2,
    /** Frequency of a term of a heading above the passage. */
    headingTerm: 1,
  },
  /** First ranking, over all passages of a board. */
  bm25: {
    /** Saturation of term frequency. */
    k1: 1.2,
    /** Normalisation by passage length, 0 to 1. */
    b: 0.75,
    /** Smaller boards are weighted as if they had this many passages: with one passage, every idf would be close to 0. */
    minDocuments: 100,
    /** A word that shares only its prefix with a word of the question. */
    prefix: 0.6,
    /** A corrected spelling, relative to the word as it was typed. */
    correction: 0.7,
  },
  /** How well one passage matches the question, before any weights are applied. */
  match: {
    /** Terms between two words at which they count half as close as adjacent ones. */
    proximityHalfDistance: 2,
    /** Saturation of repeated word pairs. */
    pairSaturation: 0.8,
    /** BM25 scores of the passages one, two and three places before and after. */
    firstNeighbour: 0.25,
    secondNeighbour: 0.125,
    thirdNeighbour: 0.125,
  },
  /** Linear model of the reranker; the features are defined in `rerank/rerank.ts`. */
  rerank: {
    lexical: 1,
    // Negative, because `bestSentenceWithTitle` already counts the rare words: the remainder is common words, often a coincidence.
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
  },
  /** How much the passages around a candidate count. */
  context: {
    /** A passage of this many terms counts its neighbours half as much as an empty one. */
    shortPassageTerms: 25,
    /** Share of conversational words below which a text is written: nine in ten of 77 web articles and all abstracts are below it. */
    minConversationShare: 0.05,
    /** Share from which on a text is entirely conversation. */
    fullConversationShare: 0.12,
    /** In conversations, the sum of the scores around a passage, relative to its own score. */
    windowWeight: 6,
    /** Passages this far away count 1/e of an adjacent one. */
    windowDecay: 6,
    /** Quantile of all scores that counts as no better than chance. */
    baselineQuantile: 0.2,
  },
  /** Which sentence answers. */
  sentence: {
    coverage: 1,
    ngrams: 0.6,
    similarity: 0.76,
    /** Score of its passage, relative to the best passage. */
    passage: 0.62,
  },
  /** Which further quotes are added; differences of sentence scores to the best one. */
  answer: {
    maxQuoteGap: 0.25,
    maxCitationGap: 1,
    // The next two are set by hand; decision 15 says what others lose.
    /** A further quote must have more than this share of the question's idf sum if the first one has all of it. */
    minFurtherCoverage: 0.5,
    /** Share of the question's idf sum by which a further sentence, row or item adds to those that are marked. */
    minAddedCoverage: 0.1,
  },
  /** Logistic regression of whether the best sentence answers the question; the features are defined in `answer/confidence.ts`. */
  confidence: {
    constant: 1.37,
    coverage: 1.93,
    similarity: 1.88,
    gapToSecond: 2.34,
    gapToSixth: 0.32,
    unknownShare: -1.62,
    missingNameShare: -1.49,
    // Set by hand: 0.7 % of the sentences that answer contradict the question, and 15 % of those that only seem to answer.
    contradiction: -2.5,
    logDocuments: -0.77,
  },
  /** Bounds of the features of `confidence`. */
  confidenceBounds: {
    // Slightly above the mean of answering sentences (.65), because the gaps between scores do not include the similarity either.
    similarityWithoutVector: 0.7,
    /** Larger gaps count as this much: a small board may have no second passage. */
    maxGapToSecond: 0.6,
    maxGapToSixth: 1,
    /** From this coverage on, other passages that match as well are no reason for doubt. */
    fullCoverage: 0.9,
    /** Smaller boards are judged as if they had this many passages. */
    minDocuments: 60,
  },
} as const;

/**
 * Sum of each feature times its weight, in the order of the features. A new feature has no weight, and no effect, until
 * `npm run fit -- --write` adds one.
 */
export function sumWeighted(weights: Readonly<Record<string, number>>, features: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const name in features) sum += (weights[name] ?? 0) * (features[name] as number);
  return sum;
}
