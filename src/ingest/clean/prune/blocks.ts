import { isElement, type PageElement, type PageNode, TEXT_NODE } from "../dom.ts";

/** A run of text with line breaks before and after it. */
export type Block = {
  /** The text nodes of the run. */
  readonly nodes: readonly PageNode[];
  /** The closest block-level element. */
  readonly holder: PageElement;
  readonly text: string;
  /** Number of characters in links. */
  readonly linked: number;
  /** Whether the text is in a script such as Chinese, where a sentence has few characters. */
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

/** Whether a block is a paragraph, and not a label or a list of links. */
export const isProse = ({ text, linked, isDense }: Block): boolean =>
  text.length >= (isDense ? 25 : 80) && linked < text.length * 0.5 && endsSentence(text);

const CELL = /^(?:td|th|dd|dt|pre)$/;

/** Whether an element is in a data cell or in code, where any text may be content. Cells of more than 300 characters are used for layout. */
export function isCell(element: PageElement): boolean {
  for (let up: PageElement | null = element; up; up = up.parentNode)
    if (CELL.test(up.localName)) return (up.textContent ?? "").length <= MAX_CELL_LENGTH;
  return false;
}

export function removeBlock(block: Block): void {
  for (const node of block.nodes) node.remove();
}

const tidy = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The blocks of a tree in document order. */
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
