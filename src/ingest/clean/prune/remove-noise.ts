import { findElements, type PageDocument, getText } from "../dom.ts";
import { isDateLine } from "../calendar/date-lines.ts";
import { removeOtherArticles } from "./articles.ts";
import { isHidden } from "./hidden.ts";
import { NON_CONTENT_NAMES, isNamed, isNamedContent, DECORATION_NAMES, toSet } from "./names.ts";

const NOISE = toSet("script style template svg iframe object embed canvas dialog");
const NON_CONTENT_ELEMENTS = toSet("figure figcaption aside form nav footer");
const CONTENT_SELECTOR = "pre, table, blockquote";
const NAMED_ELEMENTS = toSet("div section ul ol p span dl header h2 h3 h4 h5 h6 table a li");
/** Elements with a larger share of the page's text are kept regardless of their type or name. */
const KEPT_SHARE = 0.35;
const KEPT_NAMED_SHARE = 0.3;

/** Shorter text for readers without scripts only asks them to switch scripts on. */
const MIN_FALLBACK_CHARACTERS = 250;

/** Removes elements without readable text. */
export function removeUnreadable(page: PageDocument): void {
  for (const element of findElements(page, NOISE)) element.remove();
  readForReadersWithoutScripts(page);
}

/** Removes elements without readable text and hidden elements, and unwraps quoted posts. */
export function removeNoise(page: PageDocument): void {
  for (const element of findElements(page, NOISE)) element.remove();
  readForReadersWithoutScripts(page);
  const whole = getText(page.documentElement).length;
  for (const element of page.querySelectorAll("[class], [style], [hidden]"))
    if (element !== page.body && isHidden(element) && getText(element).length <= whole * KEPT_SHARE) element.remove();
  for (const element of page.querySelectorAll("span[class], a[class], sup[class]"))
    // The date of a post is often its permanent link.
    if (isNamed(element, DECORATION_NAMES) && !isDateLine(getText(element))) element.remove();
  unwrapQuotes(page);
}

/** Removes elements that are never part of the article: figures, captions, asides, forms, menus, footers (by type or name), other articles. */
export function removeNonContent(page: PageDocument, titles: readonly (string | null)[]): void {
  const whole = getText(page.documentElement).length;
  for (const element of findElements(page, NON_CONTENT_ELEMENTS)) {
    if (element.localName === "figure" && element.querySelector(CONTENT_SELECTOR)) continue;
    if (getText(element).length <= whole * KEPT_SHARE) element.remove();
  }
  removeOtherArticles(page, titles);
  for (const element of findElements(page, NAMED_ELEMENTS)) {
    if (!isNamed(element, NON_CONTENT_NAMES) || isNamedContent(element)) continue;
    if (getText(element).length <= whole * KEPT_NAMED_SHARE && !element.querySelector("h1, article, main")) element.remove();
  }
}

/**
 * Keeps what a page shows to readers without scripts if that is most of its text, and removes it otherwise: forums put a whole thread
 * there, other pages a sentence or a picture.
 */
function readForReadersWithoutScripts(page: PageDocument): void {
  const elements = [...page.querySelectorAll("noscript")];
  const whole = elements.length === 0 ? 0 : getText(page.documentElement).length;
  for (const element of elements) {
    const { length } = getText(element);
    if (length >= MIN_FALLBACK_CHARACTERS && length * 2 > whole) for (const child of [...element.childNodes]) element.before(child);
    element.remove();
  }
}

/** Moves quoted posts out of their boxes, which other rules would remove: their names look like share bars, their links like menus. */
function unwrapQuotes(page: PageDocument): void {
  for (const quote of page.querySelectorAll("blockquote[class]")) {
    const box = quote.parentNode;
    if (!box || /^(?:body|main|article)$/.test(box.localName) || !/tweet|embed|media|post/i.test(quote.getAttribute("class") ?? ""))
      continue;
    if (getText(box).length > getText(quote).length + 100) continue;
    box.before(quote);
    box.remove();
  }
}
