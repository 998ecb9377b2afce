import type { PageElement } from "../dom.ts";
import { alike } from "../text.ts";
import { type Block, blocksIn, drop } from "./blocks.ts";

const MIN_REPEATED_LENGTH = 20;
/** Letters by which two long blocks are the same: a gallery shortens some of its copies. */
const MAX_COMPARED_LENGTH = 60;
const DATA = /^(?:td|th|dd|dt|pre)$/;

function isData({ holder }: Block): boolean {
  for (let up: PageElement | null = holder; up; up = up.parentNode) if (DATA.test(up.localName)) return true;
  return false;
}

/** Leaves one of several blocks of the same text, such as the captions that a gallery shows once for each of its views; cells may repeat. */
export function dropRepeats(root: PageElement): void {
  const seen = new Set<string>();
  for (const block of blocksIn(root)) {
    if (block.text.length < MIN_REPEATED_LENGTH || isData(block)) continue;
    const letters = alike(block.text).slice(0, MAX_COMPARED_LENGTH);
    if (seen.has(letters)) drop(block);
    seen.add(letters);
  }
}
