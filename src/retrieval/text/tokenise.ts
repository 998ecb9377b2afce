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
import { stemWord } from "./stem.ts";

/** Longest term, in UTF-16 code units. */
const MAX_TERM_LENGTH = 64;
/** Runs without spaces are segmented in windows, so that a huge run takes bounded memory. */
const SEGMENT_LENGTH = 1_000;
const MAX_CACHE_ENTRIES = 50_000;

const NON_ASCII = /\P{ASCII}/u;
// Accents, Hebrew points, Arabic vowel signs and tatweel: spelling that writers leave out; Indic vowel signs are kept.
const FOLDED = /\u00ad|[\u0300-\u036f]|[\u0591-\u05c7]|\u0640|[\u064b-\u065f]|\u0670|\u200c|\u200d/g;
const UNDECOMPOSED = /[ßæœøđłðþı]/g;
const SPELT_OUT: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ð: "d", þ: "th", ı: "i" };
const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/u;

/** Terms of words that were seen before, for each language. */
const caches = new Map<string, Map<string, string>>();
let segmenter: Intl.Segmenter | undefined;

/**
 * Index terms of a text, in its order, repeats kept. The same function reads questions and content. Words are folded
 * (NFKC, lower case, no diacritics) and stemmed as `language` (ISO 639-1) or their script has it; scripts without spaces are
 * segmented by dictionary (ICU), words of Han also give their single characters, so that a question segmented otherwise
 * still matches. Linear in time; 1,000,000 characters are fine.
 */
export function tokenise(text: string, language = "en"): string[] {
  const terms: string[] = [];
  const cache = getCache(language);
  for (const word of splitWords(text)) pushTerms(terms, word, language, cache);
  return terms;
}

/**
 * As `tokenise`, for a reader who looks for a few terms: words that begin like none of them are not looked up, and null stands for
 * each, so that terms keep their places.
 */
export function tokeniseMatching(filter: PrefixFilter, text: string, language = "en"): (string | null)[] {
  const terms: (string | null)[] = [];
  const cache = getCache(language);
  for (const word of PREFIX_CHANGING_LANGUAGES.has(language) ? splitWords(text) : scanWords(text, filter)) {
    if (word === null) terms.push(null);
    else pushTerms(terms, word, language, cache);
  }
  return terms;
}

/** Languages whose stemmer may change a short word's first letter, or leave nothing of it: Turkish "dine" is stemmed to "t", "leri" to "". */
const PREFIX_CHANGING_LANGUAGES: ReadonlySet<string> = new Set(["tr"]);

/** How terms begin: by their first two characters (ASCII, in any case), whether one begins so. */
export type PrefixFilter = Uint8Array;

/** The beginnings of terms. A word and its term begin alike, since stemmers change endings only (but for `BEGIN_OTHERWISE`). */
export function buildPrefixFilter(terms: Iterable<string>): PrefixFilter {
  const filter = new Uint8Array(ASCII * ASCII);
  for (const term of terms) {
    const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)];
    // What short terms were made from may end otherwise and still be short: "ay" is stemmed to "ai".
    if (term.length <= 2 && first < ASCII) filter.fill(1, indexInFilter(first, 0), indexInFilter(first, ASCII - 1) + 1);
    else if (first < ASCII && second < ASCII) filter[indexInFilter(first, second)] = 1;
  }
  return filter;
}

const ASCII = 0x80;
/** Sets letters of ASCII in lower case, and leaves digits. */
const LOWER_CASE_BIT = 0x20;
const indexInFilter = (first: number, second: number): number => (first | LOWER_CASE_BIT) * ASCII + (second | LOWER_CASE_BIT);

/** Index terms of a text's words with a hyphen as they are written without one, in its order: `email` for "e-mail". */
export const tokeniseCompounds = (text: string, language = "en"): string[] =>
  findCompounds(text).flatMap(({ first, second }) => tokenise(`${first}${second}`, language));

/**
 * Words of a text as they stand there, in its order; those of scripts without spaces are already folded, since segmenting needs it.
 */
export const splitWords = (text: string): string[] => scanWords(text, null);

/** Words as `splitWords` gives them; null for one that begins like none of the terms `sought`, where there are such. */
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
    const isCandidate = filter === null || bits >= ASCII || i - start < 2 || mayMatch(filter, text, start);
    if (!isCandidate) words.push(null);
    else if (kind === SPACED)
      words.push(text.slice(start, i - start > MAX_TERM_LENGTH ? alignToCodePoint(text, start + MAX_TERM_LENGTH) : i));
    else pushUnspaced(words, text, start, i);
  }
  return words;
}

/** NFKC, lower case, without diacritics that writers leave out. */
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

/** A term for all words that begin alike, which finds forms that no stemmer joins; null for words too short to begin like another. */
export function toPrefixTerm(term: string): string | null {
  if (term.length < MIN_PREFIXED_LENGTH || hasHan(term)) return null;
  return `${PREFIX_MARK}${getPrefix(term)}`;
}

/** How a term begins, as far as prefixes tell terms apart. */
export const getPrefix = (term: string): string =>
  term.length > PREFIX_LENGTH ? term.slice(0, alignToCodePoint(term, PREFIX_LENGTH)) : term;

/** No word holds it, so that prefixes and terms can't be taken for one another. */
export const PREFIX_MARK = "~";
/** Characters of a prefix (XQuAD's languages without a stemmer: R@1 .89 with four to six, .84 without). */
const PREFIX_LENGTH = 5;
const MIN_PREFIXED_LENGTH = 4;

function getCache(language: string): Map<string, string> {
  let cache = caches.get(language);
  if (cache === undefined) {
    cache = new Map();
    caches.set(language, cache);
  }
  return cache;
}

const mayMatch = (filter: PrefixFilter, text: string, at: number): boolean =>
  filter[indexInFilter(text.charCodeAt(at), text.charCodeAt(at + 1))] === 1;

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
  // Compatibility forms such as ½ fall apart into several words when folded, and are too rare to remember.
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

/** The single characters of Han in a word of several. */
function pushHan(words: (string | null)[], word: string): void {
  const characters = Array.from(word);
  if (characters.length > 1) words.push(...characters.filter(hasHan));
}
