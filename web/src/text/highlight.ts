import { type Span, mapSpan } from "./offset-map.ts";
import type { MarkdownBlock } from "./prose/markdown.ts";
import type { Mark } from "./quote.ts";

/** The class of light marks. */
export const LIGHT_MARK = "light";

/** Highlights `mark` in the rendered blocks of `text`. Returns false and highlights nothing if its position in them is uncertain. */
export function highlightMark(text: string, blocks: readonly MarkdownBlock[], elements: readonly Element[], mark: Mark): boolean {
  // Sanitising may split or remove blocks, which would shift all positions.
  if (elements.length !== blocks.length) return false;
  const ranges: (readonly [Element, Span])[] = [];
  for (const [index, { start, end }] of blocks.entries()) {
    const element = elements[index];
    if (element === undefined) return false;
    if (start >= mark.end || end <= mark.start) continue;
    const part = { start: Math.max(0, mark.start - start), end: Math.min(end, mark.end) - start };
    const range = mapSpan(text.slice(start, end), element.textContent ?? "", part);
    if (range === null) return false;
    if (range !== undefined) ranges.push([element, range]);
  }
  for (const [element, range] of ranges) wrapInMarks(element, range, mark.isLight === true);
  return ranges.length > 0;
}

/** Wraps a span of an element's text in `mark` elements. */
function wrapInMarks(element: Element, span: Span, isLight: boolean): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const parts: Text[] = [];
  let start = 0;
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const end = start + node.data.length;
    if (start < span.end && end > span.start && node.data.trim() !== "") {
      const rest = span.start > start ? node.splitText(span.start - start) : node;
      if (span.end < end) rest.splitText(span.end - Math.max(start, span.start));
      parts.push(rest);
      // Continue after the highlighted text.
      walker.currentNode = span.end < end ? (rest.nextSibling ?? rest) : rest;
    }
    start = end;
  }
  for (const part of parts) {
    const mark = document.createElement("mark");
    if (isLight) mark.className = LIGHT_MARK;
    part.replaceWith(mark);
    mark.append(part);
  }
}
