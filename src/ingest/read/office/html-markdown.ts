import { parsePage } from "../../clean/dom.ts";
import { toMarkdown } from "../../clean/markdown.ts";
import { measurePage } from "../../clean/measure/measure.ts";
import { htmlToText } from "../markup/html-text.ts";

/** Bounds within which building a tree ends soon. */
const MAX_CHARACTERS = 3 * 1024 * 1024;
const MAX_ELEMENTS = 60_000;
const MAX_DEPTH = 200;

/** A document written as HTML by us or by a book's maker, as light Markdown; as plain text where it is too big for a tree. */
export function htmlToMarkdown(html: string): string {
  const { elements, depth, linear } = measurePage(html);
  if (depth > MAX_DEPTH) return linear;
  return elements > MAX_ELEMENTS || html.length > MAX_CHARACTERS ? htmlToText(html) : toMarkdown(parsePage(html).documentElement);
}
