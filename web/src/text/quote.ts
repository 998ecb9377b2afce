import type { Span } from "./offset-map.ts";

/**
 * A position in a tile's text, from a citation or search result; `quote` is the text found there, and `highlights` what is marked in it,
 * such as the words of a search. Without them all of it is marked.
 */
export type Quote = Span & { readonly quote?: string; readonly highlights?: readonly Span[] };

/** Opens a tile, and scrolls to the quote and highlights it where one is given. */
export type OpenTile = (tileId: string, quote?: Quote) => void;

/** The position of a quote in the current text: its original position, otherwise the nearest occurrence; null if it is gone. */
export function findQuote(text: string, { start, end, quote }: Quote): Span | null {
  if (quote === undefined || text.slice(start, end) === quote)
    return start >= 0 && start < end && end <= text.length ? { start, end } : null;
  if (quote === "") return null;
  const [before, after] = [text.lastIndexOf(quote, start), text.indexOf(quote, start)];
  if (before < 0 && after < 0) return null;
  const isBefore = after < 0 || (before >= 0 && start - before < after - start);
  const found = isBefore ? before : after;
  return { start: found, end: found + quote.length };
}

/** The parts of a quote to mark, given its position in the current text. */
export function findMarks({ highlights = [] }: Quote, { start, end }: Span): readonly Span[] {
  const marks = highlights.map((mark) => ({ start: start + mark.start, end: Math.min(end, start + mark.end) }));
  const inside = marks.filter((mark) => mark.start >= start && mark.start < mark.end);
  return inside.length > 0 ? inside : [{ start, end }];
}
