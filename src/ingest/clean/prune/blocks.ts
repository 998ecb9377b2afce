import { isElement, type PageElement, type PageNode, TEXT_NODE } from "../dom.ts";

/** A run of text that stands in lines of its own. */
export type Block = {
  /** The nodes that hold the run and nothing else. */
  readonly nodes: readonly PageNode[];
  /** The nearest block-level element. */
  readonly holder: PageElement;
  readonly text: string;
  /** Characters of the text that are links. */
  readonly linked: number;
  /** Written in a script of few, meaningful characters. */
  readonly isDense: boolean;
};

const MAX_CELL_LENGTH = 300;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SENTENCE_END = /[.!?…。！？:;”"»)]\s*$/;

const BREAKS = new Set(
  "p div section article main header footer nav aside figure figcaption ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre h1 h2 h3 h4 h5 h6 hr form fieldset address center details summary html body".split(
    " ",
  ),
);

export const endsSentence = (text: string): boolean => SENTENCE_END.test(text.slice(-3));

/** Whether a block reads like a paragraph and not like a label or a list of links. */
export const isProse = ({ text, linked, isDense }: Block): boolean =>
  text.length >= (isDense ? 25 : 80) && linked < text.length * 0.5 && endsSentence(text);

const CELL = /^(?:td|th|dd|dt|pre)$/;

/** Whether an element stands in a cell of data or in code, where any words may be content. A cell of more than 300 characters lays a page out. */
export function isCell(element: PageElement): boolean {
  for (let up: PageElement | null = element; up; up = up.parentNode)
    if (CELL.test(up.localName)) return (up.textContent ?? "").length <= MAX_CELL_LENGTH;
  return false;
}

export function removeBlock(block: Block): void {
  for (const node of block.nodes) node.remove();
}

const tidy = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The blocks of a tree in the order of their text, found in one pass. */
export function blocksIn(root: PageElement): Block[] {
  const blocks: Block[] = [];
  let nodes: PageNode[] = [];
  let parts: string[] = [];
  let linked = 0;
  const flush = (holder: PageElement): void => {
    const text = tidy(parts.join(""));
    if (text !== "") blocks.push({ nodes, holder, text, linked: Math.min(linked, text.length), isDense: DENSE.test(text) });
    nodes = [];
    parts = [];
    linked = 0;
  };
  const visit = (node: PageNode, holder: PageElement, isLink: boolean): void => {
    if (node.nodeType === TEXT_NODE) {
      const text = node.textContent ?? "";
      nodes.push(node);
      parts.push(text);
      if (isLink) linked += text.trim().length;
      return;
    }
    if (!isElement(node)) return;
    const breaks = BREAKS.has(node.localName);
    if (breaks) flush(holder);
    if (node.localName === "br") parts.push(" ");
    for (const child of node.childNodes) visit(child, breaks ? node : holder, isLink || node.localName === "a");
    if (breaks) flush(node);
  };
  visit(root, root, false);
  flush(root);
  return blocks;
}
