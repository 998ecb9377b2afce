import type { Analysis, Chunk, TermEntry } from "#domain/answers/search.ts";
import { chunkText } from "../text/chunk.ts";
import { createHeadingLookup } from "../text/headings.ts";
import { detectLanguage } from "../text/language.ts";
import { tokeniseCompounds, toPrefixTerm, tokenise } from "../text/tokenise.ts";

/** Terms of titles and headings that count, so that endless ones do not weigh down every chunk. */
const MAX_TITLE_TERMS = 50;
const MAX_TITLE_CHARACTERS = 1_000;
const MAX_HEADING_TERMS = 30;
/** How often a term counts that stands in the title, or in a heading above the chunk, beside one in its text. */
const TITLE_WEIGHT = 2;
const HEADING_WEIGHT = 1;

/**
 * What the index needs to know of a tile: its passages and, for each term, the passages that hold it. Terms are stems, what
 * words begin with, and words with a hyphen written as one, which add nothing to a passage's length. The title's and the
 * headings' terms count in every passage below them (BM25F, Robertson and Zaragoza 2009: frequencies and lengths are sums over the
 * fields), so that a passage deep in a long text is still found by what the tile and its section are called. A tile without text has
 * no passage, whatever its title. Where `only` is given, no other terms are told.
 */
export function analyse(title: string, text: string, only?: ReadonlySet<string>): Analysis {
  const chunks: Chunk[] = [];
  const terms = new Map<string, TermEntry[]>();
  const language = detectLanguage(text) ?? detectLanguage(title) ?? "en";
  const titleTerms = tokeniseTitle(title, language);
  const titleCompounds = tokeniseTitleCompounds(title, language);
  const headings = createHeadingLookup(text);
  for (const { start, end } of chunkText(text)) {
    const bodyTerms = tokenise(text.slice(start, end), language);
    const headingTerms = tokenise(headings(start), language).slice(0, MAX_HEADING_TERMS);
    const frequencies = new Map<string, number>();
    countTerms(frequencies, titleTerms, TITLE_WEIGHT);
    countTerms(frequencies, headingTerms, HEADING_WEIGHT);
    countTerms(frequencies, bodyTerms, 1);
    for (const term of titleCompounds) increment(frequencies, term, TITLE_WEIGHT);
    for (const term of tokeniseCompounds(text.slice(start, end), language)) increment(frequencies, term, 1);
    const chunk = chunks.length;
    for (const [term, frequency] of frequencies) {
      if (only?.has(term) === false) continue;
      const entries = terms.get(term);
      if (entries === undefined) terms.set(term, [{ chunk, frequency }]);
      else entries.push({ chunk, frequency });
    }
    const length = titleTerms.length * TITLE_WEIGHT + headingTerms.length * HEADING_WEIGHT + bodyTerms.length;
    chunks.push({ start, end, length });
  }
  return { chunks, terms };
}

/** The index terms of a title, as far as they count. */
export const tokeniseTitle = (title: string, language: string): string[] =>
  tokenise(title.slice(0, MAX_TITLE_CHARACTERS), language).slice(0, MAX_TITLE_TERMS);

/** Those of its words with a hyphen as they are written without one. */
export const tokeniseTitleCompounds = (title: string, language: string): string[] =>
  tokeniseCompounds(title.slice(0, MAX_TITLE_CHARACTERS), language).slice(0, MAX_TITLE_TERMS);

function countTerms(frequencies: Map<string, number>, terms: readonly string[], weight: number): void {
  for (const term of terms) {
    increment(frequencies, term, weight);
    const prefix = toPrefixTerm(term);
    if (prefix !== null) increment(frequencies, prefix, weight);
  }
}

const increment = (frequencies: Map<string, number>, term: string, weight: number): void =>
  void frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
