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

/** Parses a page; a fragment is given the frame that linkedom does not make by itself. */
export function parsePage(html: string): PageDocument {
  const page = parse(/<html[\s>]/i.test(html) ? html : frame(html));
  // The tag that was seen may stand in a comment, a script or an attribute.
  return page.querySelector("html") === null ? parse(frame(html)) : page;
}

const frame = (html: string): string =>
  `<!doctype html><html><head></head>${/<body[\s>]/i.test(html) ? html : `<body>${html}</body>`}</html>`;

const parse = (html: string): PageDocument => (parseHTML(html) as unknown as { readonly document: PageDocument }).document;

export const textOf = (node: PageNode): string => (node.textContent ?? "").replace(/\s+/g, " ").trim();

/** The elements of these names under a root; a walk over all of them, which is quicker than a long list of selectors. */
export const elementsNamed = (root: PageElement, names: ReadonlySet<string>): PageElement[] =>
  [...root.querySelectorAll("*")].filter((element) => names.has(element.localName));
