import { type Passage, type Retrieval, getOwnScore } from "../passage.ts";
import { contradicts } from "./contradiction.ts";
import type { SentenceMatch } from "../rerank/match-passage.ts";
import type { WeightedQuestion } from "../lexical/weight-question.ts";

/** What stands in for the likeness of a sentence without a vector: a little more than the .65 that those that answer have on average, since the passages' scores, whose gaps count as well, lack it too. */
const DEFAULT_SIMILARITY = 0.7;
/** A name or number in a question but at its start, where every word has a capital. */
const NAME = /(?<=\S\s+["'(«„“]?)\p{Lu}[\p{L}\p{M}]+|\p{N}[\p{N}.,]*/gu;
/** How far the best passage stands above the second and the sixth tells this much at most: on a small board there may be none. */
const MAX_GAP_TO_SECOND = 0.6;
const MAX_GAP_TO_SIXTH = 1;
/** Where a sentence holds this share of the question, others that hold it too are no reason to doubt it. */
const FULL_COVERAGE = 0.9;
/** A smaller board is judged as one of so many passages. */
const MIN_DOCUMENTS = 60;
/** What a sentence that says the contrary loses; set by hand, by how much rarer it is to be right (0.7 % of those that answer, 15 % of those that only seem to). */
const CONTRADICTION_PENALTY = 2.5;
/** Endings that a name may take on or lose. */
const MAX_NAME_ENDING = 2;
const MIN_NAME_LENGTH = 4;

/**
 * How sure it is that the best sentence answers the question, as log odds: above 0 it counts as answered. Logistic regression over
 * public questions with and without their paragraph on the board, on boards of 1 to 1,216 passages, over questions made
 * to mislead, and over the mixed board of `bench/quality/board`; figures are in `docs/decisions/015-retrieval.md`.
 */
export function computeConfidence(text: string, retrieval: Retrieval, passage: Passage, sentence: SentenceMatch): number {
  const { passages, question, documents } = retrieval;
  const scores = passages.map(getOwnScore).sort((a, b) => b - a);
  const computeGap = (place: number, max: number): number =>
    sentence.coverage >= FULL_COVERAGE ? max : Math.min(max, (scores[0] ?? 0) - (scores[place] ?? 0));
  const sentenceText = passage.text.slice(sentence.start, sentence.end);
  return (
    1.37 +
    1.93 * sentence.coverage +
    1.88 * (sentence.similarity ?? DEFAULT_SIMILARITY) +
    2.34 * computeGap(1, MAX_GAP_TO_SECOND) +
    0.32 * computeGap(5, MAX_GAP_TO_SIXTH) -
    1.62 * computeUnknownShare(question) -
    1.49 * computeMissingNameShare(text, passage) -
    (contradicts(text, sentenceText, passage.match.language) ? CONTRADICTION_PENALTY : 0) -
    0.77 * Math.log(Math.max(MIN_DOCUMENTS, documents))
  );
}

/** The share of the question that stands nowhere on the board. */
function computeUnknownShare({ terms, idfSum }: WeightedQuestion): number {
  let unknown = 0;
  for (const { postings, weight, isWord } of terms) if (isWord && postings.length === 0) unknown += weight;
  return idfSum > 0 ? unknown / idfSum : 0;
}

/** The share of the question's names and numbers that stand neither in the passage nor in its tile's title. */
function computeMissingNameShare(text: string, passage: Passage): number {
  const names = (text.slice(0, 4_000).match(NAME) ?? []).map((name) => name.toLowerCase());
  if (names.length === 0) return 0;
  const content = `${passage.title} ${passage.text}`.toLowerCase();
  const missing = names.filter((name) => !content.includes(name.slice(0, Math.max(MIN_NAME_LENGTH, name.length - MAX_NAME_ENDING))));
  return missing.length / names.length;
}
