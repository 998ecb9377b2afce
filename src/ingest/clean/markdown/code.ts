import { getText, isElement, type PageElement, type PageNode, TEXT_NODE } from "../dom.ts";
import { fenceCode } from "../../extract/markdown.ts";

/** Elements that start and end a line, by name, class and style. */
const LINE = /^ (?:div|li|p|pre|tr)\s|\s(?:(?:cm|code|highlight|token|view)-)?line\s|display:\s*(?:block|flex)/i;
/** Elements with line numbers, if they contain only digits. */
const GUTTER = /gutter|line[-_]?n(?:o|um)|\slnt?d?\s|blob-num|select[:-]\s*none|aria-hidden/i;
const SKIPPED = /^(?:button|style|script|svg|select|textarea|template)$/;
/** Elements that belong to a highlighter, such as a link that copies the code, if they contain a few words. */
const CONTROL = /^ (?!code|pre).*(?:copy|clipboard)|^ (?:div|figcaption)\s.*(?:header|toolbar)/i;
const MAX_CONTROL_LENGTH = 40;
const MAX_GUTTER_LENGTH = 20_000;
/** White space between the parts of these is not code. */
const LAYOUT = /^(?:table|thead|tbody|tr|td|ol|ul)$/;
const BLOCK_STYLE = /\sblock\s|white-space:\s*pre\b|display:\s*block/;
const MAX_NAMES_LENGTH = 500;

/** How highlighters name a language: GitHub, MediaWiki, Sphinx, SyntaxHighlighter, Hexo, highlight.js, pandoc and most others. */
const LANGUAGE =
  /\s(?:(?:mw-highlight-)?lang(?:uage)?-|highlight-source-|highlight-(?=\S+ notranslate)|brush:\s*|(?:figure highlight|hljs|sourceCode)\s+(?!lang))([\w+#.-]{1,30})/i;
/** Names that say nothing about the code, and natural languages. */
const NO_LANGUAGE = /^(?:none|default|plain\w*|te?xt|nohighlight|auto|undefined|null|en|de|fr|es|it|pt|ru|zh|ja|ko)$/i;
const [MAX_PARTS, MAX_WRAPPERS] = [4, 3];

/** Joins the name, the classes and the style of an element. */
function describe(element: PageElement): string {
  const [names, style] = ["class", "style"].map((name) => (element.getAttribute(name) ?? "").slice(0, MAX_NAMES_LENGTH));
  return ` ${element.localName} ${names} ${element.getAttribute("aria-hidden") === "true" ? "aria-hidden" : ""} ${style}`;
}

/** Returns the text of an element; null if it is long, so that deeply nested text is not read once for each level. */
function readShort(element: PageElement): string | null {
  let text = "";
  for (const child of element.childNodes) {
    const part = isElement(child) ? readShort(child) : child.nodeType === TEXT_NODE ? child.textContent : "";
    if (part === null || text.length + part.length > MAX_GUTTER_LENGTH) return null;
    text += part;
  }
  return text;
}

function isBesideCode(element: PageElement, names: string): boolean {
  const isGutter = GUTTER.test(names) || (element.localName === "span" && element.nextElementSibling?.localName === "div");
  const isControl = CONTROL.test(names);
  const text = isGutter || isControl ? readShort(element) : null;
  return text !== null && ((isGutter && /^[\d\s]*$/.test(text)) || (isControl && text.trim().length <= MAX_CONTROL_LENGTH));
}

/** Whether a table is the layout of code with line numbers. */
function isCodeTable(table: PageElement): boolean {
  const cell = table.querySelector("td");
  if (!cell || !(/^\d[\d\s]*$/.test(getText(cell)) || cell.getAttribute("data-line-number") !== null)) return false;
  return [cell, cell.firstElementChild].some((part) => part && GUTTER.test(describe(part)));
}

/** Whether an element is a block of code. */
export function isCode(element: PageElement): boolean {
  const name = element.localName;
  if (name === "table") return isCodeTable(element);
  if (name !== "code") return name === "pre";
  return BLOCK_STYLE.test(describe(element)) || (element.firstElementChild !== null && element.querySelector("pre, div") !== null);
}

/** Returns the text of code with its line breaks, without line numbers and buttons. */
export function readCode(root: PageElement): string {
  const parts: string[] = [];
  /** `ended`: the element of the line ended, but not the line. */
  let line: "empty" | "open" | "ended" = "empty";
  const push = (text: string): void => {
    if (text === "") return;
    if (line === "ended" && !text.startsWith("\n")) parts.push("\n");
    parts.push(text);
    line = text.endsWith("\n") ? "empty" : "open";
  };
  const read = (node: PageNode, parent: PageElement): void => {
    if (node.nodeType === TEXT_NODE) {
      const text = (node.textContent ?? "").replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ");
      if (!text.includes("\n") || text.trim() !== "") return push(text);
      return push(LAYOUT.test(parent.localName) ? "" : line === "ended" ? text.replace(/[^\n]/g, "") : text);
    }
    if (!isElement(node)) return;
    if (node.localName === "br") return push("\n");
    const names = describe(node);
    if (SKIPPED.test(node.localName) || isBesideCode(node, names)) return;
    const isLine = LINE.test(names) || node.getAttribute("data-line") !== null;
    if (isLine && line !== "empty") push("\n");
    const before = parts.length;
    for (const child of node.childNodes) read(child, node);
    // An empty `div` has no height.
    if (isLine && (line === "open" || (parts.length === before && node.localName !== "div"))) line = "ended";
  };
  for (const node of root.childNodes) read(node, root);
  const lines = parts.join("").split("\n");
  const code = lines.map((text) => text.trimEnd()).join("\n");
  return code.replace(/^\n+/, "").trimEnd();
}

/** Finds the language of code in its element, its parts or its wrappers. */
function findLanguage(code: PageElement): string {
  const wrappers: PageElement[] = [];
  for (let up = code.parentNode; up && /^(?:div|figure)$/.test(up.localName) && wrappers.length < MAX_WRAPPERS; up = up.parentNode)
    wrappers.push(up);
  const places = [code, ...[...code.querySelectorAll("pre, code")].slice(0, MAX_PARTS), ...wrappers];
  const names = places.flatMap((place) => [
    ...["data-lang", "data-language", "language"].map((name) => place.getAttribute(name) ?? ""),
    LANGUAGE.exec(describe(place))?.[1] ?? "",
  ]);
  return names.find((name) => /^[\w+#.-]{1,30}$/.test(name) && !NO_LANGUAGE.test(name)) ?? "";
}

/** Returns fenced code with its language; an empty string if there is no code. */
export function writeCode(code: PageElement): string {
  const text = readCode(code);
  return text === "" ? "" : fenceCode(text, findLanguage(code));
}
