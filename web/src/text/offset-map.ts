/** A range of a text in UTF-16 code units; the end is exclusive. */
export type Span = { readonly start: number; readonly end: number };

/** The letters and digits of a text with their offsets. */
type Letters = { readonly text: string; readonly at: readonly number[] };

const LETTER = /[\p{L}\p{N}]/gu;

/**
 * Maps a span of Markdown to the rendered text by comparing letters and digits. Undefined if the span contains none; null if the letters
 * of both texts differ, so that the position is uncertain.
 */
export function mapSpan(markdown: string, rendered: string, span: Span): Span | undefined | null {
  const [source, shown] = [extractLetters(markdown, findHiddenSpans(markdown)), extractLetters(rendered, [])];
  if (source.text !== shown.text) return null;
  const first = source.at.findIndex((offset) => offset >= span.start);
  const after = source.at.findIndex((offset) => offset >= span.end);
  const last = (after === -1 ? source.at.length : after) - 1;
  if (first === -1 || last < first) return undefined;
  const [start, end] = [shown.at[first] ?? 0, endOfLetter(rendered, shown.at[last] ?? 0)];
  return {
    start,
    end: end + countSharedPunctuation(markdown.slice(endOfLetter(markdown, source.at[last] ?? 0), span.end), rendered.slice(end)),
  };
}

/** The offset after the letter at `offset`, which may have two code units. */
const endOfLetter = (text: string, offset: number): number => offset + String.fromCodePoint(text.codePointAt(offset) ?? 0).length;

/** How many characters of the punctuation after the last letter appear in both texts, ignoring emphasis markers. */
function countSharedPunctuation(markdown: string, rendered: string): number {
  const wanted = markdown.replace(/[*_~`]/g, "");
  let count = 0;
  while (count < wanted.length && count < rendered.length && wanted[count] === rendered[count]) count++;
  return rendered.slice(0, count).trimEnd().length;
}

function extractLetters(text: string, hidden: readonly Span[]): Letters {
  const parts: string[] = [];
  const at: number[] = [];
  let next = 0;
  for (const { 0: letter, index } of text.matchAll(LETTER)) {
    while ((hidden[next]?.end ?? Infinity) <= index) next++;
    if (index >= (hidden[next]?.start ?? Infinity)) continue;
    parts.push(letter);
    at.push(index);
  }
  return { text: parts.join(""), at };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The number of an ordered list item or the checkbox of a task, which are rendered without text. */
const MARK = /^(?:[ \t>]|[-*+](?=[ \t]))*(?:\d{1,9}[.)](?=[ \t]|$))?[ \t]*(?:(?:[-*+][ \t]+)?\[[ xX]\](?=[ \t]))?/;
/** Inline code, whose content is text, or the target of a link or image. */
const CODE_OR_TARGET = /`[^`\n]+`|\]\((?:[^()\s]|\([^()\s]*\))*(?:[ \t]+"[^"\n]*")?\)/g;

/** Spans of Markdown syntax that contain letters but are not rendered as text. */
function findHiddenSpans(markdown: string): Span[] {
  const hidden: Span[] = [];
  let fence: string | null = null;
  let start = 0;
  for (const line of markdown.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    const isFence = fence === null ? mark !== undefined : mark !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (isFence) {
      fence = fence === null ? (mark ?? null) : null;
      hidden.push({ start, end: start + line.length });
    } else if (fence === null) {
      const length = MARK.exec(line)?.[0].length ?? 0;
      if (length > 0) hidden.push({ start, end: start + length });
      for (const { 0: match, index } of line.matchAll(CODE_OR_TARGET)) {
        if (index >= length && match.startsWith("]")) hidden.push({ start: start + index, end: start + index + match.length });
      }
    }
    start += line.length + 1;
  }
  return hidden;
}
