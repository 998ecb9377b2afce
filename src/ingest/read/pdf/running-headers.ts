import type { PdfLine } from "./lines.ts";

/** Maximum number of lines of a running header or footer. */
const MAX_EDGE_LINES = 3;
const MIN_PAGES = 3;
/** Left and right pages often have different headers, so a header on less than half of the pages is enough. */
const MIN_PAGE_SHARE = 0.4;
const MAX_HEADER_LENGTH = 160;
/** A gap of this many times the font size separates a header from the body. */
const MIN_GAP = 1.8;
/** Heights are compared in steps of this many points. */
const HEIGHT_STEP = 12;

/** Replaces the numbers in a line, because page numbers (Roman ones too) and dates differ on each page. */
const toPattern = (line: PdfLine): string =>
  /^[ivxlc]{1,8}$/i.test(line.text) ? "#" : line.text.toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ");
const roundHeight = (line: PdfLine): number => Math.round(line.y / HEIGHT_STEP);
const toKey = (line: PdfLine): string => `${roundHeight(line)} ${toPattern(line)}`;

/** Returns the first lines that a gap separates from the body, or the first line if there is no gap. */
function findEdge(lines: readonly PdfLine[]): readonly PdfLine[] {
  for (let count = 1; count <= MAX_EDGE_LINES; count++) {
    const [last, next] = [lines[count - 1], lines[count]];
    if (last === undefined || next === undefined) break;
    const gap = Math.abs(last.y - next.y);
    if (gap > MIN_GAP * Math.max(last.size, next.size)) return lines.slice(0, count);
  }
  return lines.slice(0, 1);
}

/** Returns the lines at the top and bottom edge. Lines are sorted by height, because many programs draw headers and footers first. */
function findEdges(page: readonly PdfLine[]): Set<PdfLine> {
  const sorted = page.toSorted((a, b) => b.y - a.y);
  return new Set([...findEdge(sorted), ...findEdge(sorted.toReversed())]);
}

/**
 * Removes running headers, footers and page numbers: lines at the edge of a page whose text, apart from numbers, is repeated at about
 * the same height on many pages. Documents of one or two pages, and pages with no other text, are left unchanged.
 */
export function removeRunningHeaders(pages: readonly (readonly PdfLine[])[]): (readonly PdfLine[])[] {
  const filled = pages.filter((page) => page.length > 0).length;
  if (filled < MIN_PAGES) return [...pages];
  const edges = pages.map(findEdges);
  const seen = new Map<string, number>();
  for (const edge of edges) for (const key of new Set([...edge].map(toKey))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const minCount = Math.max(MIN_PAGES, filled * MIN_PAGE_SHARE);
  const isRepeated = (line: PdfLine): boolean => {
    const [height, pattern] = [roundHeight(line), toPattern(line)];
    // Heights are rounded, so the same header may be counted under a neighbouring height.
    const count = [height - 1, height, height + 1].reduce((sum, each) => sum + (seen.get(`${each} ${pattern}`) ?? 0), 0);
    return count >= minCount;
  };
  return pages.map((page, index) => {
    const kept = page.filter((line) => !edges[index]?.has(line) || line.text.length > MAX_HEADER_LENGTH || !isRepeated(line));
    return kept.length === 0 && page.some(({ text }) => /\p{L}/u.test(text)) ? page : kept;
  });
}
