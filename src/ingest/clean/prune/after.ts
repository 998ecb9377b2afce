import { type PageElement, textOf } from "../dom.ts";
import { alike } from "../text.ts";
import { pruneEnds, pruneRest } from "./ends.ts";
import { isBoilerplate } from "./lines.ts";
import { dropLinkBlocks } from "./links.ts";
import { LEAD_MARK } from "../restore.ts";
import { ABOUT, isNamed } from "./names.ts";
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
const MOST_NAMED_TEXT = 700;
const MOST_NAMED_SHARE = 0.2;

function dropNamed(root: PageElement, whole: number): void {
  for (const element of root.querySelectorAll("[class], [id]")) {
    if (element.getAttribute(LEAD_MARK) === null && isNamed(element, ABOUT) && textOf(element).length <= Math.min(MOST_NAMED_TEXT, whole * MOST_NAMED_SHARE)) element.remove();
  }
}

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
