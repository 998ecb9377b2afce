import { elementsNamed, type PageDocument, textOf } from "../dom.ts";
import { removeOtherArticles } from "./articles.ts";
import { isHidden } from "./hidden.ts";
import { NON_CONTENT_NAMES, isNamed, isNamedContent, DECORATION_NAMES, toSet } from "./names.ts";

const NOISE = toSet("script style noscript template svg iframe object embed canvas dialog");
const NON_CONTENT_ELEMENTS = toSet("figure figcaption aside form nav footer");
const CONTENT_SELECTOR = "pre, table, blockquote";
const NAMED_ELEMENTS = toSet("div section ul ol p span dl header h2 h3 h4 h5 h6 table a li");
/** An element with a larger share of the page's text is kept, whatever its type or name. */
const SAFE_SHARE = 0.35;
const SAFE_NAMED_SHARE = 0.3;

/** Removes elements without readable text and hidden elements, and unwraps quoted posts. */
export function removeNoise(page: PageDocument): void {
  for (const element of elementsNamed(page, NOISE)) element.remove();
  const whole = textOf(page.documentElement).length;
  for (const element of page.querySelectorAll("[class], [style], [hidden]"))
    if (element !== page.body && isHidden(element) && textOf(element).length <= whole * SAFE_SHARE) element.remove();
  for (const element of page.querySelectorAll("span[class], a[class], sup[class]"))
    if (isNamed(element, DECORATION_NAMES)) element.remove();
  unwrapQuotes(page);
}

/** Removes what is never part of the article: figures, captions, asides, forms, menus, footers, elements named so, and other articles. */
export function removeNonContent(page: PageDocument, titles: readonly (string | null)[]): void {
  const whole = textOf(page.documentElement).length;
  for (const element of elementsNamed(page, NON_CONTENT_ELEMENTS)) {
    if (element.localName === "figure" && element.querySelector(CONTENT_SELECTOR)) continue;
    if (textOf(element).length <= whole * SAFE_SHARE) element.remove();
  }
  removeOtherArticles(page, titles);
  for (const element of elementsNamed(page, NAMED_ELEMENTS)) {
    if (!isNamed(element, NON_CONTENT_NAMES) || isNamedContent(element)) continue;
    if (textOf(element).length <= whole * SAFE_NAMED_SHARE && !element.querySelector("h1, article, main")) element.remove();
  }
}

/** Takes quoted posts out of their boxes, whose names look like share bars and whose links look like menus. */
function unwrapQuotes(page: PageDocument): void {
  for (const quote of page.querySelectorAll("blockquote[class]")) {
    const box = quote.parentNode;
    if (!box || /^(?:body|main|article)$/.test(box.localName) || !/tweet|embed|media|post/i.test(quote.getAttribute("class") ?? ""))
      continue;
    if (textOf(box).length > textOf(quote).length + 100) continue;
    box.before(quote);
    box.remove();
  }
}
