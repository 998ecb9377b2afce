import type { Outline, OutlineBlock, OutlineElement } from "./outline.ts";

const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SENTENCE_END = /[.!?…。！？]["”»)’]?$/;
const MIN_PROSE = 80;
/** In scripts such as Chinese, a sentence has few characters. */
const MIN_DENSE_PROSE = 25;
const CELL = /^(?:td|th|dd|dt)$/;
const MAX_CELL_LENGTH = 300;

export const isHeadingTag = (tag: string): boolean => /^h[1-6]$/.test(tag);
export const isDense = (text: string): boolean => DENSE_SCRIPT.test(text);
export const endsSentence = (text: string): boolean => SENTENCE_END.test(text.slice(-3));

/** Whether a block is a paragraph of sentences, and not a label or a list of links. */
export const isProse = ({ text, linked }: OutlineBlock): boolean =>
  text.length >= (isDense(text) ? MIN_DENSE_PROSE : MIN_PROSE) && linked < text.length * 0.5 && endsSentence(text);

/** The sum of a quantity over the blocks from one position to before another. */
export type Sum = (from: number, to: number) => number;

/** Sums over ranges of blocks, in characters. */
export type Measures = {
  readonly count: number;
  /** Characters of the page, at least 1. */
  readonly whole: number;
  readonly length: Sum;
  readonly linked: Sum;
  readonly prose: Sum;
  readonly listed: Sum;
};

/** Prepares the sums of a quantity over any range of `count` blocks. */
export function accumulate(count: number, read: (at: number) => number): Sum {
  const sums = new Float64Array(count + 1);
  for (let at = 0; at < count; at++) sums[at + 1] = (sums[at] as number) + read(at);
  return (from, to) => (sums[to] as number) - (sums[from] as number);
}

/** Measures a page: its text, and how much of it is linked, prose, or in lists. */
export function measureOutline({ elements, blocks }: Outline): Measures {
  const count = blocks.length;
  const sumOf = (read: (block: OutlineBlock) => number): Sum => accumulate(count, (at) => read(blocks[at] as OutlineBlock));
  const length = sumOf(({ text }) => text.length);
  return {
    count,
    whole: Math.max(1, length(0, count)),
    length,
    linked: sumOf(({ linked }) => linked),
    prose: sumOf((block) => (isProse(block) ? block.text.length : 0)),
    listed: sumOf(({ element, text }) => ((elements[element] as OutlineElement).tag === "li" ? text.length : 0)),
  };
}

/** Returns whether each element is in code or in a cell of data, where any text may be content. Longer cells hold a part of the page. */
export function findCells({ elements, blocks }: Outline): readonly boolean[] {
  const length = accumulate(blocks.length, (at) => (blocks[at] as OutlineBlock).text.length);
  const cells: boolean[] = [];
  for (const { tag, parent, from, to } of elements)
    cells.push(cells[parent] === true || tag === "pre" || (CELL.test(tag) && length(from, to) <= MAX_CELL_LENGTH));
  return cells;
}

/** Shares grow from 0 to 1; an empty range has the share 0. */
export const share = (part: number, whole: number): number => part / Math.max(1, whole);

/** Sizes differ by orders of magnitude; their logarithms are compared. */
export const logSize = (size: number): number => Math.log2(1 + size);
