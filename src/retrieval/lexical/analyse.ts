import type { Analysis, Chunk, TermEntry } from "#domain/answers/search.ts";
import { chunkText } from "../text/chunk.ts";
import { createHeadingLookup } from "../text/headings.ts";
import { detectLanguage, toLanguage } from "../text/language.ts";
import { toPrefixTerm } from "../text/prefixes.ts";
import { tokenise, tokeniseCompounds } from "../text/tokenise.ts";
import { WEIGHTS } from "../weights.ts";

/** Limits of the terms of titles and headings, because they are repeated in every passage. */
const MAX_TITLE_TERMS = 50;
const MAX_TITLE_CHARACTERS = 1_000;
const MAX_HEADING_TERMS = 30;
export type AnalyseOptions = {
  /** Only these terms are listed. */
  readonly only?: ReadonlySet<string> | undefined;
  /** The language as a BCP 47 tag, which replaces the detected one. */
  readonly languageHint?: string | null | undefined;
};

/**
 * Splits a tile into passages and lists, for each index term, the passages that contain it. Terms are stems, their prefixes, and
 * hyphenated words written as one word; the latter two add nothing to a passage's length.
 *
 * The terms of the title and of headings count in every passage below them, so that a passage deep in a long text is found by the
 * name of its tile and section. Frequencies and lengths are sums over the fields (BM25F, Robertson and Zaragoza 2009).
 *
 * A tile without text has no passages, whatever its title.
 */
export function analyse(title: string, text: string, { only, languageHint = null }: AnalyseOptions = {}): Analysis {
  const { titleTerm: titleWeight, headingTerm: headingWeight } = WEIGHTS.index;
  const chunks: Chunk[] = [];
  const terms = new Map<string, TermEntry[]>();
  const language = toLanguage(languageHint) ?? detectLanguage(text) ?? detectLanguage(title) ?? "en";
  const titleTerms = tokeniseTitle(title, language);
  const titleCompounds = tokeniseTitleCompounds(title, language);
  const headings = createHeadingLookup(text);
  for (const { start, end } of chunkText(text)) {
    const bodyTerms = tokenise(text.slice(start, end), language);
    const headingTerms = tokenise(headings(start), language).slice(0, MAX_HEADING_TERMS);
    const frequencies = new Map<string, number>();
    countTerms(frequencies, titleTerms, titleWeight);
    countTerms(frequencies, headingTerms, headingWeight);
    countTerms(frequencies, bodyTerms, 1);
    for (const term of titleCompounds) increment(frequencies, term, titleWeight);
    for (const term of tokeniseCompounds(text.slice(start, end), language)) increment(frequencies, term, 1);
    const chunk = chunks.length;
    for (const [term, frequency] of frequencies) {
      if (only?.has(term) === false) continue;
      const entries = terms.get(term);
      if (entries === undefined) terms.set(term, [{ chunk, frequency }]);
      else entries.push({ chunk, frequency });
    }
    const length = titleTerms.length * titleWeight + headingTerms.length * headingWeight + bodyTerms.length;
    chunks.push({ start, end, length });
  }
  return { chunks, terms };
}

/** Index terms of a title, up to the limits. */
export const tokeniseTitle = (title: string, language: string): string[] =>
  tokenise(title.slice(0, MAX_TITLE_CHARACTERS), language).slice(0, MAX_TITLE_TERMS);

/** Index terms of a title's hyphenated words, written as one word. */
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
