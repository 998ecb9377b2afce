import { findCompounds } from "../text/compounds.ts";
import { detectLanguage } from "../text/language/language.ts";
import type { Span } from "../text/spans.ts";
import { foldWord, splitWords, tokenise } from "../text/tokenise.ts";
import type { WeightedQuestion } from "../lexical/weight-question.ts";
import { type ParsedSearch, findPhrase } from "./parse.ts";

const MAX_HIGHLIGHTS = 50;

/**
 * Finds the words of a search in a quote, in order, without overlap; UTF-16 code units into the quote. `passageLanguage` is the language
 * by which the words of the passage were indexed.
 */
export function findHighlights(
  quote: string,
  question: WeightedQuestion,
  { phrases, prefixes }: ParsedSearch,
  passageLanguage = "en",
): Span[] {
  const languages = [...new Set([passageLanguage, detectLanguage(quote) ?? "en"])];
  const words = locateWords(quote);
  const folded = words.map(({ word }) => foldWord(word));
  const isSearched = (word: string): boolean =>
    languages.some((language) => tokenise(word, language).some((term) => question.keyOfForm.has(term)));
  const marked = words.map(({ word }, at) => isSearched(word) || prefixes.some((prefix) => folded[at]?.startsWith(prefix)));
  for (const { first, second, ...compound } of findCompounds(quote)) {
    if (!isSearched(`${first}${second}`)) continue;
    for (const [at, { start, end }] of words.entries()) if (start >= compound.start && end <= compound.end) marked[at] = true;
  }
  for (const phrase of phrases) {
    for (let at = findPhrase(folded, phrase, 0); at >= 0; at = findPhrase(folded, phrase, at + 1))
      marked.fill(true, at, at + phrase.length);
  }
  return words.flatMap(({ start, end }, at) => (marked[at] === true ? [{ start, end }] : [])).slice(0, MAX_HIGHLIGHTS);
}

/** Returns the words of a text with their offsets. Single characters of Han words would overlap them and are left out. */
function locateWords(text: string): (Span & { readonly word: string })[] {
  const words: (Span & { readonly word: string })[] = [];
  let from = 0;
  for (const word of splitWords(text)) {
    const start = text.indexOf(word, from);
    if (start < 0) continue;
    words.push({ word, start, end: start + word.length });
    from = start + word.length;
  }
  return words;
}
