import type { Line } from "./lines.ts";

/** So many lines at the top and at the bottom of a page may be its furniture. */
const EDGE = 3;
const MIN_PAGES = 3;
/** Left and right pages have furniture of their own, so less than half of the pages is enough. */
const SHARE = 0.4;
const LONGEST = 160;
/** Heights are told apart in steps of so many points. */
const STEP = 12;

/** The line with its numbers left out, as page numbers, Roman ones too, and dates change. */
const shapeOf = (line: Line): string =>
  /^[ivxlc]{1,8}$/i.test(line.text) ? "#" : line.text.toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ");
const heightOf = (line: Line): number => Math.round(line.y / STEP);
const keyOf = (line: Line): string => `${heightOf(line)} ${shapeOf(line)}`;

/** The outermost lines that a gap sets apart from the words of the page; one line where there is none. */
function edgeOf(lines: readonly Line[]): readonly Line[] {
  for (let count = 1; count <= EDGE; count++) {
    const [last, next] = [lines[count - 1], lines[count]];
    if (last === undefined || next === undefined) break;
    const gap = Math.abs(last.y - next.y);
    if (gap > 1.8 * Math.max(last.size, next.size)) return lines.slice(0, count);
  }
  return lines.slice(0, 1);
}

/** By height, as many programs draw the furniture of a page first. */
function edgesOf(page: readonly Line[]): Set<Line> {
  const sorted = page.toSorted((a, b) => b.y - a.y);
  return new Set([...edgeOf(sorted), ...edgeOf(sorted.toReversed())]);
}

/**
 * Leaves out running heads and feet and page numbers: lines at a page's edge whose words, numbers aside, stand at about the same
 * height on many pages. A document of one or two pages is left as it is, and so is a page that holds nothing else.
 */
export function removeRunningHeaders(pages: readonly (readonly Line[])[]): (readonly Line[])[] {
  const filled = pages.filter((page) => page.length > 0).length;
  if (filled < MIN_PAGES) return [...pages];
  const edges = pages.map(edgesOf);
  const seen = new Map<string, number>();
  for (const edge of edges) for (const key of new Set([...edge].map(keyOf))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const least = Math.max(MIN_PAGES, filled * SHARE);
  const isFurniture = (line: Line): boolean => {
    const [height, shape] = [heightOf(line), shapeOf(line)];
    // The height is rounded, so that a neighbour may hold the rest of the count.
    const count = [height - 1, height, height + 1].reduce((sum, each) => sum + (seen.get(`${each} ${shape}`) ?? 0), 0);
    return count >= least;
  };
  return pages.map((page, place) => {
    const kept = page.filter((line) => !edges[place]?.has(line) || line.text.length > LONGEST || !isFurniture(line));
    return kept.length === 0 && page.some(({ text }) => /\p{L}/u.test(text)) ? page : kept;
  });
}
