import { alignToCodePoint, hasHan } from "./characters.ts";

/** Distinguishes prefixes from terms; no word contains it. */
export const PREFIX_MARK = "~";
/** XQuAD's languages without a stemmer: R@1 .89 with prefixes of four to six characters, .84 without. */
const PREFIX_LENGTH = 5;
const MIN_PREFIXED_LENGTH = 4;

/** Returns the term that all words with this prefix share, which finds forms that no stemmer joins; null for short words. */
export function toPrefixTerm(term: string): string | null {
  if (term.length < MIN_PREFIXED_LENGTH || hasHan(term)) return null;
  return `${PREFIX_MARK}${getPrefix(term)}`;
}

/** Returns the prefix of a term, or all of a short one. */
export const getPrefix = (term: string): string =>
  term.length > PREFIX_LENGTH ? term.slice(0, alignToCodePoint(term, PREFIX_LENGTH)) : term;

/** Whether any term begins with two given characters (ASCII, ignoring case). */
export type PrefixFilter = Uint8Array;

export const ASCII = 0x80;
/** Converts ASCII letters to lower case, and does not change digits. */
const LOWER_CASE_BIT = 0x20;
const indexInFilter = (first: number, second: number): number => (first | LOWER_CASE_BIT) * ASCII + (second | LOWER_CASE_BIT);

/** Builds a filter for terms, which words pass that may be stemmed to one of them, because stemmers change only endings. */
export function buildPrefixFilter(terms: Iterable<string>): PrefixFilter {
  const filter = new Uint8Array(ASCII * ASCII);
  for (const term of terms) {
    const [first, second] = [term.charCodeAt(0), term.charCodeAt(1)];
    // The second letter of a short word may be part of its ending: "ay" is stemmed to "ai".
    if (term.length <= 2 && first < ASCII) filter.fill(1, indexInFilter(first, 0), indexInFilter(first, ASCII - 1) + 1);
    else if (first < ASCII && second < ASCII) filter[indexInFilter(first, second)] = 1;
  }
  return filter;
}

/** Whether the word of at least two ASCII characters at `at` passes the filter. */
export const passesFilter = (filter: PrefixFilter, text: string, at: number): boolean =>
  filter[indexInFilter(text.charCodeAt(at), text.charCodeAt(at + 1))] === 1;
