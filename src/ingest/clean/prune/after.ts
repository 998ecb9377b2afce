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

/** What is known about the article's page. */
export type PageContext = {
  /** All variants of the page's title. */
  readonly titles: readonly (string | null)[];
  /** Names of the authors, in any form. */
  readonly authors: readonly (string | null)[];
  readonly host: string;
  /** Publication date in ISO 8601, or null. */
  readonly published: string | null;
};

const MAX_TITLE_LENGTH = 500;
const MAX_NAMED_LENGTH = 700;
const MAX_NAMED_SHARE = 0.2;
const AUTHOR_NAMES = toSet("byline author authors bio");

/** With this many occurrences a name belongs to the content, as in posts of a thread or entries of a log. */
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
    if (isNamed(element, AUTHOR_NAMES) || blocksIn(element).every(isMetadataLine)) element.remove();
  }
}

/** Other words in a dated line of an element named as a byline: author, section, number of comments. */
const MAX_WORDS_IN_BYLINE = 8;

const isMetadataLine = ({ text, linked }: Block): boolean =>
  isDateLine(text, MAX_WORDS_IN_BYLINE) || isByline(text) || linked > text.length / 2;

/** Removes boilerplate lines and repetitions of the title, except in tables and code. */
function removeLines(root: PageElement, titles: readonly (string | null)[]): void {
  const normalisedTitles = new Set(titles.filter((title) => title !== null).map(normaliseText));
  for (const block of blocksIn(root)) {
    if (isCell(block.holder)) continue;
    if (
      isBoilerplate(block.text) ||
      (block.text.length <= MAX_TITLE_LENGTH && !/^h[4-6]$/.test(block.holder.localName) && normalisedTitles.has(normaliseText(block.text)))
    )
      removeBlock(block);
  }
}

/**
 * Removes from the article: short blocks of links, elements named as metadata, captions, trailing sections, boilerplate lines, repetitions
 * of the title, and lines with date and author at both ends.
 */
export function cleanArticle(root: PageElement, context: PageContext): void {
  const whole = textOf(root).length;
  removeLinkBlocks(root, whole, context.host);
  removeNamed(root, whole);
  removeCaptions(root);
  removeRepeats(root);
  for (const list of root.querySelectorAll("dl"))
    if (![...list.querySelectorAll("dd")].some((value) => textOf(value) !== "")) list.remove();
  removeTrailingSections(root);
  removeLines(root, context.titles);
  removeEdgeLines(root, context.authors, context.published);
}
