import type { Span } from "./offset-map.ts";

/** A place in a tile's text, as a citation or a search result names it; `quote` is what stood there. */
export type Quote = Span & { readonly quote?: string };

/** Opens a tile, and scrolls to the quote and highlights it where one is given. */
export type OpenTile = (tileId: string, quote?: Quote) => void;

/** Where the quote stands in the text as it is now: at its place, else where its words stand nearest to it; null where they are gone. */
export function findQuote(text: string, { start, end, quote }: Quote): Span | null {
  if (quote === undefined || text.slice(start, end) === quote)
    return start >= 0 && start < end && end <= text.length ? { start, end } : null;
  if (quote === "") return null;
  const [before, behind] = [text.lastIndexOf(quote, start), text.indexOf(quote, start)];
  if (before < 0 && behind < 0) return null;
  const isBefore = behind < 0 || (before >= 0 && start - before < behind - start);
  const found = isBefore ? before : behind;
  return { start: found, end: found + quote.length };
}
