import type { PdfLine } from "./lines.ts";

const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]?$/;
const LIST_ITEM = /^(?:[•●▪◦‣–—*]|\d{1,3}[.)]|[a-z]\)|\(\w{1,3}\))\s/i;
const BULLET = /^[•●▪◦‣]\s*/;
/** An entry of a table of contents, with its page number. */
const CONTENTS_ENTRY = / … [\divxl]{1,6}$/;
const MAX_HEADING_LENGTH = 160;
const MAX_PARAGRAPH_LENGTH = 20_000;

/** The most frequent font size of a document, and the number of times each word occurs within a line. */
export type TextStatistics = { readonly size: number; readonly words: ReadonlyMap<string, number> };

const WORD = /\p{L}+(?:-\p{L}+)*/gu;

/** Counts the font sizes and words of a document. */
export function measureText(pages: readonly (readonly PdfLine[])[]): TextStatistics {
  const sizes = new Map<number, number>();
  const words = new Map<string, number>();
  for (const line of pages.flat()) {
    sizes.set(line.size, (sizes.get(line.size) ?? 0) + line.text.length);
    for (const [word] of line.text.toLowerCase().matchAll(WORD)) if (words.size < 200_000) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const size = [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
  return { size, words };
}

/** Characters before the end of a line that are searched for a hyphenated word. */
const MAX_WORD_LENGTH = 60;

/** Appends a line to a paragraph. A word that is hyphenated at the line's end is joined, unless the document writes it with a hyphen. */
function joinLines(before: string, next: string, { words }: TextStatistics): string {
  const end = before.slice(-MAX_WORD_LENGTH);
  if (end.endsWith("\u00AD")) return before.slice(0, -1) + next;
  const head = /(\p{L}+(?:-\p{L}+)*)[-‐]$/u.exec(end)?.[1];
  const tail = (head !== undefined && head === head.toUpperCase() ? /^\p{Lu}{2,}/u : /^\p{Ll}+/u).exec(next)?.[0];
  if (head === undefined || tail === undefined)
    return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(end) ? before + next : `${before} ${next}`;
  const whole = words.get(`${head}${tail}`.toLowerCase()) ?? 0;
  const compound = words.get(`${head}-${tail}`.toLowerCase()) ?? 0;
  return compound > whole ? `${before.slice(0, -1)}-${next}` : before.slice(0, -1) + next;
}

/** Whether the line starts a new paragraph. */
function startsParagraph(line: PdfLine, before: PdfLine, usualGap: number, widest: number): boolean {
  const gap = before.y - line.y;
  if (Math.abs(line.size - before.size) > Math.max(0.6, before.size * 0.08)) return true;
  // The line is above the previous one: it is in another column.
  if (gap < -before.size) return SENTENCE_END.test(before.text) || !/^\p{Ll}/u.test(line.text);
  if (gap > usualGap * 1.35 + 1) return true;
  if (LIST_ITEM.test(line.text) || CONTENTS_ENTRY.test(before.text)) return true;
  const isIndented = line.x - before.x > line.size * 0.8 && line.x - before.x < line.size * 6;
  if (isIndented && SENTENCE_END.test(before.text)) return true;
  return SENTENCE_END.test(before.text) && before.width < widest * 0.6 && /^[\p{Lu}\p{N}"“]/u.test(line.text);
}

/** Returns the most frequent gap between neighbouring lines, in points; Infinity if there is none. */
function findUsualGap(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const gap = Math.round(((lines[index - 1]?.y ?? line.y) - line.y) * 2) / 2;
    if (gap > 1 && gap < line.size * 4) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best), [Infinity, 0])[0];
}

/** Joins the lines of all pages to paragraphs in Markdown. Short lines in a large font are headings. */
export function toParagraphs(pages: readonly (readonly PdfLine[])[], statistics: TextStatistics): string[] {
  const blocks: { text: string; readonly isHeading: boolean }[] = [];
  let before: PdfLine | null = null;
  for (const lines of pages) {
    const usualGap = findUsualGap(lines);
    const widest = lines.reduce((max, line) => Math.max(max, line.width), 0);
    for (const [index, line] of lines.entries()) {
      const isHeading = line.size > statistics.size * 1.2 && line.text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(line.text);
      const last = blocks.at(-1);
      const isNewPage = index === 0 && before !== null;
      const isNew =
        before === null ||
        last === undefined ||
        last.isHeading !== isHeading ||
        last.text.length > MAX_PARAGRAPH_LENGTH ||
        (isNewPage ? SENTENCE_END.test(before.text) || !/^\p{Ll}/u.test(line.text) : startsParagraph(line, before, usualGap, widest));
      const text = line.text.replace(BULLET, "- ");
      if (isNew) blocks.push({ text, isHeading });
      else last.text = joinLines(last.text, line.text, statistics);
      before = line;
    }
  }
  return blocks.map(({ text, isHeading }) => (isHeading ? `## ${text}` : text));
}
