import type { PageElement } from "../dom.ts";
import { alike } from "../text.ts";
import { type Block, blocksIn, drop, isCell } from "./blocks.ts";

const MIN_REPEATED_LENGTH = 20;
/** Letters by which two long blocks are the same: a gallery shortens some of its copies, and a pull quote its sentence. */
const MAX_COMPARED_LENGTH = 60;

/** Leaves the longest of several blocks that begin with the same words, such as the captions of a gallery's views; cells may repeat. */
export function dropRepeats(root: PageElement): void {
  const seen = new Map<string, Block>();
  for (const block of blocksIn(root)) {
    if (block.text.length < MIN_REPEATED_LENGTH || isCell(block.holder)) continue;
    const letters = alike(block.text).slice(0, MAX_COMPARED_LENGTH);
    const other = seen.get(letters);
    if (other && other.text.length >= block.text.length) drop(block);
    else {
      if (other) drop(other);
      seen.set(letters, block);
    }
  }
}
