import { isSpace, alignToCodePoint } from "./characters.ts";

/** A range of a text, in UTF-16 code units. */
export type Span = { readonly start: number; readonly end: number };

const CLAUSE_ENDS = new Set([",", ";", ":", "—", "–", "，", "、", "；", "：", "،", "؛"].map((mark) => mark.charCodeAt(0)));

/** Removes white space from both ends of a range; empty if there is nothing else. */
export function trimSpan(text: string, start: number, end: number): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { start: from, end: to };
}

/** Splits a range into parts of at most `max` code units: after a clause, else at a space, else anywhere but in a surrogate pair. */
export function splitLong(text: string, span: Span, max: number): Span[] {
  const parts: Span[] = [];
  let { start } = span;
  while (span.end - start > max) {
    const cut = findCut(text, start, max);
    const part = trimSpan(text, start, cut);
    if (part.end > part.start) parts.push(part);
    start = trimSpan(text, cut, span.end).start;
  }
  if (span.end > start) parts.push({ start, end: span.end });
  return parts;
}

function findCut(text: string, start: number, max: number): number {
  let space = -1;
  for (let at = start + max; at > start + max / 2; at--) {
    const isBeforeSpace = isSpace(text.charCodeAt(at));
    if (isBeforeSpace && space < 0) space = at;
    const mark = text.charCodeAt(at - 1);
    // Ideographic marks end a clause by themselves, the others need a space, as in 1,000.
    if (CLAUSE_ENDS.has(mark) && (isBeforeSpace || mark > 0x2fff)) return at;
  }
  return space > 0 ? space : alignToCodePoint(text, start + max);
}
