import { distanceAt, cosineOf } from "../semantic/signature.ts";
import { sentencesOf } from "../semantic/sentences.ts";
import { detectLanguage } from "../text/language.ts";
import { foldWord, tokenise } from "../text/tokenise.ts";
import type { WeighedQuestion } from "../lexical/weigh.ts";

/** How one sentence of a passage meets a question; shares are 0 to 1. */
export type SentenceReading = {
  /** UTF-16 code units into the passage. */
  readonly start: number;
  readonly end: number;
  /** Keys of the question's words that it holds. */
  readonly words: ReadonlySet<string>;
  /** The share of the question's idf mass that they are. */
  readonly matched: number;
  /** The share of the question's runs of four characters. */
  readonly grams: number;
  /** Cosine to the question; null where either has no vector. */
  readonly likeness: number | null;
};

export type PassageReading = {
  readonly sentences: readonly SentenceReading[];
  /** The largest share of the question's idf mass that two neighbouring sentences hold together. */
  readonly bestTwo: number;
  /** The same shares for the passage as a whole. */
  readonly matched: number;
  readonly grams: number;
  /** The share of the question's neighbouring words that stand together here. */
  readonly pairs: number;
  readonly likeness: number | null;
  /** Terms in it. */
  readonly length: number;
};

/** The signatures of a passage and its sentences, and the question's own. */
export type Signatures = { readonly question: Uint8Array; readonly passage: Uint8Array; readonly sentences: Uint8Array };

/** Words that stand together may have so many others between them, and seeing them again and again tells ever less. */
const PAIR_GAP = 2;
const PAIR_HALF = 0.8;

/** So much of a passage tells its language. */
const TELLING = 400;

/** Reads a passage sentence by sentence for what it has of a question. */
export function readPassage(question: WeighedQuestion, text: string, signatures: Signatures | null): PassageReading {
  const language = detectLanguage(text.slice(0, TELLING)) ?? "en";
  const gramWeights = 1 / Math.max(1, question.grams.length);
  const seen = new Set<string>();
  const seenGrams = new Set<string>();
  const pairs = new Map<string, number>();
  let length = 0;
  const sentences = sentencesOf(text).map(({ start, end }, at): SentenceReading => {
    const sentence = text.slice(start, end);
    const terms = tokenise(sentence, language);
    length += terms.length;
    const keys = terms.map((term) => question.keyOfForm.get(term));
    const words = new Set(keys.filter((key) => key !== undefined));
    for (const word of words) seen.add(word);
    countPairs(question, keys, pairs);
    const folded = foldWord(sentence);
    let grams = 0;
    for (const gram of question.grams) {
      if (!folded.includes(gram)) continue;
      seenGrams.add(gram);
      grams++;
    }
    return {
      start,
      end,
      words,
      matched: massOf(question, words),
      grams: grams * gramWeights,
      likeness: likenessAt(signatures, at),
    };
  });
  return {
    sentences,
    bestTwo: bestTwoOf(question, sentences),
    matched: massOf(question, seen),
    grams: seenGrams.size * gramWeights,
    pairs: pairShare(question, pairs),
    likeness: signatures === null ? null : likenessOf(signatures.question, signatures.passage, 0),
    length,
  };
}

function bestTwoOf(question: WeighedQuestion, sentences: readonly SentenceReading[]): number {
  let best = 0;
  for (const [at, { words, matched }] of sentences.entries()) {
    const next = sentences[at + 1]?.words;
    best = Math.max(best, next === undefined || next.size === 0 ? matched : massOf(question, words.union(next)));
  }
  return best;
}

export function massOf(question: WeighedQuestion, keys: ReadonlySet<string>): number {
  if (question.mass <= 0) return 0;
  let mass = 0;
  for (const key of keys) mass += question.weights.get(key) ?? 0;
  return mass / question.mass;
}

const likenessOf = (one: Uint8Array, many: Uint8Array, at: number): number => cosineOf(distanceAt(one, many, at), one.length * 8);

function likenessAt(signatures: Signatures | null, sentence: number): number | null {
  if (signatures === null) return null;
  const at = sentence * signatures.question.length;
  return at + signatures.question.length <= signatures.sentences.length ? likenessOf(signatures.question, signatures.sentences, at) : null;
}

function countPairs({ pairs }: WeighedQuestion, keys: readonly (string | undefined)[], counts: Map<string, number>): void {
  for (const [first, second] of pairs) {
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== first) continue;
      for (let j = i + 1; j <= i + PAIR_GAP && j < keys.length; j++) {
        if (keys[j] === second) counts.set(`${first} ${second}`, (counts.get(`${first} ${second}`) ?? 0) + 1);
      }
    }
  }
}

function pairShare({ pairs, weights }: WeighedQuestion, counts: ReadonlyMap<string, number>): number {
  let found = 0;
  let mass = 0;
  for (const [first, second] of pairs) {
    const weight = ((weights.get(first) ?? 0) + (weights.get(second) ?? 0)) / 2;
    const count = counts.get(`${first} ${second}`) ?? 0;
    mass += weight;
    found += (weight * count * (1 + PAIR_HALF)) / (count + PAIR_HALF);
  }
  return mass > 0 ? found / mass : 0;
}
