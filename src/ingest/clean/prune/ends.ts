import type { PageElement } from "../dom.ts";
import { alike } from "../text.ts";
import { type Block, blocksIn, drop, isProse } from "./blocks.ts";
import { isDateLine } from "./date-lines.ts";
import { isAddress, isByline, opensAround } from "./lines.ts";

/** What stands before the first paragraph or after the last is judged by its lines only where it is this little. */
const MOST_SHARE = 0.25;
const MOST_REST = 0.4;
const MOST_LABEL = 40;
const MOST_BIO = 450;
const SHORTEST_NAME = 6;

const isHeading = ({ holder }: Block): boolean => /^h[1-6]$/.test(holder.localName);
const sizeOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

function isQuoted({ holder }: Block): boolean {
  for (let up: PageElement | null = holder; up; up = up.parentNode) if (up.localName === "blockquote") return true;
  return false;
}

const isParagraph = (block: Block): boolean =>
  isProse(block) && block.text.length >= (block.isDense ? 50 : 110) && block.linked < block.text.length * 0.3;

/** Where what follows the article begins: at a heading over related pages, comments or a newsletter that no paragraph follows. */
function endOf(blocks: readonly Block[]): number {
  const whole = sizeOf(blocks);
  let rest = 0;
  let end = blocks.length;
  for (let at = blocks.length - 1; at >= 0 && rest < whole * MOST_REST; at--) {
    const block = blocks[at] as Block;
    if (isParagraph(block)) break;
    rest += block.text.length;
    if ((isHeading(block) || block.text.length < 60) && opensAround(block.text)) end = at;
  }
  return end;
}

/** Takes out what follows the article, from its heading on. */
export function pruneRest(root: PageElement): void {
  const blocks = blocksIn(root);
  for (const block of blocks.slice(endOf(blocks))) drop(block);
}

const isLabel = (block: Block): boolean =>
  block.text.length < MOST_LABEL &&
  !block.isDense &&
  !isHeading(block) &&
  block.holder.localName !== "li" &&
  !/[.!?…:,;”"»]$/.test(block.text);

/** Before the first paragraph and after the last: a date, a byline, an address, a name, or a label of a few words. */
function isEndLine(block: Block, authors: readonly string[]): boolean {
  const { text } = block;
  if (text.length > 160 || isQuoted(block)) return false;
  if (isDateLine(text) || isByline(text) || isAddress(text)) return true;
  return text.length < 100 && authors.some((name) => alike(text).startsWith(name));
}

/** Takes out lines of date, author and the like before the first paragraph and after the last, and what says who the author is. */
export function pruneEnds(root: PageElement, written: readonly (string | null)[]): void {
  const blocks = blocksIn(root);
  const first = blocks.findIndex(isProse);
  if (first < 0) return;
  const names = written.flatMap((all) => (all ?? "").split(/,| and | und | et | y /));
  const authors = names.map(alike).filter((name) => name.length >= SHORTEST_NAME);
  const whole = sizeOf(blocks);
  for (const end of [blocks.slice(0, first), blocks.slice(blocks.findLastIndex(isProse) + 1)]) {
    if (sizeOf(end) < whole * MOST_SHARE) for (const block of end) if (isEndLine(block, authors)) drop(block);
  }
  const isBio = ({ text }: Block): boolean => text.length < MOST_BIO && authors.some((name) => alike(text.slice(0, 80)).startsWith(name));
  for (const block of blocks.slice(-4)) if (isBio(block)) drop(block);
}
