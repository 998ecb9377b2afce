import { getText, isElement, type PageElement, type PageNode, TEXT_NODE } from "../dom.ts";
import { fenceCode } from "../../extract/markdown.ts";

/** Elements that start and end a line, by their name, class and style. */
const LINE = /^ (?:div|li|p|pre|tr)\s|\s(?:(?:cm|code|highlight|token|view)-)?line\s|display:\s*(?:block|flex)/i;
/** Elements with line numbers, if they contain only digits. */
const GUTTER = /gutter|line[-_]?n(?:o|um)|\slnt?d?\s|blob-num|select[:-]\s*none|aria-hidden/i;
/** Elements of highlighters that are not code, such as a button that copies it, if they contain a few words. */
const CONTROL = /^ (?:button|style|script|svg|select|textarea|template)\s|^ (?!code|pre).*(?:copy|clipboard)|^ (?:div|figcaption)\s.*(?:header|toolbar)/i;
const MAX_CONTROL_LENGTH = 40;
/** White space between the parts of a table or list is not code. */
const LAYOUT = /^(?:table|thead|tbody|tr|td|ol|ul)$/;
const MAX_NAMES_LENGTH = 500;

/** How highlighters (GitHub, Sphinx, SyntaxHighlighter, Hexo, highlight.js, pandoc) name the language in a class. */
const LANGUAGE =
  /\s(?:lang(?:uage)?-|highlight-source-|highlight-(?=\w+ notranslate)|brush:\s*|(?:figure highlight|hljs|sourceCode)\s+(?!lang))([\w+#.-]{1,30})/i;
const LANGUAGE_ATTRIBUTES = ["data-lang", "data-language", "language"];
/** Names that say nothing about the code, and natural languages. */
const NO_LANGUAGE = /^(?:none|default|plain\w*|te?xt|nohighlight|auto|undefined|null|en|de|fr|es|it|pt|ru|zh|ja|ko)$/i;
const MAX_WRAPPERS = 3;
const MAX_PARTS = 4;

/** Joins the name, the classes and what hides or styles an element. */
function describe(element: PageElement): string {
  const [names, style] = ["class", "style"].map((name) => (element.getAttribute(name) ?? "").slice(0, MAX_NAMES_LENGTH));
  return ` ${element.localName} ${names} ${element.getAttribute("aria-hidden") === "true" ? "aria-hidden" : ""} ${style}`;
}

const isBesideCode = (element: PageElement, names: string): boolean =>
  (GUTTER.test(names) && /^[\d\s]*$/.test(getText(element))) || (CONTROL.test(names) && getText(element).length <= MAX_CONTROL_LENGTH);

/** Whether a table is the layout of code with line numbers. */
function isCodeTable(table: PageElement): boolean {
  const cell = table.querySelector("td");
  const isNumbered = cell !== null && (/^\d[\d\s]*$/.test(getText(cell)) || cell.getAttribute("data-line-number") !== null);
  return isNumbered && [cell, cell.firstElementChild].some((part) => part && GUTTER.test(describe(part)));
}

/** Whether an element is a block of code. */
export function isCode(element: PageElement): boolean {
  const name = element.localName;
  if (name === "pre") return true;
  if (name === "code") return element.firstElementChild !== null && element.querySelector("pre, div") !== null;
  if (name === "table") return isCodeTable(element);
  return name === "div" && element.getAttribute("data-lang") !== null && /\bcode/.test(element.getAttribute("class") ?? "");
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
  const pushText = (text: string, parent: PageElement): void => {
    if (text.trim() !== "") push(text);
    else if (!text.includes("\n")) push(text);
    else if (!LAYOUT.test(parent.localName)) push(line === "ended" ? text.replace(/[^\n]/g, "") : text);
  };
  const readChild = (child: PageNode, parent: PageElement): void => {
    if (child.nodeType === TEXT_NODE) return pushText((child.textContent ?? "").replace(/\r\n?/g, "\n").replace(/\u00a0/g, " "), parent);
    if (!isElement(child)) return;
    if (child.localName === "br") return push("\n");
    const names = describe(child);
    if (isBesideCode(child, names)) return;
    const isLine = LINE.test(names) || child.getAttribute("data-line") !== null;
    if (isLine && line !== "empty") push("\n");
    const before = parts.length;
    for (const inner of child.childNodes) readChild(inner, child);
    // An empty `div` has no height.
    if (isLine && (line === "open" || (parts.length === before && child.localName !== "div"))) line = "ended";
  };
  for (const child of root.childNodes) readChild(child, root);
  const lines = parts.join("").replace(/[\u200b\ufeff]/g, "").split("\n");
  return lines
    .map((text) => text.trimEnd())
    .join("\n")
    .replace(/^\n+/, "")
    .trimEnd();
}

/** Finds the language of code in its element, its first parts or its wrappers. Returns an empty string if there is none. */
function findLanguage(code: PageElement): string {
  const places = [code, ...[...code.querySelectorAll("pre, code")].slice(0, MAX_PARTS)];
  for (let up = code.parentNode; up && /^(?:div|figure)$/.test(up.localName) && places.length <= MAX_PARTS + MAX_WRAPPERS; up = up.parentNode)
    places.push(up);
  const names = places.flatMap((place) => [
    ...LANGUAGE_ATTRIBUTES.map((name) => place.getAttribute(name) ?? ""),
    LANGUAGE.exec(describe(place))?.[1] ?? "",
  ]);
  return names.find((name) => /^[\w+#.-]{1,30}$/.test(name) && !NO_LANGUAGE.test(name)) ?? "";
}

/** Returns fenced code with its language; an empty string if there is no code. */
export function writeCode(code: PageElement): string {
  const text = readCode(code);
  return text === "" ? "" : fenceCode(text, findLanguage(code));
}
