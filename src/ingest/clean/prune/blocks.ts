import { isElement, type PageElement, type PageNode, TEXT_NODE } from "../dom.ts";

/** A paragraph of text: text nodes with line breaks before the first and after the last. */
export type PageBlock = {
  /** Its text nodes. */
  readonly nodes: readonly PageNode[];
  /** The closest block-level element. */
  readonly container: PageElement;
  readonly text: string;
  /** Number of characters in links. */
  readonly linked: number;
  /** Whether the text is in a script such as Chinese, where a sentence has few characters. */
  readonly isDense: boolean;
};

const MAX_CELL_LENGTH = 300;
const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SENTENCE_END = /[.!?…。！？:;”"»)]\s*$/;

/** Elements with line breaks before and after them. */
const BLOCK_ELEMENTS = new Set(
  "p div section article main header footer nav aside figure figcaption ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre h1 h2 h3 h4 h5 h6 hr form fieldset address center details summary html body".split(
    " ",
  ),
);

export const endsSentence = (text: string): boolean => SENTENCE_END.test(text.slice(-3));

/** Whether a block is a paragraph, and not a label or a list of links. */
export const isProse = ({ text, linked, isDense }: PageBlock): boolean =>
  text.length >= (isDense ? 25 : 80) && linked < text.length * 0.5 && endsSentence(text);

const CELL = /^(?:td|th|dd|dt|pre)$/;

/** Whether an element is in a data cell or in code, where any text may be content. Longer cells are used for layout. */
export function isCell(element: PageElement): boolean {
  for (let up: PageElement | null = element; up; up = up.parentNode)
    if (CELL.test(up.localName)) return (up.textContent ?? "").length <= MAX_CELL_LENGTH;
  return false;
}

export function removeBlock(block: PageBlock): void {
  for (const node of block.nodes) node.remove();
}

/** Lists the blocks of a tree in document order. */
export function listBlocks(root: PageElement): PageBlock[] {
  const blocks: PageBlock[] = [];
  let nodes: PageNode[] = [];
  let parts: string[] = [];
  let linked = 0;
  const flush = (container: PageElement): void => {
    const text = parts.join("").replace(/\s+/g, " ").trim();
    if (text !== "") blocks.push({ nodes, container, text, linked: Math.min(linked, text.length), isDense: DENSE_SCRIPT.test(text) });
    nodes = [];
    parts = [];
    linked = 0;
  };
  const visit = (node: PageNode, container: PageElement, isLink: boolean): void => {
    if (node.nodeType === TEXT_NODE) {
      const text = node.textContent ?? "";
      nodes.push(node);
      parts.push(text);
      if (isLink) linked += text.trim().length;
      return;
    }
    if (!isElement(node)) return;
    const breaks = BLOCK_ELEMENTS.has(node.localName);
    if (breaks) flush(container);
    if (node.localName === "br") parts.push(" ");
    for (const child of node.childNodes) visit(child, breaks ? node : container, isLink || node.localName === "a");
    if (breaks) flush(node);
  };
  visit(root, root, false);
  flush(root);
  return blocks;
}
