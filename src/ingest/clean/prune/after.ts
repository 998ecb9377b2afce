import { type PageElement, textOf } from "../dom.ts";
import { normaliseText } from "../text.ts";
import { removeEdgeLines, removeTrailingSections } from "./ends.ts";
import { isBoilerplate, isByline } from "./lines.ts";
import { removeLinkBlocks } from "./links.ts";
import { LEAD_MARK } from "./marks.ts";
import { METADATA_NAMES, BYLINE_NAMES, isNamed, toSet, wordsOf } from "./names.ts";
import { type Block, blocksIn, removeBlock, isCell } from "./blocks.ts";
import { isDateLine } from "../calendar/date-lines.ts";
import { removeCaptions } from "./captions.ts";
import { removeRepeats } from "./repeats.ts";

/** What is known of the page that the article stands on. */
export type PageContext = {
  /** The page's title in all the forms that it gives. */
  readonly titles: readonly (string | null)[];
  /** Names of who wrote it, in any form. */
  readonly authors: readonly (string | null)[];
  readonly host: string;
  /** When it was published, in ISO 8601; null where the page does not say. */
  readonly published: string | null;
};

const MAX_ECHO_LENGTH = 500;
const MAX_NAMED_LENGTH = 700;
const MAX_NAMED_SHARE = 0.2;
const WRITERS = toSet("byline author authors bio");

/** From so many on, parts of one name are repeated by the content itself, as the posts of a thread or the entries of a log do. */
const MIN_REPEATED_PARTS = 3;

function removeNamed(root: PageElement, whole: number): void {
  const parts = [...root.querySelectorAll("[class], [id]")].filter((element) => element.getAttribute(LEAD_MARK) === null);
  const isShort = (element: PageElement): boolean => textOf(element).length <= Math.min(MAX_NAMED_LENGTH, whole * MAX_NAMED_SHARE);
  for (const element of parts) if (isNamed(element, METADATA_NAMES) && isShort(element)) element.remove();
  const counts = new Map<string, number>();
  const isInside = (element: PageElement, word: string): boolean => {
    for (let up = element.parentNode; up && up !== root && up.getAttribute; up = up.parentNode) if (wordsOf(up).includes(word)) return true;
    return false;
  };
  for (const element of parts)
    for (const word of new Set(wordsOf(element)))
      if (BYLINE_NAMES.has(word) && textOf(element) !== "" && !isInside(element, word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isRepeated = (element: PageElement): boolean =>
    wordsOf(element).some((word) => BYLINE_NAMES.has(word) && (counts.get(word) ?? 0) >= MIN_REPEATED_PARTS);
  for (const element of parts) {
    if (!isNamed(element, BYLINE_NAMES) || !isShort(element) || isRepeated(element)) continue;
    if (isNamed(element, WRITERS) || blocksIn(element).every(isMetadataLine)) element.remove();
  }
}

/** Words beside the date in a line that is named as a byline: its author, the section, the count of comments. */
const MAX_WORDS_IN_BYLINE = 8;

const isMetadataLine = ({ text, linked }: Block): boolean =>
  isDateLine(text, MAX_WORDS_IN_BYLINE) || isByline(text) || linked > text.length / 2;

/** Boilerplate lines, and the title said again; what stands in a table or in code is neither. */
function removeLines(root: PageElement, titles: readonly (string | null)[]): void {
  const echoes = new Set(titles.filter((title) => title !== null).map(normaliseText));
  for (const block of blocksIn(root)) {
    if (isCell(block.holder)) continue;
    if (
      isBoilerplate(block.text) ||
      (block.text.length <= MAX_ECHO_LENGTH && !/^h[4-6]$/.test(block.holder.localName) && echoes.has(normaliseText(block.text)))
    )
      removeBlock(block);
  }
}

/**
 * Takes out of the article found: short blocks of links, what is named as about it, captions, what follows it, boilerplate lines, the title
 * said again, and lines of date and author at both ends.
 */
export function cleanArticle(root: PageElement, known: PageContext): void {
  const whole = textOf(root).length;
  removeLinkBlocks(root, whole, known.host);
  removeNamed(root, whole);
  removeCaptions(root);
  removeRepeats(root);
  for (const list of root.querySelectorAll("dl"))
    if (![...list.querySelectorAll("dd")].some((value) => textOf(value) !== "")) list.remove();
  removeTrailingSections(root);
  removeLines(root, known.titles);
  removeEdgeLines(root, known.authors, known.published);
}
