import type { PageElement } from "../dom.ts";
import { normaliseText } from "../text.ts";
import { isHidden } from "./hidden.ts";
import { type PageBlock, listBlocks, removeBlock, isCell } from "./blocks.ts";

const MIN_REPEATED_LENGTH = 20;
/** Blocks with the same first letters, up to this number, are compared as a whole. */
const PREFIX_LENGTH = 60;

/** A label that expands or collapses the rest of a shortened text. */
const EXPAND_LABEL = /(?:\s?(?:\.{3}|…)\s?(?:more|mehr|plus|más)?|(?<=[.!?)])\s?(?:less|weniger|moins|menos))$/i;

function isInHidden(element: PageElement): boolean {
  for (let up: PageElement | null = element; up?.getAttribute; up = up.parentNode) if (isHidden(up)) return true;
  return false;
}

/**
 * Removes each block that is the beginning of another one, such as a shortened caption of a gallery, or a pull quote. Cells of tables may
 * repeat.
 */
export function removeRepeats(root: PageElement): void {
  const seen = new Map<string, { readonly block: PageBlock; readonly letters: string }>();
  for (const block of listBlocks(root)) {
    if (block.text.length < MIN_REPEATED_LENGTH || isCell(block.container)) continue;
    const letters = normaliseText(block.text.replace(EXPAND_LABEL, ""));
    const prefix = letters.slice(0, PREFIX_LENGTH);
    const other = seen.get(prefix);
    const isLonger = other !== undefined && letters.startsWith(other.letters);
    // A hidden copy of the whole page is data for scripts.
    if (other?.letters.startsWith(letters) || (isLonger && isInHidden(block.container))) removeBlock(block);
    else {
      if (isLonger) removeBlock(other.block);
      seen.set(prefix, { block, letters });
    }
  }
}
