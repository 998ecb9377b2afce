import {
  getCharacterClasses,
  classifyCharacter,
  copyString,
  hasHan,
  alignToCodePoint,
  SEPARATOR,
  SPACED,
  SURROGATE,
} from "./characters.ts";
import { findCompounds } from "./compounds.ts";
import { ASCII, passesFilter, type PrefixFilter } from "./prefixes.ts";
import { stemWord, toStemmedLanguage } from "./language/stem.ts";

/** UTF-16 code units. */
const MAX_TERM_LENGTH = 64;
/** Text without spaces is segmented in parts of this length, which bounds memory. */
const SEGMENT_LENGTH = 1_000;
const MAX_CACHE_ENTRIES = 50_000;

const NON_ASCII = /\P{ASCII}/u;
// Accents, Hebrew points, Arabic vowel signs and tatweel, which writers often omit. Indic vowel signs are kept.
const FOLDED = /\u00ad|[\u0300-\u036f]|[\u0591-\u05c7]|\u0640|[\u064b-\u065f]|\u0670|\u200c|\u200d/g;
const UNDECOMPOSED = /[ßæœøđłðþı]/g;
const SPELT_OUT: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ð: "d", þ: "th", ı: "i" };
const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/u;

/** Terms by word, for each language with a stemmer: callers can name any language, so others must not get a cache. */
const caches = new Map<string, Map<string, string>>();
let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the index terms of a text, in order, repeats kept; used for questions and content alike. Words are folded (NFKC, lower
 * case, no diacritics) and stemmed by `language` (ISO 639-1) or script. Scripts without spaces are segmented by dictionary (ICU);
 * Han words also yield their single characters, so that a question that is segmented differently still matches. Takes linear time.
 */
export function tokenise(text: string, textLanguage = "en"): string[] {
  const terms: string[] = [];
  const language = toStemmedLanguage(textLanguage);
  const cache = getCache(language);
  for (const word of splitWords(text)) pushTerms(terms, word, language, cache);
  return terms;
}

/**
 * Like `tokenise`, but returns null for words that the filter excludes, so that the others keep their positions. Much faster when
 * only a few terms are searched.
 */
export function tokeniseMatching(filter: PrefixFilter, text: string, textLanguage = "en"): (string | null)[] {
  const terms: (string | null)[] = [];
  const language = toStemmedLanguage(textLanguage);
  const cache = getCache(language);
  for (const word of PREFIX_CHANGING_LANGUAGES.has(language) ? splitWords(text) : scanWords(text, filter)) {
    if (word === null) terms.push(null);
    else pushTerms(terms, word, language, cache);
  }
  return terms;
}

/** Languages whose stemmer may change the first letters of a word: Turkish "dine" is stemmed to "t", "leri" to "". */
const PREFIX_CHANGING_LANGUAGES: ReadonlySet<string> = new Set(["tr"]);

/** Index terms of a text's hyphenated words, written as one word, in order: `email` for "e-mail". */
export const tokeniseCompounds = (text: string, language = "en"): string[] =>
  findCompounds(text).flatMap(({ first, second }) => tokenise(`${first}${second}`, language));

/**
 * Splits a text into words, in order and unchanged; those of scripts without spaces are folded, because segmenting needs that.
 */
export const splitWords = (text: string): string[] => scanWords(text, null);

/** Like `splitWords`; returns null for words that the filter excludes. */
function scanWords(text: string, filter: null): string[];
function scanWords(text: string, filter: PrefixFilter): (string | null)[];
function scanWords(text: string, filter: PrefixFilter | null): (string | null)[] {
  const words: (string | null)[] = [];
  const classes = getCharacterClasses();
  const length = text.length;
  let i = 0;
  while (i < length) {
    const kind = classifyAt(text, i, classes);
    const start = i;
    if (kind === SEPARATOR) {
      i++;
      continue;
    }
    let bits = 0;
    while (i < length) {
      const code = text.charCodeAt(i);
      const known = classes[code] as number;
      if (known === kind) i++;
      else if (known === SURROGATE && classifyAt(text, i, classes) === kind) i += 2;
      else break;
      bits |= code;
    }
    const isCandidate = filter === null || bits >= ASCII || i - start < 2 || passesFilter(filter, text, start);
    if (!isCandidate) words.push(null);
    else if (kind === SPACED)
      words.push(text.slice(start, i - start > MAX_TERM_LENGTH ? alignToCodePoint(text, start + MAX_TERM_LENGTH) : i));
    else pushUnspaced(words, text, start, i);
  }
  return words;
}

/** Folds a word: NFKC, lower case, without diacritics that writers often omit. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (!NON_ASCII.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(FOLDED, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => SPELT_OUT[letter] ?? letter);
}

function getCache(language: string): Map<string, string> {
  let cache = caches.get(language);
  if (cache === undefined) {
    cache = new Map();
    caches.set(language, cache);
  }
  return cache;
}

function classifyAt(text: string, i: number, classes: Uint8Array): number {
  const known = classes[text.charCodeAt(i)] as number;
  if (known !== SURROGATE) return known;
  const point = text.codePointAt(i) as number;
  return point > 0xffff ? classifyCharacter(String.fromCodePoint(point)) : SEPARATOR;
}

function pushTerms(terms: (string | null)[], word: string, language: string, cache: Map<string, string>): void {
  const known = cache.get(word);
  if (known !== undefined) {
    if (known !== "") terms.push(known);
    return;
  }
  const folded = foldWord(word);
  // Compatibility forms such as ½ become several words when folded, and are too rare to cache.
  if (NON_ASCII.test(word) && NOT_WORD.test(folded)) {
    for (const part of folded.split(NOT_WORD)) if (part !== "") terms.push(toTerm(part, language));
    return;
  }
  const term = copyString(toTerm(word, language));
  if (cache.size >= MAX_CACHE_ENTRIES) cache.clear();
  cache.set(copyString(word), term);
  if (term !== "") terms.push(term);
}

function toTerm(word: string, language: string): string {
  const lower = word.toLowerCase();
  const cut = lower.length > MAX_TERM_LENGTH ? lower.slice(0, alignToCodePoint(lower, MAX_TERM_LENGTH)) : lower;
  return stemWord(NON_ASCII.test(cut) ? cut.normalize("NFKC").replace(FOLDED, "") : cut, language, foldWord);
}

function pushUnspaced(words: (string | null)[], text: string, start: number, end: number): void {
  segmenter ??= new Intl.Segmenter("zh", { granularity: "word" });
  for (let from = start; from < end;) {
    const to = end - from > SEGMENT_LENGTH ? alignToCodePoint(text, from + SEGMENT_LENGTH) : end;
    for (const { segment } of segmenter.segment(foldWord(text.slice(from, to)))) {
      const word = segment.length > MAX_TERM_LENGTH ? segment.slice(0, alignToCodePoint(segment, MAX_TERM_LENGTH)) : segment;
      if (NOT_WORD.test(word)) continue;
      words.push(word);
      if (word.length > 1 && hasHan(word)) pushHan(words, word);
    }
    from = to;
  }
}

/** Adds the Han characters of a word that has several characters. */
function pushHan(words: (string | null)[], word: string): void {
  const characters = Array.from(word);
  if (characters.length > 1) words.push(...characters.filter(hasHan));
}
