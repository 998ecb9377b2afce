import { sumWeighted, WEIGHTS } from "../weights.ts";
import { addWindowScores, measureConversation } from "./conversation.ts";
import type { Question } from "../lexical/query.ts";
import type { PassageMatch } from "./match-passage.ts";

/** A passage with everything that the ranking formula may use. */
export type PassageCandidate = {
  /** Number of the passage on its board; passages of one text and tiles created together have consecutive numbers. */
  readonly document: number;
  readonly text: string;
  /** BM25 score as a share of the question's idf sum. */
  readonly lexical: number;
  /** Weighted BM25 scores of the passages before and after it, as a share of the question's idf sum. */
  readonly neighbourScore: number;
  readonly match: PassageMatch;
};

/** `own`: score by the passage's own content. `score`: the score it is ranked by, which in conversations includes its surroundings. */
export type RerankScores = { readonly own: number; readonly score: number };

/**
 * The ranking formula: scores candidates of one question against each other. To change it, add or change a feature in
 * `computeFeatures`, then run `npm run fit`.
 */
export function rerank(candidates: readonly PassageCandidate[]): RerankScores[] {
  const own = computeFeatures(candidates).map((features) => sumWeighted(WEIGHTS.rerank, features));
  const scores = addWindowScores(
    candidates.map(({ document }, at) => ({ document, score: own[at] as number })),
    measureConversation(candidates.map(({ text, match: { language } }) => ({ text, language }))),
  );
  return candidates.map((_, at) => ({ own: own[at] as number, score: scores[at] as number }));
}

/**
 * The score of the best possible match of a question: a sentence that is the question, in a passage of its own. Scores are a share of
 * it where callers see them, so that one threshold fits every question.
 */
export function computeBestScore({ words, ngrams }: Question, hasVectors: boolean): number {
  const pairs = words.length > 1 ? 1 : 0;
  const letters = ngrams.length > 0 ? 1 : 0;
  const similarity = hasVectors ? 1 : 0;
  return sumWeighted(WEIGHTS.rerank, {
    // What BM25 comes to for a word that is repeated without end.
    lexical: WEIGHTS.bm25.k1 + 1,
    bestSentence: 1,
    bestSentenceWithTitle: 1,
    pairs,
    proximity: pairs / (1 + 1 / WEIGHTS.match.proximityHalfDistance),
    ngrams: letters,
    bestNgrams: letters,
    similarity,
    bestSimilarity: similarity,
    fullestSimilarity: similarity,
  });
}

/**
 * Features of each candidate, weighted by `WEIGHTS.rerank`. A candidate without a vector gets the mean similarity of the others.
 */
export function computeFeatures(candidates: readonly PassageCandidate[]) {
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
    // The shorter a passage, the more its neighbours say about it.
    neighbours: neighbourScore / (1 + match.length / WEIGHTS.context.shortPassageTerms),
  }));
}

const findMax = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

function computeMean(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}
