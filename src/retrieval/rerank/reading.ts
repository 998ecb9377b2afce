import { distanceAt, cosineOf } from "../semantic/signature.ts";
import { sentencesOf } from "../semantic/sentences.ts";
import { detectLanguage } from "../text/language.ts";
import { beginningOf, joinedTerms, tokeniseFor } from "../text/tokenise.ts";
import { joinedTitleTermsOf, titleTermsOf } from "../lexical/analyse.ts";
import { PREFIX_WORTH } from "../lexical/query.ts";
import type { WeighedQuestion } from "../lexical/weigh.ts";
import { type Place, closenessOf } from "./closeness.ts";
import { countPairs, pairShare } from "./pairs.ts";
import { type HeldRuns, runsBetween, shareOf } from "./runs.ts";

/** How one sentence of a passage meets a question; shares are 0 to 1. */
export type SentenceReading = {
  /** UTF-16 code units into the passage. */
  readonly start: number;
  readonly end: number;
  /** Keys of the question's words that it holds. */
  readonly words: ReadonlySet<string>;
  /** The share of the question's idf mass that they are. */
  readonly matched: number;
  /** What it has of the question's runs of characters. */
  readonly runs: number;
  /** Cosine to the question; null where either has no vector. */
  readonly likeness: number | null;
};

export type PassageReading = {
  readonly sentences: readonly SentenceReading[];
  /** The largest share of the question's squared idf mass that a sentence and the title hold together. */
  readonly bestSentenceWithTitle: number;
  /** The same shares for the passage as a whole. */
  readonly matched: number;
  readonly runs: number;
  /** The share of the question's neighbouring words that stand together here. */
  readonly pairs: number;
  /** How close to one another its words stand, 0 to 1. */
  readonly closeness: number;
  readonly likeness: number | null;
  /** That of the sentence which holds most of its words, those that only begin like them counted in part. */
  readonly likenessOfFullest: number | null;
  /** Terms in it. */
  readonly length: number;
  /** Its language (ISO 639-1) as far as it is told; English where it is not. */
  readonly language: string;
};

/** The signatures of a passage and its sentences, and the question's own. */
export type Signatures = { readonly question: Uint8Array; readonly passage: Uint8Array; readonly sentences: Uint8Array };

/** So much of a passage tells its language. */
const TELLING = 400;

/** What is known beside a passage's text. */
export type Beside = {
  readonly signatures?: Signatures | null;
  /** The title of its tile. */
  readonly title?: string;
  /** The question's runs that it holds. */
  readonly runs?: HeldRuns | undefined;
};

const NO_RUNS: HeldRuns = { text: "", runs: [] };

/** Reads a passage sentence by sentence for what it has of a question. */
export function readPassage(question: WeighedQuestion, text: string, beside: Beside = {}): PassageReading {
  const { signatures = null, title = "", runs = NO_RUNS } = beside;
  const language = detectLanguage(text.slice(0, TELLING)) ?? "en";
  const seen = new Set<string>();
  const pairs = new Map<string, number>();
  const told = keysIn(question, [...titleTermsOf(title, language), ...joinedTitleTermsOf(title, language)]);
  const places: Place[] = [];
  let bestSentenceWithTitle = squareShare(question, told);
  let fullest: { readonly held: number; readonly likeness: number | null } = { held: -1, likeness: null };
  let length = 0;
  const sentences = sentencesOf(text).map(({ start, end }, at): SentenceReading => {
    const sentence = text.slice(start, end);
    const terms = tokeniseFor(question.beginnings, sentence, language);
    const keys = terms.map((term) => (term === null ? undefined : question.keyOfForm.get(term)));
    const words = new Set(keys.filter((key) => key !== undefined));
    const begun = new Set<string>();
    for (const [i, term] of terms.entries()) {
      if (term === null) continue;
      const key = keys[i] ?? question.keyOfBeginning.get(beginningOf(term));
      if (key === undefined) continue;
      places.push({ key, at: length + i });
      if (!words.has(key)) begun.add(key);
    }
    for (const term of joinedTerms(sentence, language)) {
      const key = question.keyOfForm.get(term);
      if (key !== undefined) words.add(key);
    }
    length += terms.length;
    const matched = massOf(question, words);
    const likeness = likenessAt(signatures, at);
    const held = matched + PREFIX_WORTH * massOf(question, begun);
    if (held > fullest.held) fullest = { held, likeness };
    bestSentenceWithTitle = Math.max(bestSentenceWithTitle, squareShare(question, told.union(words)));
    for (const word of words) seen.add(word);
    countPairs(question, keys, pairs);
    return {
      start,
      end,
      words,
      matched,
      runs: runsBetween(runs, start, end),
      likeness,
    };
  });
  return {
    sentences,
    bestSentenceWithTitle,
    matched: massOf(question, seen),
    runs: shareOf(runs),
    pairs: pairShare(question, pairs),
    closeness: closenessOf(question, places),
    likeness: signatures === null ? null : likenessOf(signatures.question, signatures.passage, 0),
    likenessOfFullest: fullest.likeness,
    length,
    language,
  };
}

export function massOf(question: WeighedQuestion, keys: ReadonlySet<string>): number {
  if (question.mass <= 0) return 0;
  let mass = 0;
  for (const key of keys) mass += question.weights.get(key) ?? 0;
  return mass / question.mass;
}

const keysIn = ({ keyOfForm }: WeighedQuestion, terms: readonly string[]): ReadonlySet<string> =>
  new Set(terms.map((term) => keyOfForm.get(term)).filter((key) => key !== undefined));

function squareShare({ weights, squares }: WeighedQuestion, keys: ReadonlySet<string>): number {
  if (squares <= 0) return 0;
  let sum = 0;
  for (const key of keys) sum += (weights.get(key) ?? 0) ** 2;
  return sum / squares;
}

const likenessOf = (one: Uint8Array, many: Uint8Array, at: number): number => cosineOf(distanceAt(one, many, at), one.length * 8);

function likenessAt(signatures: Signatures | null, sentence: number): number | null {
  if (signatures === null) return null;
  const at = sentence * signatures.question.length;
  return at + signatures.question.length <= signatures.sentences.length ? likenessOf(signatures.question, signatures.sentences, at) : null;
}
