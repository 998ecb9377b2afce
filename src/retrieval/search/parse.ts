import { foldWord, splitWords } from "../text/tokenise.ts";

/** A search as it was typed, in its parts. */
export type ParsedSearch = {
  /** All its words without the marks around them, to rank by. */
  readonly text: string;
  /** Words that must stand one after the other, folded: what was put between double quotes. */
  readonly phrases: readonly (readonly string[])[];
  /** Beginnings of words, folded: what ends in an asterisk. */
  readonly prefixes: readonly string[];
};

const MAX_CHARACTERS = 4_000;
const MAX_PARTS = 64;
const MIN_PREFIX_LENGTH = 2;
const PART = /"([^"]*)"|([^\s"]+)/g;

/**
 * Reads `"exact words"` and `begin*`; everything else is words, and so are quotation marks without a partner and asterisks on their
 * own. There are no other operators.
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

/** Whether the words of a text hold these, one after the other. */
export function containsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return findPhrase(words, phrase, 0) >= 0;
}

/** Where the phrase stands among the words, from a place on; -1 where it does not. */
export function findPhrase(words: readonly string[], phrase: readonly string[], from: number): number {
  for (let at = words.indexOf(phrase[0] ?? "", from); at >= 0; at = words.indexOf(phrase[0] ?? "", at + 1)) {
    if (phrase.every((word, i) => words[at + i] === word)) return at;
  }
  return -1;
}
