import { getValue, getArray, getNumber } from "../json-access.ts";

/** A line of a page, with its font size and its position from the bottom left; all in points. */
export type PdfLine = {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
};

/** A fragment of text as the page draws it. `hasLineEnd`: a line ends after it. */
type Fragment = {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly hasLineEnd: boolean;
};

/** Maximum number of fragments of one page. Only drawings that consist of single letters have more. */
const MAX_FRAGMENTS = 60_000;

function toFragment(item: unknown): Fragment | null {
  const text = getValue(item, "str");
  if (typeof text !== "string") return null;
  const [a, b, c, d, x, y] = [0, 1, 2, 3, 4, 5].map((index) => getNumber(item, "transform", index) ?? 0) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // For rotated text the font size is in the other half of the matrix (ISO 32000-2, 9.4.4).
  const size = Math.hypot(c, d) || Math.hypot(a, b);
  return { text, size, x, y, width: getNumber(item, "width") ?? 0, hasLineEnd: getValue(item, "hasEOL") === true };
}

/** Joins the fragments of a page's text content to lines, in the order in which the page draws them. */
export function toLines(content: unknown): PdfLine[] {
  const lines: PdfLine[] = [];
  let fragments: Fragment[] = [];
  const endLine = (): void => {
    const text = joinFragments(fragments);
    const first = fragments.find((fragment) => fragment.text.trim() !== "");
    const last = fragments.at(-1);
    if (text !== "" && first !== undefined && last !== undefined) {
      const size = fragments.reduce((max, fragment) => (fragment.text.trim() === "" ? max : Math.max(max, fragment.size)), 0);
      lines.push({ text, size: Math.round(size * 10) / 10, x: first.x, y: first.y, width: Math.max(0, last.x + last.width - first.x) });
    }
    fragments = [];
  };
  for (const item of getArray(content, "items").slice(0, MAX_FRAGMENTS)) {
    const fragment = toFragment(item);
    if (fragment === null) continue;
    const previous = fragments.at(-1);
    if (previous !== undefined && fragment.text.trim() !== "" && Math.abs(fragment.y - previous.y) > Math.max(2, previous.size * 0.7))
      endLine();
    fragments.push(fragment);
    if (fragment.hasLineEnd) endLine();
  }
  endLine();
  return lines;
}

/** Joins the fragments of a line. A gap wider than a fifth of the font size becomes a space. */
function joinFragments(fragments: readonly Fragment[]): string {
  let text = "";
  let end: number | null = null;
  for (const fragment of fragments) {
    const gap = end === null ? 0 : fragment.x - end;
    if (text !== "" && gap > fragment.size * 0.2 && !/\s$/.test(text) && !/^\s/.test(fragment.text)) text += " ";
    text += fragment.text;
    if (fragment.text !== "") end = fragment.x + fragment.width;
  }
  // Dot leaders of a table of contents become an ellipsis.
  return text
    .replace(/\s+/g, " ")
    .replace(/(?: ?\.){5,} ?/g, " … ")
    .trim();
}
