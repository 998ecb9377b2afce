import { isElement, isTitleButton, type PageElement, type PageNode, TEXT_NODE } from "../dom.ts";
import { isHidden } from "../prune/hidden.ts";
import { splitNames } from "../prune/names.ts";

/** A block-level element of a page. */
export type OutlineElement = {
  readonly tag: string;
  /** Position of the parent in `Outline.elements`; -1 for the root. */
  readonly parent: number;
  readonly depth: number;
  /** Words of its class names, id and labels, in lower case. */
  readonly names: readonly string[];
  /** Its WAI-ARIA role, or "". */
  readonly role: string;
  readonly isHidden: boolean;
  /** Tag and classes without digits, which elements of the same kind share. */
  readonly signature: string;
  /** Position of the first block inside, and the one after the last. */
  readonly from: number;
  to: number;
  /** Number of pictures inside. */
  images: number;
};

/** A paragraph of text: what stands between two line breaks. */
export type OutlineBlock = {
  /** Position of the closest block-level element in `Outline.elements`. */
  readonly element: number;
  readonly text: string;
  /** Number of characters in links. */
  readonly linked: number;
  readonly links: number;
  /** Names of inline elements in it, and their tags where these tell something. */
  readonly inline: readonly string[];
};

/** A page's block-level elements and blocks, both in document order. */
export type Outline = { readonly elements: readonly OutlineElement[]; readonly blocks: readonly OutlineBlock[] };

/** An outline, the text nodes of each of its blocks, and the page's element for each of its elements. */
export type OutlinedPage = {
  readonly outline: Outline;
  readonly nodes: readonly (readonly PageNode[])[];
  readonly sources: readonly PageElement[];
};

const BLOCK_ELEMENTS = new Set(
  "p div section article main header footer nav aside figure figcaption ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre h1 h2 h3 h4 h5 h6 hr form fieldset address center details summary html body".split(
    " ",
  ),
);
const CONTROLS = new Set("button input select textarea option".split(" "));
const PICTURES = new Set("img picture".split(" "));
const TELLING_TAGS = new Set("time code strong b label".split(" "));
/** White space other than single spaces: strings in which hardly anything is replaced take a fraction of the memory. */
const LOOSE_SPACE = /\s{2,}|[^\S ]/g;
const MAX_NAMES = 12;
const MAX_INLINE_NAMES = 3;
const MAX_INLINE = 6;
const MAX_CLASSES = 3;

function getSignature(element: PageElement): string {
  const classes = (element.getAttribute("class") ?? "").slice(0, 200).replace(/\d+/g, "").trim().split(/\s+/);
  return [element.localName, ...classes.slice(0, MAX_CLASSES)].join(".");
}

/** The text of the block that is being read. */
type Current = { nodes: PageNode[]; parts: string[]; linked: number; links: number; inline: string[] };
const startBlock = (): Current => ({ nodes: [], parts: [], linked: 0, links: 0, inline: [] });

/** Outlines a tree: its block-level elements and its paragraphs. Labels of buttons and other controls are left out. */
export function outlinePage(root: PageElement): OutlinedPage {
  const outliner = new Outliner();
  outliner.visitElement(root, -1, false);
  return { outline: outliner, nodes: outliner.nodes, sources: outliner.sources };
}

class Outliner {
  readonly elements: OutlineElement[] = [];
  readonly blocks: OutlineBlock[] = [];
  readonly nodes: PageNode[][] = [];
  readonly sources: PageElement[] = [];
  #current = startBlock();

  /** Reads an element inside the block-level element at position `container`; -1 for the root, which always is one. */
  visitElement(element: PageElement, container: number, isLink: boolean): void {
    const { localName: tag } = element;
    if (CONTROLS.has(tag) && !isTitleButton(element)) return;
    if (tag === "br") return void this.#current.parts.push(" ");
    if (PICTURES.has(tag)) return this.#countPicture(container);
    if (container >= 0 && !BLOCK_ELEMENTS.has(tag)) {
      this.#readInline(element);
      for (const child of element.childNodes) this.#visit(child, container, isLink || tag === "a");
      return;
    }
    this.#endBlock(container);
    const at = this.#open(element, container);
    for (const child of element.childNodes) this.#visit(child, at, isLink);
    this.#endBlock(at);
    (this.elements[at] as OutlineElement).to = this.blocks.length;
  }

  #visit(node: PageNode, container: number, isLink: boolean): void {
    if (isElement(node)) return this.visitElement(node, container, isLink);
    if (node.nodeType !== TEXT_NODE) return;
    const text = node.textContent ?? "";
    this.#current.nodes.push(node);
    this.#current.parts.push(text);
    if (isLink) this.#current.linked += text.trim().length;
  }

  #open(element: PageElement, container: number): number {
    const above = this.elements[container];
    this.sources.push(element);
    return (
      this.elements.push({
        tag: element.localName,
        parent: container,
        depth: above === undefined ? 0 : above.depth + 1,
        names: splitNames(element).slice(0, MAX_NAMES),
        role: element.getAttribute("role") ?? "",
        isHidden: above?.isHidden === true || isHidden(element),
        signature: getSignature(element),
        from: this.blocks.length,
        to: this.blocks.length,
        images: 0,
      }) - 1
    );
  }

  #endBlock(element: number): void {
    const { parts, linked, links, inline, nodes } = this.#current;
    this.#current = startBlock();
    const text = parts.join("").replace(LOOSE_SPACE, " ").trim();
    if (text === "") return;
    this.blocks.push({ element, text, linked: Math.min(linked, text.length), links, inline });
    this.nodes.push(nodes);
  }

  #readInline(element: PageElement): void {
    const current = this.#current;
    if (element.localName === "a") current.links++;
    if (current.inline.length >= MAX_INLINE) return;
    current.inline.push(...splitNames(element).slice(0, MAX_INLINE_NAMES));
    if (TELLING_TAGS.has(element.localName)) current.inline.push(`<${element.localName}>`);
  }

  #countPicture(container: number): void {
    for (let up = this.elements[container]; up; up = this.elements[up.parent]) up.images++;
  }
}
