import type { Passage, Retrieval } from "./passage.ts";
import type { SentenceReading } from "./rerank/reading.ts";

/** The likeness of a sentence that has no vector, for a question that may have one: what stands between those that answer and those that don't. */
const UNKNOWN_LIKENESS = 0.6;
/** A name or number in a question but at its start, where every word has a capital. */
const NAME = /(?<=\S\s+["'(«„“]?)\p{Lu}[\p{L}\p{M}]+|\p{N}[\p{N}.,]*/gu;
/** Where a sentence holds all the question's words, others that hold them too are no reason to doubt it: this gap is then taken at least. */
const WHOLE = 0.9;
const WHOLE_GAP = 1;
/** Endings that a name may take on or lose. */
const ENDING = 2;
const LEAST_NAME = 4;

/**
 * How sure it is that the best sentence answers the question, as log odds: above 0 it counts as answered. Logistic regression over
 * public questions with and without their paragraph on the board, on boards of 1 to 1,216 passages, and over questions made
 * to mislead; figures are in `docs/decisions/015-retrieval.md`.
 */
export function confidenceOf(text: string, retrieval: Retrieval, passage: Passage, sentence: SentenceReading): number {
  const { passages, question, documents } = retrieval;
  const least = sentence.matched >= WHOLE ? WHOLE_GAP : 0;
  const gapTo = (place: number): number => Math.max(least, (passages[0]?.score ?? 0) - (passages[place]?.score ?? 0));
  const heaviestMissing = Math.max(0, ...[...question.weights].filter(([key]) => !sentence.words.has(key)).map(([, weight]) => weight));
  return (
    -4.51 +
    3.09 * sentence.matched +
    2.18 * (sentence.likeness ?? UNKNOWN_LIKENESS) +
    0.37 * gapTo(1) +
    0.76 * gapTo(5) +
    3.39 * (question.mass > 0 ? heaviestMissing / question.mass : 0) +
    0.147 * question.words.length -
    1.56 * missingNames(text, passage) -
    0.28 * Math.log(Math.max(1, documents))
  );
}

/** The share of the question's names and numbers that stand neither in the passage nor in its tile's title. */
function missingNames(text: string, passage: Passage): number {
  const names = (text.slice(0, 4_000).match(NAME) ?? []).map((name) => name.toLowerCase());
  if (names.length === 0) return 0;
  const content = `${passage.title} ${passage.text}`.toLowerCase();
  const missing = names.filter((name) => !content.includes(name.slice(0, Math.max(LEAST_NAME, name.length - ENDING))));
  return missing.length / names.length;
}
