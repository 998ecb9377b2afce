import { findElements, getText, type PageDocument, type PageElement } from "../dom.ts";
import { isDateLine } from "../calendar/date-lines.ts";
import { isHidden } from "./hidden.ts";
import { DECORATION_NAMES, isNamed, toSet } from "./names.ts";

const UNREADABLE = toSet("script style template svg iframe object embed canvas dialog datalist");
/** Shorter text for readers without scripts only asks them to switch scripts on. */
const MIN_FALLBACK_CHARACTERS = 250;

/** Removes what is not text to read: scripts, decorations of headings and links, and hidden words within lines. */
export function removeUnreadable(page: PageDocument): void {
  for (const element of findElements(page, UNREADABLE)) element.remove();
  keepNoScriptContent(page);
  for (const element of page.querySelectorAll("span, a, sup")) if (isDecoration(element) || isHidden(element)) element.remove();
}

/** The text of links from a heading to itself, and from a footnote back to its text. */
const MARK = /^[\s¶§#^↑↩↵⏎⤴🔗\ufe0e\ufe0f]+$/u;
const isMark = (element: PageElement): boolean =>
  element.localName === "a" && (element.getAttribute("href") ?? "").includes("#") && MARK.test(element.textContent ?? "");

/** Whether an element is a mark that a site adds, such as a link to edit a section. The date of a post is often its permanent link. */
const isDecoration = (element: PageElement): boolean =>
  isMark(element) || (isNamed(element, DECORATION_NAMES) && !isDateLine(getText(element)));

/**
 * Keeps what a page shows to readers without scripts if that is most of its text, and removes it otherwise: forums put a whole thread
 * there, other pages a sentence or a picture.
 */
function keepNoScriptContent(page: PageDocument): void {
  const elements = [...page.querySelectorAll("noscript")];
  const whole = elements.length === 0 ? 0 : getText(page.documentElement).length;
  for (const element of elements) {
    const { length } = getText(element);
    if (length >= MIN_FALLBACK_CHARACTERS && length * 2 > whole) for (const child of [...element.childNodes]) element.before(child);
    element.remove();
  }
}
