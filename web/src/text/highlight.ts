import { type Span, mapSpan } from "./offset-map.ts";
import type { Block } from "./prose/markdown.ts";

/**
 * Marks the words of `span` (places in `text`) in the rendered blocks. False, with nothing marked, where it is not certain which words
 * those are.
 */
export function highlightSpan(text: string, blocks: readonly Block[], elements: readonly Element[], span: Span): boolean {
  // As many elements as blocks, or something in them was taken apart.
  if (elements.length !== blocks.length) return false;
  const places: (readonly [Element, Span])[] = [];
  for (const [index, { start, end }] of blocks.entries()) {
    const element = elements[index];
    if (element === undefined) return false;
    if (start >= span.end || end <= span.start) continue;
    const part = { start: Math.max(0, span.start - start), end: Math.min(end, span.end) - start };
    const place = mapSpan(text.slice(start, end), element.textContent ?? "", part);
    if (place === null) return false;
    if (place !== undefined) places.push([element, place]);
  }
  for (const [element, place] of places) wrapInMarks(element, place);
  return places.length > 0;
}

/** Puts the letters `span` of an element's text into `mark` elements. */
function wrapInMarks(element: Element, span: Span): void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const parts: Text[] = [];
  let start = 0;
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const end = start + node.data.length;
    if (start < span.end && end > span.start && node.data.trim() !== "") {
      const rest = span.start > start ? node.splitText(span.start - start) : node;
      if (span.end < end) rest.splitText(span.end - Math.max(start, span.start));
      parts.push(rest);
      // The walker goes on behind what was marked; what was split off is not looked at again.
      walker.currentNode = span.end < end ? (rest.nextSibling ?? rest) : rest;
    }
    start = end;
  }
  for (const part of parts) {
    const mark = document.createElement("mark");
    part.replaceWith(mark);
    mark.append(part);
  }
}
