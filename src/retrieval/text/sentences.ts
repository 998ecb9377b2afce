import { isAbbreviation } from "./language/abbreviations.ts";
import { isSpace } from "./characters.ts";
import { splitLong, trimSpan, type Span } from "./spans.ts";

/** Maximum length of a sentence, in UTF-16 code units. Longer ones are cut at a clause or a space. */
const MAX_SENTENCE_LENGTH = 600;
/** A line of at least this length may be wrapped: its sentence may continue in the next line. */
const MIN_WRAPPED_LINE_LENGTH = 50;

/** Maximum length of an abbreviation, and of the text before it that matters, in UTF-16 code units. */
const MAX_WORD_LENGTH = 12;

const toCodes = (marks: string): ReadonlySet<number> => new Set(Array.from(marks, (mark) => mark.charCodeAt(0)));
/** Marks that end a sentence if white space follows. */
const SPACED_ENDS = toCodes(".!?…");
/** Marks that end a sentence without white space. */
const UNSPACED_ENDS = toCodes("。！？｡।॥؟۔\u104b\u0589\u1362\u17d4");
const CLOSERS = toCodes("\"'”’»)]」』）】〉》");
const FULL_STOP = 46;
const LOWER = /^\p{Ll}/u;
const OPENERS = /^["'“‘«([„]+/;

/**
 * Splits a text into sentences: in order, trimmed, without overlap, covering everything except white space. Sentences end at the
 * punctuation of the common scripts, at line ends (except wrapped lines) and, after 600 code units, at clauses or spaces.
 */
export function splitSentences(text: string): Span[] {
  const sentences: Span[] = [];
  const length = text.length;
  let start = 0;
  let line = 0;
  const close = (end: number): void => {
    const span = trimSpan(text, start, end);
    start = end;
    if (span.end - span.start > MAX_SENTENCE_LENGTH) sentences.push(...splitLong(text, span, MAX_SENTENCE_LENGTH));
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

/** Whether a line end only wraps a long line: it is a single break, and the next line continues in lower case. */
function isWrap(text: string, line: number, end: number, next: number): boolean {
  if (end - line < MIN_WRAPPED_LINE_LENGTH || next - end > 8 || next >= text.length) return false;
  if ((text.slice(end, next).match(/\r\n|[\n\r\u2028\u2029]/g) ?? []).length > 1) return false;
  return LOWER.test(text.slice(next, next + 2));
}

/** Whether the punctuation from `at` to `after`, followed by quotes and brackets up to `end`, ends a sentence. */
function isSentenceEnd(text: string, at: number, after: number, end: number, line: number): boolean {
  const from = skipInline(text, end);
  const next = text.slice(from, from + 24).replace(OPENERS, "");
  if (LOWER.test(next)) return false;
  if (after - at > 1 || text.charCodeAt(at) !== FULL_STOP || end > after) return true;
  const begin = findWordStart(text, at, line);
  return !isAbbreviation(text.slice(begin, at), text.slice(Math.max(line, begin - MAX_WORD_LENGTH), begin), next);
}

/** Skips blanks up to the end of the line; line ends are handled separately. */
function skipInline(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== 10) at++;
  return at;
}

/** Finds the start of the word that ends at `at`. */
function findWordStart(text: string, at: number, line: number): number {
  let begin = at;
  while (begin > line && at - begin < MAX_WORD_LENGTH) {
    const code = text.charCodeAt(begin - 1);
    if (isSpace(code) || code === 40 || code === 91 || code === 34 || code === 0x201c) break;
    begin--;
  }
  return begin;
}
