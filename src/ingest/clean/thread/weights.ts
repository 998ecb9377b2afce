import type { PageElement } from "../dom.ts";
import { isDense } from "../model/measures.ts";
import type { OutlineBlock, OutlinedPage } from "../model/outline.ts";

/** Characters of each line that do not count, so that labels and figures weigh little beside text. */
const LABEL_LENGTH = 15;

const weigh = ({ text, linked }: OutlineBlock): number =>
  Math.max(0, text.length - linked - (isDense(text) ? LABEL_LENGTH / 3 : LABEL_LENGTH));

/** The weight of each element that contains text. */
export type Weights = ReadonlyMap<PageElement, number>;

/** Weighs the text of all elements of a tree that contain some: characters outside of links, less a few for each line. */
export function weighElements({ outline: { blocks }, sources }: OutlinedPage): Weights {
  const weights = new Map<PageElement, number>();
  for (const block of blocks) {
    const weight = weigh(block);
    for (let up = sources[block.element] ?? null; up; up = up === sources[0] ? null : up.parentNode)
      weights.set(up, (weights.get(up) ?? 0) + weight);
  }
  return weights;
}
