import { compoundsIn } from "../text/compounds.ts";
import { detectLanguage } from "../text/language.ts";
import type { Span } from "../text/spans.ts";
import { foldWord, splitWords, tokenise } from "../text/tokenise.ts";
import type { WeighedQuestion } from "../lexical/weigh.ts";
import { type ParsedSearch, phraseAt } from "./parse.ts";

const MOST = 50;

/** Where words of a search stand in a quote, in its order, never overlapping; UTF-16 code units into the quote. */
export function highlightsIn(quote: string, question: WeighedQuestion, { phrases, prefixes }: ParsedSearch): Span[] {
  const language = detectLanguage(quote) ?? "en";
  const places = placesOf(quote);
  const folded = places.map(({ word }) => foldWord(word));
  const isAsked = (word: string): boolean => tokenise(word, language).some((term) => question.keyOfForm.has(term));
  const marked = places.map(({ word }, at) => isAsked(word) || prefixes.some((prefix) => folded[at]?.startsWith(prefix)));
  for (const { first, second, ...compound } of compoundsIn(quote)) {
    if (!isAsked(`${first}${second}`)) continue;
    for (const [at, { start, end }] of places.entries()) if (start >= compound.start && end <= compound.end) marked[at] = true;
  }
  for (const phrase of phrases) {
    for (let at = phraseAt(folded, phrase, 0); at >= 0; at = phraseAt(folded, phrase, at + 1)) marked.fill(true, at, at + phrase.length);
  }
  return places.flatMap(({ start, end }, at) => (marked[at] === true ? [{ start, end }] : [])).slice(0, MOST);
}

/** The words of a text with where they stand; a word that was split from another one overlaps it and is left out. */
function placesOf(text: string): (Span & { readonly word: string })[] {
  const places: (Span & { readonly word: string })[] = [];
  let from = 0;
  for (const word of splitWords(text)) {
    const start = text.indexOf(word, from);
    if (start < 0) continue;
    places.push({ word, start, end: start + word.length });
    from = start + word.length;
  }
  return places;
}
