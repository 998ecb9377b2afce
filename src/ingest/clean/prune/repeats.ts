import { findCells } from "../model/measures.ts";
import type { Outline, OutlineElement } from "../model/outline.ts";
import { normaliseText } from "../text.ts";

const MIN_REPEATED_LENGTH = 20;
/** Blocks with the same first letters, up to this number, are compared as a whole. */
const PREFIX_LENGTH = 60;

/** A label that expands or collapses the rest of a shortened text. */
const EXPAND_LABEL = /(?:\s?(?:\.{3}|…)\s?(?:more|mehr|plus|más)?|(?<=[.!?)])\s?(?:less|weniger|moins|menos))$/i;

/**
 * Removes each block that is the beginning of another one from those that are kept, such as a shortened caption of a gallery, or a pull
 * quote. Cells of tables and lines of code may repeat.
 */
export function removeRepeats(outline: Outline, kept: Uint8Array): void {
  const { elements, blocks } = outline;
  const cells = findCells(outline);
  const seen = new Map<string, { readonly at: number; readonly letters: string }>();
  for (const [at, { element, text }] of blocks.entries()) {
    if (kept[at] === 0 || text.length < MIN_REPEATED_LENGTH || cells[element] === true) continue;
    const letters = normaliseText(text.replace(EXPAND_LABEL, ""));
    const prefix = letters.slice(0, PREFIX_LENGTH);
    const other = seen.get(prefix);
    const isLonger = other !== undefined && letters.startsWith(other.letters);
    // A hidden copy of the whole page is data for scripts.
    if (other?.letters.startsWith(letters) || (isLonger && (elements[element] as OutlineElement).isHidden)) kept[at] = 0;
    else {
      if (isLonger) kept[other.at] = 0;
      seen.set(prefix, { at, letters });
    }
  }
}
