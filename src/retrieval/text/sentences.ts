import { isAbbreviation } from "./abbreviations.ts";
import { isSpace } from "./characters.ts";
import { splitLong, trimSpan, type Span } from "./spans.ts";

/** Longest sentence, in UTF-16 code units; longer ones are cut at a clause or a space. */
const MAX_SENTENCE = 600;
/** A line at least this long may have been wrapped, so that its sentence goes on in the next. */
const WRAPPED_LINE = 50;

const codes = (marks: string): ReadonlySet<number> => new Set(Array.from(marks, (mark) => mark.charCodeAt(0)));
/** End a sentence where white space follows. */
const SPACED_ENDS = codes(".!?…");
/** End a sentence by themselves. */
const UNSPACED_ENDS = codes("。！？｡।॥؟۔\u104b\u0589\u1362\u17d4");
const CLOSERS = codes("\"'”’»)]」』）】〉》");
const FULL_STOP = 46;
const LOWER = /^\p{Ll}/u;
const OPENERS = /^["'“‘«([„]+/;

/**
 * Sentences of a text, in order, trimmed, never overlapping, together all of it but white space. Ends are marks of
 * the common scripts, line ends (but not those of wrapped lines) and, past 600 code units, clauses or spaces.
 */
export function splitSentences(text: string): Span[] {
  const sentences: Span[] = [];
  const length = text.length;
  let start = 0;
  let line = 0;
  const close = (end: number): void => {
    const span = trimSpan(text, start, end);
    start = end;
    if (span.end - span.start > MAX_SENTENCE) sentences.push(...splitLong(text, span, MAX_SENTENCE));
    else if (span.end > span.start) sentences.push(span);
  };
  for (let i = 0; i < length;) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13 || code === 0x2028 || code === 0x2029) {
      const next = skipSpace(text, i);
      if (!isWrap(text, line, i, next)) close(i);
      i = next;
      line = next;
    } else if (SPACED_ENDS.has(code)) {
      const after = skip(text, i, SPACED_ENDS);
      const end = skip(text, after, CLOSERS);
      if ((end === length || isSpace(text.charCodeAt(end))) && isSentenceEnd(text, i, after, end, line)) close(end);
      i = end;
    } else if (UNSPACED_ENDS.has(code)) {
      i = skip(text, skip(text, i, UNSPACED_ENDS), CLOSERS);
      close(i);
    } else i++;
  }
  close(length);
  return sentences;
}

function skip(text: string, from: number, marks: ReadonlySet<number>): number {
  let at = from;
  while (at < text.length && marks.has(text.charCodeAt(at))) at++;
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a line end is only where a long line was wrapped: one break, and the next line goes on in lower case. */
function isWrap(text: string, line: number, end: number, next: number): boolean {
  if (end - line < WRAPPED_LINE || next - end > 8 || next >= text.length) return false;
  if ((text.slice(end, next).match(/\r\n|[\n\r\u2028\u2029]/g) ?? []).length > 1) return false;
  return LOWER.test(text.slice(next, next + 2));
}

/** Whether the mark at `at` (its run ends at `after`, quotes and brackets at `end`) ends a sentence. */
function isSentenceEnd(text: string, at: number, after: number, end: number, line: number): boolean {
  const from = skipInline(text, end);
  const next = text.slice(from, from + 24).replace(OPENERS, "");
  if (LOWER.test(next)) return false;
  if (after - at > 1 || text.charCodeAt(at) !== FULL_STOP || end > after) return true;
  const begin = findWordStart(text, at, line);
  return !isAbbreviation(text.slice(begin, at), next, begin === line);
}

/** Past blanks, but not past the end of the line: a line end is judged by itself. */
function skipInline(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== 10) at++;
  return at;
}

/** Start of the word that ends at `at`, looking back no further than any abbreviation is long. */
function findWordStart(text: string, at: number, line: number): number {
  let begin = at;
  while (begin > line && at - begin < 12) {
    const code = text.charCodeAt(begin - 1);
    if (isSpace(code) || code === 40 || code === 91 || code === 34 || code === 0x201c) break;
    begin--;
  }
  return begin;
}
