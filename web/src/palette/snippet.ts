import { wordsOf } from "../text/words.ts";

export type SnippetPart = { readonly text: string; readonly isHit: boolean };

type Span = { readonly start: number; readonly end: number };

/** How much of a quote is shown, and how much of that stands before the first hit, in UTF-16 code units. */
const MOST = 180;
const BEFORE = 50;

/** Stand around a hit while the marks of Markdown are taken off; of no meaning in any text. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const EITHER = /[\uE000\uE001]/gu;

/** A quote around its first hit, without the marks of Markdown, cut into what is hit and what is not. Spans that make no sense are passed over. */
export function snippetOf(quote: string, highlights: readonly Span[]): readonly SnippetPart[] {
  const { text, spans } = withoutMarks(quote, highlights);
  const first = spans[0]?.start ?? 0;
  const from = first <= BEFORE ? 0 : wordStart(text, first - BEFORE);
  const to = Math.min(text.length, from + MOST);
  const parts: SnippetPart[] = [];
  let at = from;
  for (const { start, end } of spans) {
    if (end > to) break;
    parts.push({ text: text.slice(at, start), isHit: false }, { text: text.slice(start, end), isHit: true });
    at = end;
  }
  parts.push({ text: text.slice(at, to), isHit: false });
  const shown = parts.filter((part) => part.text !== "");
  return [...(from > 0 ? [ELLIPSIS] : []), ...shown, ...(to < text.length ? [ELLIPSIS] : [])];
}

/** A quote's words as they are read, and where its hits stand among them. */
function withoutMarks(quote: string, highlights: readonly Span[]): { readonly text: string; readonly spans: readonly Span[] } {
  const plain = quote.replaceAll(EITHER, " ");
  let marked = "";
  let at = 0;
  for (const { start, end } of highlights.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > plain.length) continue;
    marked += plain.slice(at, start) + OPEN + plain.slice(start, end) + CLOSE;
    at = end;
  }
  const words = wordsOf(marked + plain.slice(at));
  const spans: Span[] = [];
  let text = "";
  for (const [number, piece] of words.split(EITHER).entries()) {
    // What stands between a mark that opens and one that closes is every other piece.
    if (number % 2 === 1) spans.push({ start: text.length, end: text.length + piece.length });
    text += piece;
  }
  return { text, spans };
}

const ELLIPSIS: SnippetPart = { text: "…", isHit: false };

/** The next word's beginning, so that no word and no character is cut. */
function wordStart(quote: string, from: number): number {
  const blank = quote.slice(from, from + BEFORE).search(/\s/);
  return blank < 0 ? from : from + blank + 1;
}

/** What is looked for while somebody still types: the last word may go on. */
export const growing = (words: string): string => (/[\p{L}\p{N}]$/u.test(words) && !words.includes('"') ? `${words}*` : words);
