import type { PageElement } from "../dom.ts";
import { normaliseText } from "../text.ts";
import { type Block, blocksIn, removeBlock, isCell } from "./blocks.ts";

const MIN_REPEATED_LENGTH = 20;
/** Letters by which two long blocks may be the same, before the whole of the shorter one is compared. */
const MAX_COMPARED_LENGTH = 60;

/** What opens or closes the rest of a text that was shortened. */
const SWITCH = /(?:\s?(?:\.{3}|…)\s?(?:more|mehr|plus|más)?|(?<=[.!?)])\s?(?:less|weniger|moins|menos))$/i;

/**
 * Leaves the longest of several blocks of which one is the beginning of the other, as a gallery shortens some copies of a caption, and a
 * pull quote its sentence. Cells may repeat.
 */
export function removeRepeats(root: PageElement): void {
  const seen = new Map<string, { readonly block: Block; readonly letters: string }>();
  for (const block of blocksIn(root)) {
    if (block.text.length < MIN_REPEATED_LENGTH || isCell(block.holder)) continue;
    const letters = normaliseText(block.text.replace(SWITCH, ""));
    const beginning = letters.slice(0, MAX_COMPARED_LENGTH);
    const other = seen.get(beginning);
    if (other?.letters.startsWith(letters)) removeBlock(block);
    else {
      if (other && letters.startsWith(other.letters)) removeBlock(other.block);
      seen.set(beginning, { block, letters });
    }
  }
}
