import { getText, isElement, isTitleButton, type PageElement, type PageNode, TEXT_NODE } from "./dom.ts";
import { isCode, readCode, writeCode } from "./markdown/code.ts";
import { writeTable } from "./markdown/table.ts";

const BLOCKS = new Set(
  "p div section article main header footer nav aside figure figcaption address center dl dt dd details summary fieldset form body html caption hgroup".split(
    " ",
  ),
);
const SKIPPED = new Set(
  "script style noscript template svg img picture video audio iframe object canvas button input select textarea head title".split(" "),
);
const ROW_PARTS = new Set("span strong b time small label a".split(" "));

/** Finished blocks, and the inline text of the current one. */
type Writer = { readonly blocks: string[]; inline: string[] };

const collapseSpaces = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

function flush(writer: Writer): void {
  const text = collapseSpaces(writer.inline.join(""));
  writer.inline = [];
  if (text !== "") writer.blocks.push(text);
}

/** Longer lists and quotes are not indented or quoted again by outer elements, because a tile's text ends at this length. */
const MAX_MARKED_LENGTH = 1_000_000;

const markLines = (text: string, mark: (row: string, at: number) => string): string =>
  text.length > MAX_MARKED_LENGTH ? text : text.split("\n").map(mark).join("\n");

const indentLines = (text: string, first: string, rest: string): string =>
  markLines(text, (row, at) => (at === 0 ? first + row : row === "" ? "" : rest + row));

const quoteLines = (text: string): string => markLines(text, (row) => (row === "" ? ">" : `> ${row}`));

const LIST = /^(?:ul|ol|menu)$/;
const readNumber = (element: PageElement, name: string): number | null => {
  const value = element.getAttribute(name) ?? "";
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
};

function writeList(list: PageElement): string {
  const items: string[] = [];
  let number = readNumber(list, "start") ?? 1;
  for (const child of list.childNodes) {
    const isNested = isElement(child) && LIST.test(child.localName);
    const words = child.nodeType === TEXT_NODE ? getText(child) : "";
    const blocks = isNested ? [writeList(child)] : isElement(child) ? toBlocks(child) : [words];
    const text = blocks.filter((block) => block !== "").join("\n");
    if (text === "") continue;
    if (isElement(child)) number = readNumber(child, "value") ?? number;
    const mark = list.localName === "ol" ? `${number++}. ` : "- ";
    // Items in other elements, such as links, are already marked.
    if (isNested) items.push(indentLines(text, "  ", "  "));
    else items.push(mark === "- " && text.startsWith("- ") ? text : indentLines(text, mark, " ".repeat(mark.length)));
  }
  return items.join("\n");
}

/** Whether an element is the number of a footnote, which is not a part of the word before it. */
function isFootnoteNumber(element: PageElement): boolean {
  const link = element.parentNode?.localName === "a" ? element.parentNode : element.firstElementChild;
  return link?.localName === "a" && (link.getAttribute("href") ?? "").includes("#") && /^\s*\d{1,3}\s*$/.test(element.textContent ?? "");
}

