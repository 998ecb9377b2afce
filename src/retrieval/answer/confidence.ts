import type { WeightedQuestion } from "../lexical/weight-question.ts";
import { getOwnScore, type Passage, readExcerpt, type Retrieval } from "../passage.ts";
import { sumWeighted, WEIGHTS } from "../weights.ts";
import { contradicts } from "./contradiction.ts";
import type { PassageSentence } from "./quote/passage-sentences.ts";

/** A name or number of a question, except the first word, which always has a capital. */
const NAME = /(?<=\S\s+["'(«„“]?)\p{Lu}[\p{L}\p{M}]+|\p{N}[\p{N}.,]*/gu;
/** Letters at the end of a name that may be inflection. */
const MAX_NAME_ENDING = 2;
const MIN_NAME_LENGTH = 4;
const MAX_QUESTION_CHARACTERS = 4_000;

/**
 * Log odds that the best sentence answers the question; above 0 it counts as answered. Logistic regression with the weights of
 * `WEIGHTS.confidence`, fitted on questions with and without their paragraph on the board, on boards of 1 to 1,216 passages,
 * and on misleading questions; figures are in `docs/decisions/015-retrieval.md`.
 */
export const computeConfidence = (text: string, retrieval: Retrieval, passage: Passage, sentence: PassageSentence): number =>
  sumWeighted(WEIGHTS.confidence, computeFeatures(text, retrieval, passage, sentence));

function computeFeatures(text: string, { passages, question, documents }: Retrieval, passage: Passage, sentence: PassageSentence) {
  const { similarityWithoutVector, maxGapToSecond, maxGapToSixth, fullCoverage, minDocuments } = WEIGHTS.confidenceBounds;
  const scores = passages.map(getOwnScore).sort((a, b) => b - a);
  const computeGap = (rank: number, max: number): number =>
    sentence.coverage >= fullCoverage ? max : Math.min(max, (scores[0] ?? 0) - (scores[rank] ?? 0));
  const headText = sentence.block === null ? "" : readExcerpt(passage.around, sentence.block.head);
  const sentenceText = `${headText} ${readExcerpt(passage.around, sentence)}`;
  return {
    constant: 1,
    coverage: sentence.coverage,
    similarity: sentence.similarity ?? similarityWithoutVector,
    gapToSecond: computeGap(1, maxGapToSecond),
    gapToSixth: computeGap(5, maxGapToSixth),
    unknownShare: computeUnknownShare(question),
    missingNameShare: computeMissingNameShare(text, `${passage.title} ${headText} ${passage.text}`),
    contradiction: contradicts(text, sentenceText, passage.match.language) ? 1 : 0,
    logDocuments: Math.log(Math.max(minDocuments, documents)),
  };
}

/** Share of the question's idf sum of words that occur nowhere on the board. */
function computeUnknownShare({ terms, idfSum }: WeightedQuestion): number {
  let unknown = 0;
  for (const { postings, weight, isWord } of terms) if (isWord && postings.length === 0) unknown += weight;
  return idfSum > 0 ? unknown / idfSum : 0;
}

/** Share of the question's names and numbers that do not occur in `content`: a passage, its tile's title, and the head above its rows. */
function computeMissingNameShare(text: string, content: string): number {
  const names = (text.slice(0, MAX_QUESTION_CHARACTERS).match(NAME) ?? []).map((name) => name.toLowerCase());
  if (names.length === 0) return 0;
  const folded = content.toLowerCase();
  const missing = names.filter((name) => !folded.includes(name.slice(0, Math.max(MIN_NAME_LENGTH, name.length - MAX_NAME_ENDING))));
  return missing.length / names.length;
}
