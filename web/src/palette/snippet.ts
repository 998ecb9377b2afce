export type SnippetPart = { readonly text: string; readonly isHit: boolean };

type Span = { readonly start: number; readonly end: number };

/** How much of a quote is shown, and how much of that stands before the first hit, in UTF-16 code units. */
const MOST = 180;
const BEFORE = 50;

/** A quote around its first hit, cut into what is hit and what is not. Spans that make no sense are passed over. */
export function snippetOf(quote: string, highlights: readonly Span[]): readonly SnippetPart[] {
  const spans = highlights.filter(({ start, end }) => start >= 0 && end > start && end <= quote.length).sort((a, b) => a.start - b.start);
  const first = spans[0]?.start ?? 0;
  const from = first <= BEFORE ? 0 : wordStart(quote, first - BEFORE);
  const to = Math.min(quote.length, from + MOST);
  const parts: SnippetPart[] = [];
  let at = from;
  for (const { start, end } of spans) {
    if (start < at || end > to) continue;
    parts.push({ text: quote.slice(at, start), isHit: false }, { text: quote.slice(start, end), isHit: true });
    at = end;
  }
  parts.push({ text: quote.slice(at, to), isHit: false });
  const shown = parts.filter(({ text }) => text !== "");
  return [...(from > 0 ? [ELLIPSIS] : []), ...shown, ...(to < quote.length ? [ELLIPSIS] : [])];
}

const ELLIPSIS: SnippetPart = { text: "…", isHit: false };

/** The next word's beginning, so that no word and no character is cut. */
function wordStart(quote: string, from: number): number {
  const blank = quote.slice(from, from + BEFORE).search(/\s/);
  return blank < 0 ? from : from + blank + 1;
}

/** What is looked for while somebody still types: the last word may go on. */
export const growing = (words: string): string => (/[\p{L}\p{N}]$/u.test(words) && !words.includes('"') ? `${words}*` : words);
