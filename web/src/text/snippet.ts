import { stripMarkdown } from "./strip-markdown.ts";

export type SnippetPart = { readonly text: string; readonly isHit: boolean };

type Span = { readonly start: number; readonly end: number };

/** Usual maximum length of a snippet, and maximum length of the text before its first match, in UTF-16 code units. */
const MAX_SNIPPET_LENGTH = 180;
const MAX_LEADING_LENGTH = 50;

/** Letters, which removing Markdown leaves unchanged. */
const LETTER = /[\p{L}\p{N}\p{M}]/gu;

/** A snippet of a quote around its first match, without Markdown, split into matches and other text. Invalid spans are ignored. */
export function buildSnippet(quote: string, highlights: readonly Span[], maxLength = MAX_SNIPPET_LENGTH): readonly SnippetPart[] {
  const { text, spans } = mapHighlights(quote, highlights);
  const first = spans[0]?.start ?? 0;
  const from = first <= MAX_LEADING_LENGTH ? 0 : findWordStart(text, first - MAX_LEADING_LENGTH);
  const to = Math.min(text.length, from + maxLength);
  const parts: SnippetPart[] = [];
  let at = from;
  for (const { start, end } of spans) {
    if (start >= to) break;
    const shownEnd = Math.min(end, to);
    parts.push({ text: text.slice(at, start), isHit: false }, { text: text.slice(start, shownEnd), isHit: true });
    at = shownEnd;
  }
  parts.push({ text: text.slice(at, to), isHit: false });
  const shown = parts.filter((part) => part.text !== "");
  return [...(from > 0 ? [ELLIPSIS] : []), ...shown, ...(to < text.length ? [ELLIPSIS] : [])];
}

/** The quote without Markdown, and its highlights mapped to it by their letters. */
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

/** The start of the next word, so that no word is cut. */
function findWordStart(quote: string, from: number): number {
  const blank = quote.slice(from, from + MAX_LEADING_LENGTH).search(/\s/);
  return blank < 0 ? from : from + blank + 1;
}
