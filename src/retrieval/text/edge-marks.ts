import { isSpace } from "./characters.ts";
import type { Span } from "./spans.ts";

/** Opening and closing marks. A mark that opens in one language may close in another. */
const PAIRS = ["()", "[]", "{}", "“”", "„“", "„”", "«»", "»«", "‹›", "‘’", "「」", "『』", "（）", "【】", "《》"];
/** A quote can stand in this many marks. */
const MAX_MARKS = 4;
/** French quotation marks have a blank inside. */
const SPACED_MARKS = "«»‹›";
/** A closing mark of the sentence before, which a split after its punctuation left at the start. */
const STRAY_CLOSER = /^[»›)\]}”」』）】》]\s+(?=\S)/u;

/**
 * Widens a range of a text by the brackets and quotation marks right beside it whose other half is inside or on the other side, and drops
 * a closing mark at its start that belongs to the sentence before.
 */
export function fitToMarks(text: string, span: Span): Span {
  let { start, end } = span;
  start += STRAY_CLOSER.exec(text.slice(start, end))?.[0].length ?? 0;
  for (let added = 0; added < MAX_MARKS; added++) {
    const before = findMark(text, start, -1);
    const after = findMark(text, end - 1, 1);
    const inside = text.slice(start, end);
    if (closes(inside, text, after)) end = after + 1;
    else if (opens(inside, text, before)) start = before;
    else if (isAround(inside, text.charAt(before), text.charAt(after))) [start, end] = [before, after + 1];
    else break;
  }
  return { start, end };
}

/** Returns the offset of the character beside `at`, or of the spaced mark behind a blank. */
function findMark(text: string, at: number, step: 1 | -1): number {
  const isBeyondBlank = isSpace(text.charCodeAt(at + step)) && SPACED_MARKS.includes(text.charAt(at + 2 * step) || " ");
  return isBeyondBlank ? at + 2 * step : at + step;
}

const count = (text: string, mark: string): number => text.split(mark).length - 1;

/** Whether the mark at `at` closes what is open in `inside`. */
function closes(inside: string, text: string, at: number): boolean {
  const mark = text.charAt(at);
  if (mark === '"') return count(inside, mark) % 2 === 1 && !/[\p{L}\p{N}]/u.test(text.charAt(at + 1));
  return PAIRS.some(([open = "", close]) => mark === close && count(inside, open) > count(inside, close));
}

/** Whether the mark at `at` opens what is closed in `inside`. */
function opens(inside: string, text: string, at: number): boolean {
  const mark = text.charAt(at);
  if (mark === '"') return count(inside, mark) % 2 === 1 && !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
  return PAIRS.some(([open, close = ""]) => mark === open && count(inside, close) > count(inside, open));
}

/** Whether the two marks are a pair around a range in which each mark has its other half. */
function isAround(inside: string, before: string, after: string): boolean {
  if (before === '"' && after === '"') return count(inside, before) % 2 === 0;
  return PAIRS.some(([open, close]) => before === open && after === close && count(inside, before) === count(inside, after));
}
