import type { PageElement } from "../dom.ts";
import { listBlocks, type PageBlock } from "../prune/blocks.ts";

/** Characters of each line that do not count, so that labels and figures weigh little beside text. */
const LABEL_LENGTH = 15;

const weigh = ({ text, linked, isDense }: PageBlock): number =>
  Math.max(0, text.length - linked - (isDense ? LABEL_LENGTH / 3 : LABEL_LENGTH));

/** The weight of each element that contains text. */
export type Weights = ReadonlyMap<PageElement, number>;

/** Weighs the text of all elements of a tree that contain some: characters outside of links, less a few for each line. */
export function weighElements(root: PageElement): Weights {
  const weights = new Map<PageElement, number>();
  for (const block of listBlocks(root)) {
    const weight = weigh(block);
    for (let up: PageElement | null = block.container; up; up = up === root ? null : up.parentNode)
      weights.set(up, (weights.get(up) ?? 0) + weight);
  }
  return weights;
}
