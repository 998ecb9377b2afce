import { stemmer } from "stemmer";
import { characterClasses, classOf, hasHan, safeCut, SEPARATOR, SPACED, SURROGATE } from "./characters.ts";

/** Longest term, in UTF-16 code units. */
const MAX_TERM = 64;
/** Runs without spaces are segmented in windows, so that a huge run takes bounded memory. */
const WINDOW = 1_000;
const MEMO_ENTRIES = 50_000;

const ASCII_WORD = /^[a-z]+$/;
const NON_ASCII = /\P{ASCII}/u;
// Accents, Hebrew points, Arabic vowel signs and tatweel: spelling that writers leave out; Indic vowel signs are kept.
const FOLDED = /\u00ad|[\u0300-\u036f]|[\u0591-\u05c7]|\u0640|[\u064b-\u065f]|\u0670|\u200c|\u200d/g;
const UNDECOMPOSED = /[ßæœøđłðþı]/g;
const SPELT_OUT: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ð: "d", þ: "th", ı: "i" };
const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/u;

const memo = new Map<string, string>();
let segmenter: Intl.Segmenter | undefined;

/**
 * Index terms of a text, in its order, repeats kept. The same function reads questions and content. Words are folded
 * (NFKC, lower case, no diacritics) and, where plain ASCII, Porter-stemmed (Porter 1980); scripts without spaces are
 * segmented by dictionary (ICU), words of Han also give their single characters, so that a question segmented otherwise
 * still matches. Linear in time; 1,000,000 characters are fine.
 */
export function tokenise(text: string): string[] {
  const terms: string[] = [];
  const classes = characterClasses();
  const length = text.length;
  let i = 0;
  while (i < length) {
    const kind = kindAt(text, i, classes);
    const start = i;
    if (kind === SEPARATOR) {
      i++;
      continue;
    }
    while (i < length) {
      const code = text.charCodeAt(i);
      const known = classes[code] as number;
      if (known === kind) i++;
      else if (known === SURROGATE && kindAt(text, i, classes) === kind) i += 2;
      else break;
    }
    if (kind === SPACED) pushWord(terms, text, start, i);
    else pushUnspaced(terms, text, start, i);
  }
  return terms;
}

function kindAt(text: string, i: number, classes: Uint8Array): number {
  const known = classes[text.charCodeAt(i)] as number;
  if (known !== SURROGATE) return known;
  const point = text.codePointAt(i) as number;
  return point > 0xffff ? classOf(String.fromCodePoint(point)) : SEPARATOR;
}

function pushWord(terms: string[], text: string, start: number, end: number): void {
  const word = text.slice(start, end - start > MAX_TERM ? safeCut(text, start + MAX_TERM) : end);
  const known = memo.get(word);
  if (known !== undefined) {
    if (known !== "") terms.push(known);
    return;
  }
  const folded = fold(word);
  // Compatibility forms such as ½ fall apart into several words when folded, and are too rare to remember.
  if (NON_ASCII.test(word) && NOT_WORD.test(folded)) {
    for (const part of folded.split(NOT_WORD)) if (part !== "") terms.push(stem(part));
    return;
  }
  const term = detach(stem(folded));
  if (memo.size >= MEMO_ENTRIES) memo.clear();
  memo.set(detach(word), term);
  if (term !== "") terms.push(term);
}

function pushUnspaced(terms: string[], text: string, start: number, end: number): void {
  segmenter ??= new Intl.Segmenter("zh", { granularity: "word" });
  for (let from = start; from < end;) {
    const to = end - from > WINDOW ? safeCut(text, from + WINDOW) : end;
    for (const { segment } of segmenter.segment(fold(text.slice(from, to)))) {
      const word = segment.length > MAX_TERM ? segment.slice(0, safeCut(segment, MAX_TERM)) : segment;
      if (NOT_WORD.test(word)) continue;
      terms.push(detach(word));
      if (word.length > 1 && hasHan(word)) pushHan(terms, word);
    }
    from = to;
  }
}

/** The single characters of Han in a word of several. */
function pushHan(terms: string[], word: string): void {
  const characters = Array.from(word);
  if (characters.length > 1) terms.push(...characters.filter(hasHan));
}

/** NFKC, lower case, without diacritics that writers leave out. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  if (!NON_ASCII.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(FOLDED, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => SPELT_OUT[letter] ?? letter);
}

function stem(word: string): string {
  const cut = word.length > MAX_TERM ? word.slice(0, safeCut(word, MAX_TERM)) : word;
  return ASCII_WORD.test(cut) ? stemmer(cut) : cut;
}

/** A copy: a slice would keep the whole text that it was cut from in memory for as long as the term lives. */
const detach = (word: string): string => (word.length < 13 ? word : ` ${word}`.slice(1));
