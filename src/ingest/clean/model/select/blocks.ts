import { isDateLine } from "../../calendar/date-lines.ts";
import { isBoilerplate, isByline, isNonContentHeading } from "../../prune/boilerplate.ts";
import { METADATA_NAMES, NON_CONTENT_NAMES } from "../../prune/names.ts";
import { countWords } from "../../text.ts";
import { findCells, isHeadingTag } from "../measures.ts";
import type { Outline, OutlineBlock, OutlineElement } from "../outline.ts";

const MIN_THRESHOLD = 0.3;
const MAX_THRESHOLD = 0.6;
/** A block beside a kept one is kept with this probability: the facts at the end of a text are in short lines. */
const MIN_BESIDE = 0.25;
/** The same for captions, and for code and tables between kept blocks, which references of pages often leave out. */
const MIN_PART = 0.1;
/** A block with fewer words is a label. */
const MIN_WORDS = 8;
/** Lists, tables and figures are beside other blocks as a whole, whatever is in them. */
const INNER = /^(?:ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th|caption|figure|figcaption)$/;

/**
 * Chooses the blocks whose text has the largest expected F1, given the probability of each to be content: those above a threshold that
 * suits the page, and likely ones beside them. Tables and code are chosen as a whole; lines that only sites write, such as a request to
 * subscribe, are not chosen. Returns 1 for each block that is kept.
 */
export function selectBlocks(outline: Outline, probabilities: Float32Array, titleAt: number): Uint8Array {
  const { elements, blocks } = outline;
  const data = listData(outline);
  const joined = joinData(outline, data, probabilities);
  const threshold = findThreshold(outline, joined);
  const kept = Uint8Array.from(joined, (value) => (value >= threshold ? 1 : 0));
  const cells = findCells(outline);
  for (const [at, { element, text }] of blocks.entries()) if (cells[element] !== true && isBoilerplate(text)) kept[at] = 0;
  const extend = (at: number, from: number): void => {
    if (kept[at] === 1 || (kept[from] === 0 && from !== titleAt)) return;
    const { tag } = elements[(blocks[at] as OutlineBlock).element] as OutlineElement;
    if ((joined[at] as number) < (tag === "figcaption" ? MIN_PART : MIN_BESIDE)) return;
    if ((isHeadingTag(tag) && at > from) || isLabel(outline, at)) return;
    if (isBeside(outline, (blocks[at] as OutlineBlock).element, from)) kept[at] = 1;
  };
  for (let at = 1; at < kept.length; at++) extend(at, at - 1);
  for (let at = kept.length - 2; at >= 0; at--) extend(at, at + 1);
  for (const part of data) {
    const { from, to } = elements[part] as OutlineElement;
    if ((joined[from] as number) < MIN_PART || kept[from - 1] !== 1 || kept[to] !== 1) continue;
    if (isBeside(outline, part, from - 1)) kept.fill(1, from, to);
  }
  return kept;
}

/** Lists the elements of code, and of tables of data. */
function listData({ elements }: Outline): readonly number[] {
  const isData = ({ tag, from, to }: OutlineElement, at: number): boolean =>
    from < to && (tag === "pre" || (tag === "table" && !isLayout(elements, at)));
  return [...elements.keys()].filter((at) => isData(elements[at] as OutlineElement, at));
}

/** Gives all blocks of each of these elements their mean probability by length. */
function joinData({ elements, blocks }: Outline, data: readonly number[], probabilities: Float32Array): Float32Array {
  const joined = Float32Array.from(probabilities);
  for (const at of data) {
    const { from, to } = elements[at] as OutlineElement;
    let [sum, length] = [0, 0];
    for (let block = from; block < to; block++) {
      const size = (blocks[block] as OutlineBlock).text.length;
      sum += size * (probabilities[block] as number);
      length += size;
    }
    joined.fill(sum / Math.max(1, length), from, to);
  }
  return joined;
}

/** Finds the probability above which the blocks have the largest expected F1 of their words. */
function findThreshold({ blocks }: Outline, joined: Float32Array): number {
  const sizes = blocks.map(({ text }) => countWords(text));
  const order = [...joined.keys()].sort((a, b) => (joined[b] as number) - (joined[a] as number));
  const expected = joined.reduce((sum, value, at) => sum + value * (sizes[at] as number), 0);
  let [best, threshold, right, all] = [-1, 1, 0, 0];
  for (const at of order) {
    right += (joined[at] as number) * (sizes[at] as number);
    all += sizes[at] as number;
    const f1 = (2 * right) / (all + expected);
    if (f1 > best) [best, threshold] = [f1, joined[at] as number];
  }
  // A page of which little is likely to be content is read as far as it is worth it.
  const least = joined.some((value, at) => value >= MIN_THRESHOLD && (sizes[at] as number) >= MIN_WORDS) ? MIN_THRESHOLD : 0;
  return Math.min(MAX_THRESHOLD, Math.max(least, threshold));
}

/** Whether a table places parts of the page: it contains tables, lists, headings or code. */
function isLayout(elements: readonly OutlineElement[], table: number): boolean {
  const { to } = elements[table] as OutlineElement;
  for (let at = table + 1; at < elements.length && (elements[at] as OutlineElement).from < to; at++)
    if (/^(?:table|ul|ol|pre|h[1-6])$/.test((elements[at] as OutlineElement).tag)) return true;
  return false;
}

/** Whether a block is no fact of the text beside it: an author, a date, tags, or a line of the site. */
function isLabel({ elements, blocks }: Outline, at: number): boolean {
  const { element, text } = blocks[at] as OutlineBlock;
  if (isBoilerplate(text) || isNonContentHeading(text) || isDateLine(text) || isByline(text)) return true;
  for (let one = elements[element]; one; one = INNER.test(one.tag) ? elements[one.parent] : undefined)
    if (one.names.some((name) => NON_CONTENT_NAMES.has(name) || METADATA_NAMES.has(name))) return true;
  return false;
}

/**
 * Whether an element, or the list, table or figure that it is in, has the same parent as a block or an element around that. What contains
 * only a table or code belongs to it.
 */
function isBeside({ elements, blocks }: Outline, element: number, block: number): boolean {
  const getElement = (at: number): OutlineElement => elements[at] as OutlineElement;
  const { tag, from, to } = getElement(element);
  const isWrapper = (other: OutlineElement): boolean => (tag === "pre" || tag === "table") && other.from === from && other.to === to;
  let { parent } = getElement(element);
  while (parent > 0 && (INNER.test(getElement(parent).tag) || isWrapper(getElement(parent)))) ({ parent } = getElement(parent));
  let around = (blocks[block] as OutlineBlock).element;
  while (around >= 0 && around !== parent) around = getElement(around).parent;
  return around === parent;
}
