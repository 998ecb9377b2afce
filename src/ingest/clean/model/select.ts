import type { Outline, OutlineBlock, OutlineElement } from "./outline.ts";

const MIN_THRESHOLD = 0.3;
const MAX_THRESHOLD = 0.6;
/** A block with fewer words is a label. */
const MIN_WORDS = 8;

/**
 * Chooses the blocks whose text has the largest expected F1, given the probability of each to be content: those above a threshold that
 * suits the page. Tables and code are chosen as a whole.
 */
export function selectBlocks({ elements, blocks }: Outline, probabilities: Float32Array): Uint8Array {
  const joined = Float32Array.from(probabilities);
  for (const [at, { tag, from, to }] of elements.entries()) {
    if (tag !== "table" && tag !== "pre") continue;
    if (tag === "table" && isLayout(elements, at)) continue;
    let [sum, length] = [0, 0];
    for (let block = from; block < to; block++) {
      const size = (blocks[block] as OutlineBlock).text.length;
      sum += size * (probabilities[block] as number);
      length += size;
    }
    joined.fill(sum / Math.max(1, length), from, to);
  }
  const sizes = blocks.map(({ text }) => text.split(" ").length);
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
  const most = joined.some((value, at) => value >= MIN_THRESHOLD && (sizes[at] as number) >= MIN_WORDS) ? MIN_THRESHOLD : 0;
  const bounded = Math.min(MAX_THRESHOLD, Math.max(most, threshold));
  return Uint8Array.from(joined, (value) => (value >= bounded ? 1 : 0));
}

/** Whether a table places parts of the page: it contains tables, lists, headings or several paragraphs. */
function isLayout(elements: readonly OutlineElement[], table: number): boolean {
  const { from, to } = elements[table] as OutlineElement;
  for (let at = table + 1; at < elements.length && (elements[at] as OutlineElement).from < to; at++) {
    const { tag, from: start } = elements[at] as OutlineElement;
    if (start >= from && /^(?:table|ul|ol|pre|h[1-6])$/.test(tag)) return true;
  }
  return false;
}
