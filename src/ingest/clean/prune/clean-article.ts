import { type PageElement, getText } from "../dom.ts";
import { normaliseText } from "../text.ts";
import { removeEdgeLines, removeTrailingSections } from "./edge-lines.ts";
import { isBoilerplate, isByline } from "./boilerplate.ts";
import { removeLinkBlocks } from "./links.ts";
import { LEAD_MARK } from "./lead-mark.ts";
import { METADATA_NAMES, BYLINE_NAMES, isNamed, toSet, splitNames } from "./names.ts";
import { type PageBlock, listBlocks, removeBlock, isCell } from "./blocks.ts";
import { isDateLine } from "../calendar/date-lines.ts";
import { removeCaptions } from "./captions.ts";
import { removeRepeats } from "./repeats.ts";

/** Data of the page that helps to recognise its metadata in the text. */
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

/** With this many occurrences a name belongs to the content, as in the posts of a thread or the entries of a log. */
const MIN_REPEATED_PARTS = 3;

/** Removes short elements that are named as metadata, or as a byline that contains nothing else. */
function removeMetadataElements(root: PageElement, whole: number): void {
  const parts = [...root.querySelectorAll("[class], [id]")].filter((element) => element.getAttribute(LEAD_MARK) === null);
  const isShort = (element: PageElement): boolean => getText(element).length <= Math.min(MAX_NAMED_LENGTH, whole * MAX_NAMED_SHARE);
  for (const element of parts) if (isNamed(element, METADATA_NAMES) && isShort(element)) element.remove();
  const counts = new Map<string, number>();
  const isInside = (element: PageElement, word: string): boolean => {
    for (let up = element.parentNode; up && up !== root && up.getAttribute; up = up.parentNode)
      if (splitNames(up).includes(word)) return true;
    return false;
  };
  for (const element of parts)
    for (const word of new Set(splitNames(element)))
      if (BYLINE_NAMES.has(word) && getText(element) !== "" && !isInside(element, word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isRepeated = (element: PageElement): boolean =>
    splitNames(element).some((word) => BYLINE_NAMES.has(word) && (counts.get(word) ?? 0) >= MIN_REPEATED_PARTS);
  for (const element of parts) {
    if (!isNamed(element, BYLINE_NAMES) || !isShort(element) || isRepeated(element)) continue;
    if (isNamed(element, AUTHOR_NAMES) || listBlocks(element).every(isMetadataLine)) element.remove();
  }
}

/** Maximum number of other words in a line with a date, in an element named as a byline: author, section, number of comments. */
const MAX_WORDS_IN_BYLINE = 8;

const isMetadataLine = ({ text, linked }: PageBlock): boolean =>
  isDateLine(text, MAX_WORDS_IN_BYLINE) || isByline(text) || linked > text.length / 2;

/** Removes boilerplate lines and repetitions of the title, except in tables and code. */
function removeLines(root: PageElement, titles: readonly (string | null)[]): void {
  const normalisedTitles = new Set(titles.filter((title) => title !== null).map(normaliseText));
  for (const block of listBlocks(root)) {
    if (isCell(block.container)) continue;
    if (
      isBoilerplate(block.text) ||
      (block.text.length <= MAX_TITLE_LENGTH &&
        !/^h[4-6]$/.test(block.container.localName) &&
        normalisedTitles.has(normaliseText(block.text)))
    )
      removeBlock(block);
  }
}

/**
 * Removes from the article: short blocks of links, elements named as metadata, captions, trailing sections, boilerplate lines, repetitions
 * of the title, and lines with date and author at both ends.
 */
export function cleanArticle(root: PageElement, context: PageContext): void {
  const whole = getText(root).length;
  const on = (x: string) => (process.env["POST"] ?? "lmcrdtbe").includes(x);
  if (on("l")) removeLinkBlocks(root, whole, context.host);
  if (on("m")) removeMetadataElements(root, whole);
  if (on("c")) removeCaptions(root);
  if (on("r")) removeRepeats(root);
  if (on("d")) for (const list of root.querySelectorAll("dl"))
    if (![...list.querySelectorAll("dd")].some((value) => getText(value) !== "")) list.remove();
  if (on("t")) removeTrailingSections(root);
  if (on("b")) removeLines(root, context.titles);
  if (on("e")) removeEdgeLines(root, context.authors, context.published);
}
