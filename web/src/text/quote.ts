import type { Citation } from "@tessera-board/sdk";
import type { Span } from "./offset-map.ts";

/**
 * A position in a tile's text, from a citation or search result; `quote` is the text found there, and `highlights` what is marked in it,
 * such as the words of a search. Without them all of it is marked. `isShaded`: the rest of the quote is marked lightly.
 */
export type Quote = Span & { readonly quote?: string; readonly highlights?: readonly Span[]; readonly isShaded?: boolean };

/** A range to mark. `isLight`: it surrounds the marks that matter. */
export type Mark = Span & { readonly isLight?: boolean };

/** Opens a tile, and scrolls to the quote and highlights it where one is given. */
export type OpenTile = (tileId: string, quote?: Quote) => void;

/** The quote of a citation: what answers is marked, as on its card, and the rest lightly. */
export const toQuote = ({ start, end, quote, highlights = [] }: Citation): Quote => ({ start, end, quote, highlights, isShaded: true });

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

/** What to mark of a quote in the current text, in order and without overlaps; empty if the quote is gone. */
export function findMarks(text: string, quote: Quote): readonly Mark[] {
  const span = findQuote(text, quote);
  if (span === null) return [];
  const { highlights = [], isShaded = false } = quote;
  const { start, end } = span;
  const marks = highlights.map((mark) => ({ start: start + mark.start, end: Math.min(end, start + mark.end) }));
  const inside = marks.filter((mark) => mark.start >= start && mark.start < mark.end).toSorted((a, b) => a.start - b.start);
  if (inside.length === 0) return [span];
  return isShaded ? addShade(text, span, inside) : inside;
}

/** Adds light marks between `marks`, which are inside `span` and in order. */
function addShade(text: string, span: Span, marks: readonly Span[]): readonly Mark[] {
  const shaded: Mark[] = [];
  let { start } = span;
  for (const mark of [...marks, { start: span.end, end: span.end }]) {
    if (text.slice(start, mark.start).trim() !== "") shaded.push({ start, end: mark.start, isLight: true });
    if (mark.end > mark.start) shaded.push(mark);
    start = Math.max(start, mark.end);
  }
  return shaded;
}
