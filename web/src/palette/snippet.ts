import { stripMarkdown } from "../text/strip-markdown.ts";

export type SnippetPart = { readonly text: string; readonly isHit: boolean };

type Span = { readonly start: number; readonly end: number };

/** How much of a quote is shown, and how much of that stands before the first hit, in UTF-16 code units. */
const MAX_SNIPPET_LENGTH = 180;
const MAX_LEADING_LENGTH = 50;

/** What the marks of Markdown are not, and taking them off leaves alone. */
const LETTER = /[\p{L}\p{N}\p{M}]/gu;

/** A quote around its first hit, without the marks of Markdown, cut into what is hit and what is not. Spans that make no sense are passed over. */
export function buildSnippet(quote: string, highlights: readonly Span[]): readonly SnippetPart[] {
  const { text, spans } = mapHighlights(quote, highlights);
  const first = spans[0]?.start ?? 0;
  const from = first <= MAX_LEADING_LENGTH ? 0 : findWordStart(text, first - MAX_LEADING_LENGTH);
  const to = Math.min(text.length, from + MAX_SNIPPET_LENGTH);
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

/** A quote's words as they are read, and where its hits stand among them, letter by letter. */
function mapHighlights(quote: string, highlights: readonly Span[]): { readonly text: string; readonly spans: readonly Span[] } {
  const text = stripMarkdown(quote);
  const [source, shown] = [extractLetters(quote), extractLetters(text)];
  const spans: Span[] = [];
  if (source.length !== shown.length) return { text, spans };
  let next = 0;
  for (const { start, end } of highlights.toSorted((a, b) => a.start - b.start)) {
    if (start < 0 || end > quote.length) continue;
    const first = source.findIndex((letter) => letter.start >= start);
    const last = source.findLastIndex((letter) => letter.end <= end);
    const [from, to] = [shown[first], shown[last]];
    if (from === undefined || to === undefined || first > last || first < next) continue;
    spans.push({ start: from.start, end: to.end });
    next = last + 1;
  }
  return { text, spans };
}

const extractLetters = (text: string): readonly Span[] =>
  Array.from(text.matchAll(LETTER), ({ 0: letter, index }) => ({ start: index, end: index + letter.length }));

const ELLIPSIS: SnippetPart = { text: "…", isHit: false };

/** The next word's beginning, so that no word and no character is cut. */
function findWordStart(quote: string, from: number): number {
  const blank = quote.slice(from, from + MAX_LEADING_LENGTH).search(/\s/);
  return blank < 0 ? from : from + blank + 1;
}

/** What is looked for while somebody still types: the last word may go on. */
export const toPrefixQuery = (words: string): string => (/[\p{L}\p{N}]$/u.test(words) && !words.includes('"') ? `${words}*` : words);
