import { isElement, type PageElement, type PageNode, TEXT_NODE } from "../dom.ts";
import { isHidden } from "../prune/hidden.ts";
import { splitNames } from "../prune/names.ts";

/** An element with text, and the range of its blocks. */
export type OutlineElement = {
  readonly tag: string;
  /** Position of the parent in `Outline.elements`; -1 for the root. */
  readonly parent: number;
  readonly depth: number;
  /** Words of its class names, id and other names, in lower case. */
  readonly names: readonly string[];
  readonly role: string;
  readonly isHidden: boolean;
  /** Tag and classes without digits, which elements of the same kind share. */
  readonly signature: string;
  /** First block, and the one after the last. */
  readonly from: number;
  to: number;
  images: number;
};

/** A paragraph of text between two line breaks. */
export type OutlineBlock = {
  /** Position of the closest block-level element in `Outline.elements`. */
  readonly element: number;
  readonly text: string;
  /** Number of characters in links. */
  readonly linked: number;
  readonly links: number;
  /** Names of the inline elements in it. */
  readonly inline: readonly string[];
};

export type Outline = { readonly elements: readonly OutlineElement[]; readonly blocks: readonly OutlineBlock[] };

/** Text nodes of each block, and the element of each `OutlineElement`. */
export type OutlineNodes = { readonly nodes: readonly (readonly PageNode[])[]; readonly elements: readonly PageElement[] };

const BLOCK_ELEMENTS = new Set(
  "p div section article main header footer nav aside figure figcaption ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre h1 h2 h3 h4 h5 h6 hr form fieldset address center details summary html body".split(
    " ",
  ),
);
const SKIPPED = new Set("button input select textarea option".split(" "));
const MAX_NAMES = 12;
const MAX_INLINE = 6;

const toSignature = (element: PageElement): string =>
  `${element.localName}.${(element.getAttribute("class") ?? "").slice(0, 200).replace(/\d+/g, "").trim().split(/\s+/).slice(0, 3).join(".")}`;

const isTitleButton = (element: PageElement): boolean =>
  element.localName === "button" &&
  (/^(?:h[1-6]|dt|summary)$/.test(element.parentNode?.localName ?? "") ||
    (element.getAttribute("aria-expanded") !== null && element.getAttribute("aria-controls") !== null));

export function outlinePage(root: PageElement): { readonly outline: Outline; readonly nodes: OutlineNodes } {
  const elements: OutlineElement[] = [];
  const pageElements: PageElement[] = [];
  const blocks: OutlineBlock[] = [];
  const nodes: PageNode[][] = [];
  let current: PageNode[] = [];
  let parts: string[] = [];
  let linked = 0;
  let links = 0;
  let inline: string[] = [];
  const flush = (element: number): void => {
    const text = parts.join("").replace(/\s+/g, " ").trim();
    if (text !== "") {
      blocks.push({ element, text, linked: Math.min(linked, text.length), links, inline });
      nodes.push(current);
    }
    current = [];
    parts = [];
    linked = 0;
    links = 0;
    inline = [];
  };
  const visit = (node: PageNode, container: number, isLink: boolean): void => {
    if (node.nodeType === TEXT_NODE) {
      const text = node.textContent ?? "";
      current.push(node);
      parts.push(text);
      if (isLink) linked += text.trim().length;
      return;
    }
    if (!isElement(node)) return;
    const tag = node.localName;
    if (SKIPPED.has(tag) && !isTitleButton(node)) return;
    if (tag === "br") return void parts.push(" ");
    if (tag === "img" || tag === "picture") {
      for (let up = container; up >= 0; up = (elements[up] as OutlineElement).parent) (elements[up] as OutlineElement).images++;
      return;
    }
    if (!BLOCK_ELEMENTS.has(tag)) {
      if (tag === "a") links++;
      if (inline.length < MAX_INLINE) for (const name of splitNames(node).slice(0, 3)) inline.push(name);
      if (tag === "time" || tag === "code" || tag === "strong" || tag === "b" || tag === "label") inline.push(`<${tag}>`);
      for (const child of node.childNodes) visit(child, container, isLink || tag === "a");
      return;
    }
    flush(container);
    const at = elements.length;
    const above = elements[container];
    elements.push({
      tag,
      parent: container,
      depth: above === undefined ? 0 : above.depth + 1,
      names: splitNames(node).slice(0, MAX_NAMES),
      role: node.getAttribute("role") ?? "",
      isHidden: (above?.isHidden ?? false) || isHidden(node),
      signature: toSignature(node),
      from: blocks.length,
      to: blocks.length,
      images: 0,
    });
    pageElements.push(node);
    for (const child of node.childNodes) visit(child, at, isLink);
    flush(at);
    (elements[at] as OutlineElement).to = blocks.length;
  };
  visit(root, -1, false);
  return { outline: { elements, blocks }, nodes: { nodes, elements: pageElements } };
}