/** Whether a link, without `sup`, is the number of a footnote: it follows a word without a space, and leads to a place in the page. */
const isBareFootnoteNumber = (link: PageElement, writer: Writer): boolean =>
  /^\s*\d{1,3}\s*$/.test(link.textContent ?? "") &&
  (link.getAttribute("href") ?? "").startsWith("#") &&
  /[^\s\d([]$/.test(writer.inline.at(-1) ?? "");

/** Whether an element is the line above a quote in a forum that names its author. In the text of a quote, `cite` is a title. */
function isQuoteHead({ parentNode }: PageElement, writer: Writer): boolean {
  const quote = parentNode?.localName === "div" ? parentNode.parentNode : parentNode;
  return quote?.localName === "blockquote" && writer.inline.every((part) => part.trim() === "");
}

function writeElement(element: PageElement, writer: Writer): void {
  const name = element.localName;
  if (SKIPPED.has(name) && !isTitleButton(element)) return;
  if (name === "br") return void writer.inline.push("\n");
  if (name === "sup" && isFootnoteNumber(element)) return void writer.inline.push(`[${getText(element)}]`);
  if (name === "a" && isBareFootnoteNumber(element, writer)) return void writer.inline.push(`[${getText(element)}]`);
  const blocks = toSpecialBlocks(element, name);
  if (!blocks && INLINE_CODE.test(name)) return void writer.inline.push(writeInlineCode(element));
  if (!blocks && !BLOCKS.has(name) && !(name === "cite" && isQuoteHead(element, writer))) return writeChildren(element, writer);
  flush(writer);
  if (blocks) writer.blocks.push(...blocks.filter((block) => block !== ""));
  else writeChildren(element, writer);
  flush(writer);
}

const INLINE_CODE = /^(?:code|kbd|samp|tt)$/;

function writeInlineCode(element: PageElement): string {
  const text = element.querySelector("br") ? readCode(element) : (element.textContent ?? "").replace(/\n/g, " ");
  const lines = collapseSpaces(text).split("\n");
  return lines.map((line) => (line === "" || line.includes("`") ? line : `\`${line}\``)).join("\n");
}

/** Returns the level of a heading; 0 for other elements. */
function getHeadingLevel(element: PageElement): number {
  const [, level] = /^h([1-6])$/.exec(element.localName) ?? [];
  if (level !== undefined) return Number(level);
  return element.getAttribute("role") === "heading" ? Math.min(6, readNumber(element, "aria-level") || 2) : 0;
}

/** Returns the blocks of an element with a Markdown syntax of its own, or null for any other element. */
function toSpecialBlocks(element: PageElement, name: string): readonly string[] | null {
  if (isCode(element)) return [writeCode(element)];
  const level = getHeadingLevel(element);
  if (level > 0) {
    const text = toBlocks(element)
      .join(" ")
      .replace(/\n/g, " ")
      .replace(/^#{1,6} /, "");
    return text === "" ? [] : [`${"#".repeat(level)} ${text}`];
  }
  if (LIST.test(name)) return [writeList(element)];
  if (name === "li") {
    const text = toBlocks(element).join("\n");
    return text === "" ? [] : [indentLines(text, "- ", "  ")];
  }
  if (name === "blockquote") {
    const text = toBlocks(element).join("\n\n");
    return text === "" ? [] : [quoteLines(text)];
  }
  if (name === "table") return writeTable(element, toBlocks);
  return name === "hr" ? [] : null;
}

/** Whether two texts beside each other belong together: a bracket or mark and what it belongs to, the parts of a price or a number. */
const isJoined = (before: string, after: string): boolean =>
  /[([{=$€£¥]$/.test(before) || /^[)\]},.;:!?=]/.test(after) || (/\d[.,]$/.test(before) && /^\d/.test(after));

/** Writes an element of a row, after a space. */
function writeCell(element: PageElement, writer: Writer): void {
  const { inline } = writer;
  const gap = inline.length === 0 ? -1 : inline.push(" ") - 1;
  writeElement(element, writer);
  if (gap > 0 && isJoined(inline[gap - 1] ?? "", inline[gap + 1] ?? "")) inline[gap] = "";
}

function writeChildren(node: PageNode, writer: Writer): void {
  const children = [...node.childNodes];
  // Inline elements without text between them are usually separated by the page's style.
  const isRow = children.length > 1 && children.every((child) => isElement(child) && ROW_PARTS.has(child.localName));
  for (const child of children) {
    if (child.nodeType === TEXT_NODE) writer.inline.push((child.textContent ?? "").replace(/\s+/g, " "));
    else if (isElement(child)) {
      if (isRow) writeCell(child, writer);
      else writeElement(child, writer);
    }
  }
}

function toBlocks(node: PageNode): string[] {
  const writer: Writer = { blocks: [], inline: [] };
  writeChildren(node, writer);
  flush(writer);
  return writer.blocks;
}

/**
 * Converts a tree to light Markdown (CommonMark with GitHub's tables): headings, lists, quotes, code with its language, tables and captions.
 * Links are their text only, without targets, so that sentences can be searched and quoted; emphasis and pictures are left out. Text is
 * not escaped, so that it can be quoted literally.
 */
export const toMarkdown = (root: PageElement): string => toBlocks(root).join("\n\n");
