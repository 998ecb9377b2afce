import { parsePage } from "../../../clean/dom.ts";
import { toMarkdown } from "../../../clean/markdown.ts";
import { measurePage } from "../../../clean/measure/measure.ts";
import { htmlToText } from "../../markup/html-text.ts";

/** Limits within which building a DOM tree takes a short time. */
const MAX_CHARACTERS = 3 * 1024 * 1024;
const MAX_ELEMENTS = 60_000;
const MAX_DEPTH = 200;

/** Converts a chapter or document in HTML to light Markdown, or to plain text if it is too large for a DOM tree. */
export function htmlToMarkdown(html: string): string {
  const { elements, depth, linear } = measurePage(html);
  if (depth > MAX_DEPTH) return linear;
  return elements > MAX_ELEMENTS || html.length > MAX_CHARACTERS ? htmlToText(html) : toMarkdown(parsePage(html).documentElement);
}
