import { parseHTML } from "linkedom/worker";

/** The part of the DOM that cleaning uses, since the project is compiled without browser types. */
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

/** Parses a page. The result always has one head and one body, even if the page's own tags are missing, repeated or misplaced. */
export function parsePage(html: string): PageDocument {
  const page = (parseHTML(html) as unknown as { readonly document: MutableDocument }).document;
  if (!hasDocumentStructure(page)) restructure(page);
  return page;
}

type MutableElement = PageElement & { append(...nodes: readonly PageNode[]): void };
type MutableDocument = PageDocument & MutableElement & { createElement(name: string): MutableElement };

const DOCUMENT_ELEMENTS = new Set(["html", "head", "body"]);
/** Elements that do not start the body, by the "in head" insertion mode of the HTML standard. */
const IN_HEAD = new Set(["base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title"]);

/** Whether a document consists of `html` with one `head` and one `body`, as linkedom expects. */
function hasDocumentStructure(page: PageDocument): boolean {
  const top = [...page.children];
  const parts = top.flatMap((element) => (element.localName === "html" ? [...element.children] : []));
  if (hasLooseText(page) || top.some(hasLooseText)) return false;
  const hasHeadAndBody = top.length === 1 && parts.length === 2 && parts[0]?.localName === "head" && parts[1]?.localName === "body";
  return hasHeadAndBody && [...page.querySelectorAll("html, head, body")].length === 3 && !isUnclosed(parts[0] as PageElement);
}

const isUnclosed = (head: PageElement): boolean =>
  hasLooseText(head) || [...head.children].some(({ localName }) => !IN_HEAD.has(localName));

/** Whether an element directly contains text. A browser would start the body there. */
const hasLooseText = (parent: PageElement): boolean =>
  [...parent.childNodes].some((node) => node.nodeType === TEXT_NODE && getText(node) !== "");

/**
 * Restructures a document as a browser would. Pages omit `html`, `head` or `body`, repeat them (in comments for old browsers), or put
 * content into the head. Repeated tags are ignored; their content stays in place.
 */
function restructure(page: MutableDocument): void {
  const frame = { html: page.createElement("html"), head: page.createElement("head"), body: page.createElement("body") };
  let isInBody = false;
  const appendNode = (node: PageNode): void => {
    if (isElement(node) ? !IN_HEAD.has(node.localName) : node.nodeType === TEXT_NODE && getText(node) !== "") isInBody = true;
    (isInBody ? frame.body : frame.head).append(node);
  };
  const nodes = [...page.childNodes].reverse();
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (!isElement(node) || !DOCUMENT_ELEMENTS.has(node.localName)) {
      if (isElement(node) || node.nodeType === TEXT_NODE) appendNode(node);
      continue;
    }
    mergeAttributes(frame[node.localName as keyof typeof frame], node);
    nodes.push(...[...node.childNodes].reverse());
    node.remove();
  }
  // In document order, so that each node is moved once, even if such tags are nested.
  for (const nested of [...frame.body.querySelectorAll("html, head, body")]) {
    for (const child of [...nested.childNodes]) nested.before(child);
    nested.remove();
  }
  frame.html.append(frame.head, frame.body);
  page.append(frame.html);
}

/** Adds the attributes that an element does not have yet, as browsers do for repeated tags. */
function mergeAttributes(element: PageElement, from: PageElement): void {
  for (const name of ["id", "class", "lang", "dir"]) {
    const value = from.getAttribute(name);
    if (value && !element.getAttribute(name)) element.setAttribute(name, value);
  }
}

export const getText = (node: PageNode): string => (node.textContent ?? "").replace(/\s+/g, " ").trim();

export function removeNodes(nodes: readonly PageNode[]): void {
  for (const node of nodes) node.remove();
}

/** Finds the descendants with one of these names. Filtering all elements is faster than a long list of selectors. */
export const findElements = (root: PageElement, names: ReadonlySet<string>): PageElement[] =>
  [...root.querySelectorAll("*")].filter((element) => names.has(element.localName));

/** Whether a button is the heading of a section that it expands. */
export const isTitleButton = (element: PageElement): boolean =>
  element.localName === "button" &&
  (/^(?:h[1-6]|dt|summary)$/.test(element.parentNode?.localName ?? "") ||
    (element.getAttribute("aria-expanded") !== null && element.getAttribute("aria-controls") !== null));
