import { normaliseText } from "../text.ts";

/** Lines before and after a heading in which its date and author stand. */
const LINES_BEFORE = 3;
const LINES_AFTER = 8;
/** A longer line is a paragraph; the introduction before a byline is shorter. */
const MAX_LINE = 300;
const MAX_SCANNED = 200_000;
/** A title stands in the way to the page, above its text and among links too. */
const MAX_PLACES = 4;

const isProse = (line: string): boolean => line.length > MAX_LINE;

/** Returns the short lines around the page's title, the last place of it first, in each the closest ones first, up to the first paragraph. */
export function listLinesAt(title: string | null, linear: string): readonly string[] {
  const lines = linear.slice(0, MAX_SCANNED).split("\n");
  const own = normaliseText(title ?? "");
  const isTitle = (line: string): boolean => own !== "" && line.length < 2 * own.length + 20 && normaliseText(line) === own;
  const places = lines.flatMap((line, at) => (isTitle(line) ? [at] : []));
  return places
    .slice(-MAX_PLACES)
    .reverse()
    .flatMap((at) => {
      const after = lines.slice(at + 1, at + 1 + LINES_AFTER);
      const prose = after.findIndex(isProse);
      const before = lines.slice(Math.max(0, at - LINES_BEFORE), at).reverse();
      return [...(prose < 0 ? after : after.slice(0, prose)), ...before.filter((line) => !isProse(line))];
    });
}
