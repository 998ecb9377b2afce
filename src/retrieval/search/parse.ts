import { foldWord, splitWords } from "../text/tokenise.ts";

/** A search query in its parts. */
export type ParsedSearch = {
  /** All words without operators, which determine the ranking. */
  readonly text: string;
  /** Folded words that must follow each other: the text between double quotes. */
  readonly phrases: readonly (readonly string[])[];
  /** Folded prefixes: words that end with an asterisk. */
  readonly prefixes: readonly string[];
};

const MAX_CHARACTERS = 4_000;
const MAX_PARTS = 64;
const MIN_PREFIX_LENGTH = 2;
const PART = /"([^"]*)"|([^\s"]+)/g;

/**
 * Parses `"exact words"` and `prefix*`; there are no other operators. Unpaired quotation marks and single asterisks are ignored.
 */
export function parseSearch(query: string): ParsedSearch {
  const phrases: string[][] = [];
  const prefixes: string[] = [];
  const words: string[] = [];
  let parts = 0;
  for (const [, phrase, word = ""] of query.slice(0, MAX_CHARACTERS).matchAll(PART)) {
    if (++parts > MAX_PARTS) break;
    if (phrase !== undefined) {
      const folded = splitWords(phrase).map(foldWord);
      if (folded.length > 0) phrases.push(folded);
      words.push(phrase);
      continue;
    }
    const prefixWords = word.endsWith("*") ? splitWords(word).map(foldWord) : [];
    const last = prefixWords.at(-1);
    if (last !== undefined && last.length >= MIN_PREFIX_LENGTH) {
      prefixes.push(last);
      words.push(splitWords(word).slice(0, -1).join(" "));
    } else words.push(word);
  }
  return { text: words.join(" ").trim(), phrases, prefixes };
}

/** Whether a text contains the words of a phrase, one after the other. */
export function containsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return findPhrase(words, phrase, 0) >= 0;
}

/**
 * Returns the index of a phrase among words, from `from` on; -1 if it does not occur. Takes time in proportion to the words, also for
 * phrases that repeat a word (Knuth, Morris and Pratt 1977).
 */
export function findPhrase(words: readonly string[], phrase: readonly string[], from: number): number {
  const borders = computeBorders(phrase);
  let matched = 0;
  for (let at = from; at < words.length; at++) {
    while (matched > 0 && words[at] !== phrase[matched]) matched = borders[matched - 1] as number;
    if (words[at] === phrase[matched]) matched++;
    if (matched === phrase.length) return at - matched + 1;
  }
  return -1;
}

/** For each start of the phrase, how many of its last words are also its first ones. */
function computeBorders(phrase: readonly string[]): number[] {
  const borders: number[] = phrase.map(() => 0);
  for (let at = 1, length = 0; at < phrase.length; at++) {
    while (length > 0 && phrase[at] !== phrase[length]) length = borders[length - 1] as number;
    if (phrase[at] === phrase[length]) length++;
    borders[at] = length;
  }
  return borders;
}
