import { type Analysis, type Chunk, packTerms, type TermEntry } from "#domain/answers/analysis.ts";
import type { AnalysableText } from "#domain/answers/search.ts";
import { chunkText } from "../text/chunk.ts";
import { createHeadingLookup, type Heading } from "../text/headings.ts";
import { chooseLanguage } from "../text/language/language.ts";
import { toPrefixTerm } from "../text/prefixes.ts";
import { tokenise, tokeniseCompounds } from "../text/tokenise.ts";
import { WEIGHTS } from "../weights.ts";

/** Limits of the terms of titles and headings, because they are repeated in every passage. */
const MAX_TITLE_TERMS = 50;
const MAX_TITLE_CHARACTERS = 1_000;
const MAX_HEADING_TERMS = 30;

/** A tile's text, or a part of it. */
export type TextPart = {
  readonly title: string;
  readonly text: string;
  /** The language as ISO 639 code. */
  readonly language: string;
  /** The offset of the part in the text of the tile. */
  readonly offset: number;
  /** The headings above the part, outermost first. */
  readonly headings: readonly Heading[];
};

/** The analysis of a part, and the headings above the next part. */
export type AnalysedPart = { readonly analysis: Analysis; readonly headings: readonly Heading[] };

/** Returns the language (ISO 639) in which a tile is analysed. */
export const chooseTileLanguage = (tile: AnalysableText): string => chooseLanguage(tile, [tile.text, tile.title]);

/** Returns a whole text as one part. */
export const toWholePart = (tile: AnalysableText): TextPart => ({
  title: tile.title,
  text: tile.text,
  language: chooseTileLanguage(tile),
  offset: 0,
  headings: [],
});

/** Analyses a whole text as one part. */
export const analyse = (tile: AnalysableText): Analysis => analysePart(toWholePart(tile)).analysis;

/**
 * Splits a tile into passages and lists, for each index term, the passages that contain it. Terms are stems, their prefixes, and
 * hyphenated words written as one word; the latter two add nothing to a passage's length.
 *
 * The terms of the title and of headings count in every passage below them, so that a passage deep in a long text is found by the
 * name of its tile and section. Frequencies and lengths are sums over the fields (BM25F, Robertson and Zaragoza 2009).
 *
 * A tile without text has no passages, whatever its title.
 */
export function analysePart({ title, text, language, offset, headings: above }: TextPart): AnalysedPart {
  const { titleTerm: titleWeight, headingTerm: headingWeight } = WEIGHTS.index;
  const chunks: Chunk[] = [];
  const terms = new Map<string, TermEntry[]>();
  const titleTerms = tokeniseTitle(title, language);
  const titleCompounds = tokeniseTitleCompounds(title, language);
  const headings = createHeadingLookup(text, above);
  for (const { start, end } of chunkText(text)) {
    const bodyTerms = tokenise(text.slice(start, end), language);
    const headingTerms = tokenise(joinWords(headings(start)), language).slice(0, MAX_HEADING_TERMS);
    const frequencies = new Map<string, number>();
    countTerms(frequencies, titleTerms, titleWeight);
    countTerms(frequencies, headingTerms, headingWeight);
    countTerms(frequencies, bodyTerms, 1);
    for (const term of titleCompounds) increment(frequencies, term, titleWeight);
    for (const term of tokeniseCompounds(text.slice(start, end), language)) increment(frequencies, term, 1);
    const chunk = chunks.length;
    for (const [term, frequency] of frequencies) {
      const entries = terms.get(term);
      if (entries === undefined) terms.set(term, [{ chunk, frequency }]);
      else entries.push({ chunk, frequency });
    }
    const length = titleTerms.length * titleWeight + headingTerms.length * headingWeight + bodyTerms.length;
    chunks.push({ start: offset + start, end: offset + end, length });
  }
  return { analysis: { chunks, terms: packTerms(terms) }, headings: [...headings(text.length)] };
}

const joinWords = (headings: readonly Heading[]): string => headings.map(({ words }) => words).join(" ");

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
