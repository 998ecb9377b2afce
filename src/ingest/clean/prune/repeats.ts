import type { PageElement } from "../dom.ts";
import { alike } from "../text.ts";
import { blocksIn, drop, isCell } from "./blocks.ts";

const MIN_REPEATED_LENGTH = 20;
/** Letters by which two long blocks are the same: a gallery shortens some of its copies. */
const MAX_COMPARED_LENGTH = 60;
/** Leaves one of several blocks of the same text, such as the captions that a gallery shows once for each of its views; cells may repeat. */
export function dropRepeats(root: PageElement): void {
  const seen = new Set<string>();
  for (const block of blocksIn(root)) {
    if (block.text.length < MIN_REPEATED_LENGTH || isCell(block.holder)) continue;
    const letters = alike(block.text).slice(0, MAX_COMPARED_LENGTH);
    if (seen.has(letters)) drop(block);
    seen.add(letters);
  }
}
