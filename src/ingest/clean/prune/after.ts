import { type PageElement, textOf } from "../dom.ts";
import { alike } from "../text.ts";
import { pruneEnds, pruneRest } from "./ends.ts";
import { isBoilerplate, isByline } from "./lines.ts";
import { dropLinkBlocks } from "./links.ts";
import { LEAD_MARK } from "../restore.ts";
import { ABOUT, BYLINE, isNamed, setOf, wordsOf } from "./names.ts";
import { type Block, blocksIn } from "./blocks.ts";
import { isDateLine } from "./date-lines.ts";
import { pruneCaptions } from "./captions.ts";
import { dropRepeats } from "./repeats.ts";

/** What is known of the page that the article stands on. */
export type Known = {
  /** The page's title in all the forms that it gives. */
  readonly titles: readonly (string | null)[];
  /** Names of who wrote it, in any form. */
  readonly authors: readonly (string | null)[];
  readonly host: string;
};

const LINES = "p, div, li, h1, h2, h3, h4, h5, h6, span, section, ul, strong, em, b";
const MAX_NAMED_LENGTH = 700;
const MAX_NAMED_SHARE = 0.2;
const WRITERS = setOf("byline author authors bio");

/** From so many on, parts of one name are repeated by the content itself, as the posts of a thread or the entries of a log do. */
const MIN_REPEATED_PARTS = 3;

function dropNamed(root: PageElement, whole: number): void {
  const parts = [...root.querySelectorAll("[class], [id]")].filter((element) => element.getAttribute(LEAD_MARK) === null);
  const isShort = (element: PageElement): boolean => textOf(element).length <= Math.min(MAX_NAMED_LENGTH, whole * MAX_NAMED_SHARE);
  for (const element of parts) if (isNamed(element, ABOUT) && isShort(element)) element.remove();
  const counts = new Map<string, number>();
  for (const element of parts) for (const word of new Set(wordsOf(element))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isRepeated = (element: PageElement): boolean =>
    wordsOf(element).some((word) => BYLINE.has(word) && (counts.get(word) ?? 0) >= MIN_REPEATED_PARTS);
  for (const element of parts) {
    if (!isNamed(element, BYLINE) || !isShort(element) || isRepeated(element)) continue;
    if (isNamed(element, WRITERS) || blocksIn(element).every(isAboutLine)) element.remove();
  }
}

const isAboutLine = ({ text, linked }: Block): boolean => isDateLine(text) || isByline(text) || linked > text.length / 2;

function dropLines(root: PageElement, titles: readonly (string | null)[]): void {
  const echoes = new Set(titles.filter((title) => title !== null).map(alike));
  const texts = new Map<PageElement, string>();
  const parentText = (parent: PageElement): string => {
    const text = texts.get(parent) ?? textOf(parent);
    texts.set(parent, text);
    return text;
  };
  for (const element of root.querySelectorAll(LINES)) {
    const text = textOf(element);
    if (text === "" || text.length > 500) continue;
    const inline = /^(?:span|strong|em|b)$/.test(element.localName);
    if (inline && element.parentNode && parentText(element.parentNode) !== text) continue;
    if (isBoilerplate(text)) element.remove();
    else if (/^(?:h1|h2|h3|div|p)$/.test(element.localName) && echoes.has(alike(text))) element.remove();
  }
}

/**
 * Takes out of the article found: short blocks of links, what is named as about it, captions, what follows it, boilerplate lines, the title
 * said again, and lines of date and author at both ends.
 */
export function pruneAfter(root: PageElement, known: Known): void {
  const whole = textOf(root).length;
  dropLinkBlocks(root, whole, known.host);
  dropNamed(root, whole);
  pruneCaptions(root);
  dropRepeats(root);
  pruneRest(root);
  dropLines(root, known.titles);
  pruneEnds(root, known.authors);
}
