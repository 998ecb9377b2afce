/** A Markdown heading (CommonMark's ATX heading): marks, a space, its text. */
const HEADING = /^(#{1,6})[ \t]+(\S.{0,300})$/gm;
const MAX_HEADINGS = 2_000;

/** A heading; it is above all text until the next one of the same or a higher level. */
export type Heading = { readonly level: number; readonly words: string };

/**
 * Returns a function that gives the headings above an offset, outermost first. Offsets must be passed in ascending order; headings that
 * end after the offset are left out. `above` are the headings above the whole text, if it is a part of another text.
 */
export function createHeadingLookup(text: string, above: readonly Heading[] = []): (offset: number) => readonly Heading[] {
  const headings: (Heading & { readonly at: number })[] = [];
  for (const { 0: line, 1: marks = "", 2: words = "", index } of text.matchAll(HEADING)) {
    if (headings.length >= MAX_HEADINGS) break;
    headings.push({ at: index + line.length, level: marks.length, words });
  }
  const open: Heading[] = [...above];
  let next = 0;
  return (offset) => {
    for (let heading = headings[next]; heading !== undefined && heading.at <= offset; heading = headings[++next]) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
      open.push({ level: heading.level, words: heading.words });
    }
    return open;
  };
}
