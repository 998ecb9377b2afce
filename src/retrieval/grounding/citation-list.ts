import { readExcerpt, toExcerptSpan, toTileSpan } from "../passage.ts";
import type { Citation } from "../answer/extractive.ts";
import { createQuoteFinder } from "./find-quote.ts";
import type { Evidence } from "./facts/facts.ts";
import { readContext } from "./facts/context.ts";
import type { MarkerItem } from "./marker.ts";
import type { Source } from "./prompt.ts";

/** Numbers of a marker's citations; empty if none was verified, "over" if it exceeds the limit of an answer. */
export type Mark = readonly number[] | "over";

export const MAX_CITATIONS = 10;
/** After this many quotes that were not found, no more are searched, because each search reads a whole tile. */
const MAX_MISSES = 40;

/** The verified citations of an answer, numbered from 1 in the order in which they appear. */
export class CitationList {
  readonly citations: Citation[] = [];
  readonly #sources: readonly Source[];
  readonly #finders = new Map<number, (quote: string) => Citation | null>();
  #misses = 0;

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  /** Verifies the quotes of a marker, adds those that are new, and returns their numbers. */
  verify(items: readonly MarkerItem[]): Mark {
    const found = items.flatMap(({ source: number, quote }) => {
      const source = this.#sources[number - 1];
      if (source === undefined || this.#misses >= MAX_MISSES) return [];
      let find = this.#finders.get(number);
      if (find === undefined) this.#finders.set(number, (find = createFinder(source)));
      const citation = find(quote);
      if (citation === null) this.#misses++;
      return citation === null ? [] : [this.#add(citation)];
    });
    const kept = found.filter((number) => number > 0);
    return kept.length === 0 && found.length > 0 ? "over" : [...new Set(kept)];
  }

  /** What supports a sentence with these citations, which depends on the `question` too. */
  getEvidence(numbers: readonly number[], question: string): Evidence {
    const cited = numbers.flatMap((number) => {
      const citation = this.citations[number - 1];
      const source = this.#sources.find(({ tileId }) => tileId === citation?.tileId);
      return citation === undefined || source === undefined ? [] : [{ citation, source }];
    });
    return {
      quotes: cited.map(({ citation, source }) => readContext(source.around.text, toExcerptSpan(source.around, citation))).join("\n"),
      repeatable: [question, ...cited.map(({ source }) => source.title)].join("\n"),
      tiles: cited.map(({ source }) => source.around.text).join("\n"),
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

/** Searches quotes in the passage that the model was given first, then in the text around it. */
function createFinder({ tileId, title, type, sourceUrl, text, start, around }: Source): (quote: string) => Citation | null {
  const inPassage = createQuoteFinder(text);
  const nearby = text.length === around.text.length ? () => null : createQuoteFinder(around.text);
  return (quote) => {
    const near = inPassage(quote);
    const found = near === null ? nearby(quote) : null;
    const span = near === null ? found && toTileSpan(around, found) : toTileSpan({ text, start }, near);
    return span === null ? null : { tileId, title, type, sourceUrl, quote: readExcerpt(around, span), ...span };
  };
}
