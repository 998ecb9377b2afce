import { setImmediate } from "node:timers/promises";
import { stemWord } from "../text/language/stem.ts";
import { isStopWord } from "../text/language/stop-words.ts";
import { foldWord } from "../text/tokenise.ts";
import { WEIGHTS } from "../weights.ts";
import { createTurnCounter } from "./turn-counter.ts";
import type { QueryTerm, Question } from "./query.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Unknown words of a question that are corrected, the first ones. More of them are rather another language than misspelt. */
const MAX_WORDS_CORRECTED = 8;
/** Longer words are not corrected: their variants are as many as their letters. */
const MAX_WORD_LENGTH = 32;
/** Variants that are stemmed for one question, once for each language: 0.2 s. What exceeds them is corrected by edits alone. */
const MAX_STEMS = 30_000;
/** Terms compared and variants stemmed in one turn of the event loop, about 3 ms. */
const STEPS_PER_TURN = 500;
/** Terms of the board compared with one misspelt word. */
const MAX_TERMS_COMPARED = 4_000;
/** Shorter words have too many neighbours to correct. */
const MIN_WORD_LENGTH = 4;
/** Words of this length and longer are corrected up to two edits away, others one. */
const LONG_WORD_LENGTH = 8;
const MAX_CORRECTIONS = 4;
/** Scripts with more letters have no endings to correct. */
const MAX_LETTERS = 64;
const LETTER = /^\p{L}$/u;

/** Letters that a variant of a word and the term it is stemmed to have in common. */
const PREFIX_LENGTH = 3;

/** What the corrections of one question share. */
type Correction = {
  readonly vocabulary: Pick<Vocabulary, "listWithPrefix">;
  readonly languages: readonly string[];
  readonly isTurnOver: (units?: number) => boolean;
  stemsLeft: number;
};

/**
 * Adds corrections to the words of a question that the board does not contain: terms of the board one or two edits away, and terms
 * of words one edit away ("elevetor" is far from the term "elev", but "elevator" is not). Returns the question itself if there are
 * none. Words are corrected one after the other, and other calls run in between.
 */
export async function correctSpelling(
  vocabulary: Pick<Vocabulary, "listWithPrefix">,
  question: Question,
  isKnown: (term: string) => boolean,
): Promise<Question> {
  const { languages } = question;
  const correction = { vocabulary, languages, isTurnOver: createTurnCounter(STEPS_PER_TURN), stemsLeft: MAX_STEMS };
  const corrected = new Map<QueryTerm, QueryTerm>();
  const unknown = question.words.filter(({ forms, key }) => isCorrectable(key) && !forms.some(isKnown));
  for (const word of unknown.slice(0, MAX_WORDS_CORRECTED)) {
    const corrections = await findCorrections(correction, word);
    // The word itself stays: a tile that is not indexed yet may contain it.
    if (corrections.length > 0)
      corrected.set(word, { ...word, forms: [...word.forms, ...corrections], count: word.count * WEIGHTS.bm25.correction });
  }
  return corrected.size === 0 ? question : { ...question, words: question.words.map((word) => corrected.get(word) ?? word) };
}

const isCorrectable = ({ length }: string): boolean => length >= MIN_WORD_LENGTH && length <= MAX_WORD_LENGTH;

/**
 * Finds the terms with the fewest edits among those that begin with the word's first letter, or with its second (swapped letters).
 * Stop words are no corrections: every passage has them.
 */
async function findCorrections(correction: Correction, { key, typed }: QueryTerm): Promise<string[]> {
  const { vocabulary, isTurnOver } = correction;
  const maxEdits = key.length >= LONG_WORD_LENGTH ? 2 : 1;
  const [first = "", second = ""] = key;
  const lists = await Promise.all([...new Set([first, second])].map((letter) => vocabulary.listWithPrefix(letter, MAX_TERMS_COMPARED)));
  const terms = new Set(lists.flat().filter((term) => !isStopWord(term)));
  let best = await findStemsOfVariants(correction, typed, terms);
  let fewest = best.length > 0 ? 1 : maxEdits;
  for (const term of terms) {
    if (isTurnOver()) await setImmediate();
    const edits = computeEditDistance(key, term, fewest);
    if (edits > fewest) continue;
    if (edits < fewest) best = [];
    fewest = edits;
    best.push(term);
  }
  return [...new Set(best)].slice(0, MAX_CORRECTIONS);
}

/** Returns the terms that are stems of words one edit away from a word as it was typed. */
async function findStemsOfVariants(correction: Correction, word: string, terms: ReadonlySet<string>): Promise<string[]> {
  const letters = [...new Set([...terms].join(""))].filter((letter) => LETTER.test(letter));
  if (letters.length > MAX_LETTERS || word.length > MAX_WORD_LENGTH) return [];
  const prefixes = new Set([...terms].map((term) => term.slice(0, PREFIX_LENGTH)));
  const { languages, isTurnOver } = correction;
  const found = new Set<string>();
  for (const variant of listVariants(word, letters)) {
    if (!prefixes.has(variant.slice(0, PREFIX_LENGTH))) continue;
    correction.stemsLeft -= languages.length;
    if (correction.stemsLeft < 0) break;
    if (isTurnOver(languages.length)) await setImmediate();
    for (const language of languages) {
      const stem = stemWord(variant, language, foldWord);
      if (terms.has(stem)) found.add(stem);
    }
  }
  return [...found];
}

/** Yields the words one edit away: with a letter replaced, added or left out, or two swapped. */
function* listVariants(word: string, letters: readonly string[]): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== "") yield before + after.slice(1);
    if (after.length > 1) yield `${before}${after.charAt(1)}${after.charAt(0)}${after.slice(2)}`;
    for (const letter of letters) {
      yield before + letter + after;
      if (after !== "") yield before + letter + after.slice(1);
    }
  }
}

/**
 * Edit distance of two words: insertions, deletions, substitutions and swaps of adjacent letters (Damerau–Levenshtein, optimal
 * string alignment). Returns `maxEdits` + 1 if it is larger than that.
 */
export function computeEditDistance(one: string, other: string, maxEdits: number): number {
  if (Math.abs(one.length - other.length) > maxEdits) return maxEdits + 1;
  let [beforeLast, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let fewest = i;
    for (let j = 1; j <= other.length; j++) {
      const substitution = one[i - 1] === other[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + substitution);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] as number) + 1);
      row.push(edits);
      fewest = Math.min(fewest, edits);
    }
    if (fewest > maxEdits) return maxEdits + 1;
    [beforeLast, last] = [last, row];
  }
  return last[other.length] as number;
}
