import { parseHTML } from "linkedom/worker";

/** The little of the DOM that cleaning uses; the project is compiled without the browser's types. */
export type PageNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
  readonly parentNode: PageElement | null;
  remove(): void;
};
export type PageElement = PageNode & {
  readonly localName: string;
  readonly children: Iterable<PageElement>;
  readonly firstElementChild: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  after(node: PageNode): void;
  before(node: PageNode): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
};
export type PageDocument = PageElement & { readonly body: PageElement; readonly documentElement: PageElement };

export const TEXT_NODE = 3;
export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1;

/** Parses a page into one head and one body, in whatever way it is framed. */
export function parsePage(html: string): PageDocument {
  const page = (parseHTML(html) as unknown as { readonly document: MutableDocument }).document;
  if (!hasFrame(page)) reframe(page);
  return page;
}

type MutableElement = PageElement & { append(...nodes: readonly PageNode[]): void };
type MutableDocument = PageDocument & MutableElement & { createElement(name: string): MutableElement };

const FRAME = new Set(["html", "head", "body"]);
/** Elements that leave the body unopened, by "the in head insertion mode" of the HTML standard. */
const IN_HEAD = new Set(["base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title"]);

/** Whether a document holds nothing but `html` with one `head` and one `body`, as linkedom expects it and makes it of most pages. */
function hasFrame(page: PageDocument): boolean {
  const top = [...page.children];
  const parts = top.flatMap((element) => (element.localName === "html" ? [...element.children] : []));
  if (hasLooseText(page) || top.some(hasLooseText)) return false;
  const isFramed = top.length === 1 && parts.length === 2 && parts[0]?.localName === "head" && parts[1]?.localName === "body";
  return isFramed && [...page.querySelectorAll("html, head, body")].length === 3 && !isUnclosed(parts[0] as PageElement);
}

const isUnclosed = (head: PageElement): boolean =>
  hasLooseText(head) || [...head.children].some(({ localName }) => !IN_HEAD.has(localName));

/** Text that stands where none belongs; a browser opens the body for it. */
const hasLooseText = (parent: PageElement): boolean =>
  [...parent.childNodes].some((node) => node.nodeType === TEXT_NODE && textOf(node) !== "");

/**
 * Gives a document the frame that a browser would: pages leave out a tag, say one twice (for old browsers, in comments that only those
 * read), or put content where it closes the head. Further such tags say nothing; what they hold stays where they stand.
 */
function reframe(page: MutableDocument): void {
  const frame = { html: page.createElement("html"), head: page.createElement("head"), body: page.createElement("body") };
  let isOpen = false;
  const place = (node: PageNode): void => {
    if (isElement(node) ? !IN_HEAD.has(node.localName) : node.nodeType === TEXT_NODE && textOf(node) !== "") isOpen = true;
    (isOpen ? frame.body : frame.head).append(node);
  };
  const nodes = [...page.childNodes].reverse();
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (!isElement(node) || !FRAME.has(node.localName)) {
      if (isElement(node) || node.nodeType === TEXT_NODE) place(node);
      continue;
    }
    keepAttributes(frame[node.localName as keyof typeof frame], node);
    nodes.push(...[...node.childNodes].reverse());
    node.remove();
  }
  // In the order of the document, so that each node is moved once however deep such tags stand in each other.
  for (const nested of [...frame.body.querySelectorAll("html, head, body")]) {
    for (const child of [...nested.childNodes]) nested.before(child);
    nested.remove();
  }
  frame.html.append(frame.head, frame.body);
  page.append(frame.html);
}

/** A browser adds the attributes of further tags to those of the first, unless it has them. */
function keepAttributes(element: PageElement, from: PageElement): void {
  for (const name of ["id", "class", "lang", "dir"]) {
    const value = from.getAttribute(name);
    if (value && !element.getAttribute(name)) element.setAttribute(name, value);
  }
}

export const textOf = (node: PageNode): string => (node.textContent ?? "").replace(/\s+/g, " ").trim();

/** The elements of these names under a root; a walk over all of them, which is quicker than a long list of selectors. */
export const elementsNamed = (root: PageElement, names: ReadonlySet<string>): PageElement[] =>
  [...root.querySelectorAll("*")].filter((element) => names.has(element.localName));
