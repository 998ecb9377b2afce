import { type Excerpt, toExcerptSpan } from "../passage.ts";
import type { Span } from "../text/spans.ts";
import type { Citation } from "../answer/extractive.ts";
import type { Evidence } from "./facts/facts.ts";
import { readContext } from "./facts/context.ts";
import type { MarkerItem } from "./marker.ts";
import type { NumberedSource } from "./prompt.ts";
import { createSourceFinder, type SourceFinder } from "./source-finder.ts";

/** Numbers of a marker's citations; empty if none was verified, "over" if it exceeds the limit of an answer. */
export type CitationMark = readonly number[] | "over";

export const MAX_CITATIONS = 10;
/** After this many quotes that were not found, no more are searched, because each search reads a whole tile. */
const MAX_MISSES = 40;

/** The verified citations of an answer, numbered from 1 in the order in which they appear. */
export class VerifiedCitations {
  readonly citations: Citation[] = [];
  readonly #sources: readonly NumberedSource[];
  readonly #find: SourceFinder;
  #misses = 0;

  constructor(sources: readonly NumberedSource[]) {
    this.#sources = sources;
    this.#find = createSourceFinder(sources);
  }

  /** Verifies the quotes of a marker, adds those that are new, and returns their numbers. */
  verify(items: readonly MarkerItem[]): CitationMark {
    const found = items.flatMap(({ source: number, quote }) => {
      if (this.#misses >= MAX_MISSES) return [];
      const citation = this.#find(number, quote);
      if (citation === null) this.#misses++;
      return citation === null || citation === undefined ? [] : [this.#add(citation)];
    });
    const kept = found.filter((number) => number > 0);
    return kept.length === 0 && found.length > 0 ? "over" : [...new Set(kept)];
  }

  /** What supports a sentence with these citations, which depends on the `question` too. */
  getEvidence(numbers: readonly number[], question: string): Evidence {
    const cited = numbers.flatMap((number) => this.citations[number - 1] ?? []);
    const tiles = new Set(cited.map(({ tileId }) => tileId));
    const given = this.#sources.filter(({ tileId }) => tiles.has(tileId));
    const quotes = cited.flatMap((citation) => {
      const source = given.find(({ tileId, around }) => tileId === citation.tileId && contains(around, citation));
      return source === undefined ? [] : [readContext(source.around.text, toExcerptSpan(source.around, citation))];
    });
    return {
      quotes: quotes.join("\n"),
      repeatable: [question, ...new Set(given.map(({ title }) => title))].join("\n"),
      tiles: [...new Set(given.map(({ around }) => around.text))].join("\n"),
      question,
    };
  }

  /** Whether one of the numbers in brackets is too large for a source or citation, such as a year. */
  hasOtherNumber(brackets: string): boolean {
    const largest = Math.max(this.#sources.length, MAX_CITATIONS);
    return [...brackets.matchAll(/\d+/g)].some(([number]) => Number(number) > largest);
  }

  /** Returns the citation's number; 0 if the list is full. */
  #add(citation: Citation): number {
    const at = this.citations.findIndex(
      (other) => other.tileId === citation.tileId && other.start === citation.start && other.end === citation.end,
    );
    if (at >= 0) return at + 1;
    return this.citations.length >= MAX_CITATIONS ? 0 : this.citations.push(citation);
  }
}

const contains = ({ text, start }: Excerpt, range: Span): boolean => range.start >= start && range.end <= start + text.length;
