/** A Markdown heading (CommonMark's ATX heading): marks, a space, its text. */
const HEADING = /^(#{1,6})[ \t]+(\S.{0,300})$/gm;
const MAX_HEADINGS = 2_000;

/**
 * Returns a function that gives the headings above an offset, outermost first, joined by blanks. Offsets must be passed in ascending
 * order; headings that end after the offset are left out.
 */
export function createHeadingLookup(text: string): (offset: number) => string {
  const headings: { readonly at: number; readonly level: number; readonly words: string }[] = [];
  for (const { 0: line, 1: marks = "", 2: words = "", index } of text.matchAll(HEADING)) {
    if (headings.length >= MAX_HEADINGS) break;
    headings.push({ at: index + line.length, level: marks.length, words });
  }
  const open: { readonly level: number; readonly words: string }[] = [];
  let next = 0;
  return (offset) => {
    for (let heading = headings[next]; heading !== undefined && heading.at <= offset; heading = headings[++next]) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
      open.push(heading);
    }
    return open.map(({ words }) => words).join(" ");
  };
}
