import type { Line } from "./lines.ts";

const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]?$/;
const ITEM = /^(?:[•●▪◦‣–—*]|\d{1,3}[.)]|[a-z]\)|\(\w{1,3}\))\s/i;
const BULLET = /^[•●▪◦‣]\s*/;
/** An entry of a table of contents, with its page's number. */
const ENTRY = / … [\divxl]{1,6}$/;
const MAX_HEADING_LENGTH = 160;
const MAX_PARAGRAPH_LENGTH = 20_000;

/** What the lines of a document have in common. */
export type Measure = { readonly size: number; readonly words: ReadonlyMap<string, number> };

const WORD = /\p{L}+(?:-\p{L}+)*/gu;

/** The size most letters have, and how often each word stands inside a line. */
export function measureLines(pages: readonly (readonly Line[])[]): Measure {
  const sizes = new Map<number, number>();
  const words = new Map<string, number>();
  for (const line of pages.flat()) {
    sizes.set(line.size, (sizes.get(line.size) ?? 0) + line.text.length);
    for (const [word] of line.text.toLowerCase().matchAll(WORD)) if (words.size < 200_000) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const size = [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
  return { size, words };
}

const LOOK_BACK = 60;

/** Puts a line behind what stands before it; a word that was broken at the line's end is made whole again. */
function joinLines(before: string, next: string, { words }: Measure): string {
  const end = before.slice(-LOOK_BACK);
  if (end.endsWith("\u00AD")) return before.slice(0, -1) + next;
  const head = /(\p{L}+(?:-\p{L}+)*)[-‐]$/u.exec(end)?.[1];
  const tail = (head !== undefined && head === head.toUpperCase() ? /^\p{Lu}{2,}/u : /^\p{Ll}+/u).exec(next)?.[0];
  if (head === undefined || tail === undefined)
    return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(end) ? before + next : `${before} ${next}`;
  const whole = words.get(`${head}${tail}`.toLowerCase()) ?? 0;
  const compound = words.get(`${head}-${tail}`.toLowerCase()) ?? 0;
  return compound > whole ? `${before.slice(0, -1)}-${next}` : before.slice(0, -1) + next;
}

/** Whether a new paragraph begins with the line. */
function begins(line: Line, before: Line, usualGap: number, widest: number): boolean {
  const gap = before.y - line.y;
  if (Math.abs(line.size - before.size) > Math.max(0.6, before.size * 0.08)) return true;
  // Above the line before: another column, or another page.
  if (gap < -before.size) return SENTENCE_END.test(before.text) || !/^\p{Ll}/u.test(line.text);
  if (gap > usualGap * 1.35 + 1) return true;
  if (ITEM.test(line.text) || ENTRY.test(before.text)) return true;
  const isIndented = line.x - before.x > line.size * 0.8 && line.x - before.x < line.size * 6;
  if (isIndented && SENTENCE_END.test(before.text)) return true;
  return SENTENCE_END.test(before.text) && before.width < widest * 0.6 && /^[\p{Lu}\p{N}"“]/u.test(line.text);
}

/** The gap between lines that most neighbours have. */
function usualGapOf(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (const [place, line] of lines.entries()) {
    const gap = Math.round(((lines[place - 1]?.y ?? line.y) - line.y) * 2) / 2;
    if (gap > 1 && gap < line.size * 4) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best), [Infinity, 0])[0];
}

/** The lines of all pages as paragraphs; large short lines are headings. */
export function paragraphsOf(pages: readonly (readonly Line[])[], measure: Measure): string[] {
  const blocks: { text: string; readonly isHeading: boolean }[] = [];
  let before: Line | null = null;
  for (const lines of pages) {
    const usualGap = usualGapOf(lines);
    const widest = lines.reduce((most, line) => Math.max(most, line.width), 0);
    for (const [place, line] of lines.entries()) {
      const isHeading = line.size > measure.size * 1.2 && line.text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(line.text);
      const last = blocks.at(-1);
      const isNewPage = place === 0 && before !== null;
      const isNew =
        before === null ||
        last === undefined ||
        last.isHeading !== isHeading ||
        last.text.length > MAX_PARAGRAPH_LENGTH ||
        (isNewPage ? SENTENCE_END.test(before.text) || !/^\p{Ll}/u.test(line.text) : begins(line, before, usualGap, widest));
      const text = line.text.replace(BULLET, "- ");
      if (isNew) blocks.push({ text, isHeading });
      else last.text = joinLines(last.text, line.text, measure);
      before = line;
    }
  }
  return blocks.map(({ text, isHeading }) => (isHeading ? `## ${text}` : text));
}
