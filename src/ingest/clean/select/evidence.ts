import { type PageElement, textOf } from "../dom.ts";
import { isBoilerplate, isNonContentHeading } from "../prune/lines.ts";
import { linkShare } from "../prune/links.ts";
import { METADATA_NAMES, NON_CONTENT_NAMES, isNamed, isNamedContent, toSet } from "../prune/names.ts";
import type { Zone } from "./zone.ts";

/** Roles of WAI-ARIA for what stands around a page's content. */
const ROLES = toSet("navigation banner contentinfo search menu menubar toolbar tablist dialog alertdialog alert progressbar");
/** Names of lists of links, which a restaurant's dishes have as well. */
const MENUS = toSet("menu menus submenu");
const FRAMES = toSet("nav footer form menu dialog");
/** Boxes to tick stand beside ingredients and tasks as well as in forms. */
const CONTROLS = "input:not([type=checkbox]):not([type=radio]):not([type=hidden]), textarea, select";
/** Names of the columns and bars that a site shows on all of its pages. */
const COLUMNS = toSet("footer sidebar widget widgets widgetarea rail marginal marginale prefooter");
const BAR =
  /^(?:(?:site|page|main|global|top|app|blog|brand)[-_]*)?(?:header|masthead|topbar|bottombar|aside)(?:[-_](?:bar|links|nav|top|inner|wrapper|root))?$/i;
const COPYRIGHT = /\ball rights reserved\b|\balle rechte vorbehalten\b|(?:©|\(c\)|copyright)\s*(?:\d{4}|by)\b/i;
const MAX_ABOUT_LENGTH = 700;
const MAX_LINKED_LENGTH = 600;
const MAX_COPYRIGHT_LENGTH = 1_500;

/** Share of a text that must be links for its linked headings to be teasers of other pages, and not names of what it tells about. */
const MIN_TEASER_SHARE = 0.4;

/** Two or more headings that lead elsewhere, and little beside them: teasers of other pages. */
function isTeaserList(element: PageElement, length: number, host: string): boolean {
  const linked = [...element.querySelectorAll("h1 a, h2 a, h3 a, h4 a, h5 a, a h2, a h3, a h4, a h5")];
  return linked.length >= 2 && linkShare(element, length, host) >= MIN_TEASER_SHARE;
}

const isMenu = (element: PageElement): boolean => {
  const { length } = textOf(element);
  return [...element.querySelectorAll("a")].reduce((sum, link) => sum + textOf(link).length, 0) >= length / 2;
};

/** A heading that is a link as a whole, over text that is none: the title of a release, or the question of an accordion. */
function isTitle(element: PageElement): boolean {
  const next = element.nextElementSibling;
  return /^h[1-6]$/.test(element.localName) && next !== null && textOf(next) !== "" && next.querySelector("a") === null;
}

const BUTTON = /(?:^|[\s_-])(?:btn|button|cta)(?:[\s_-]|$)/i;
/** Prices, measures, times, telephone numbers and addresses of mail. */
export const FIGURES = /[£$€¥]\s?\d|\d\s?(?:[€£]|%|km|kg|mm|cm|kW)|\d{1,2}[:.]\d{2}|\+?\d[\d ()/-]{7,}\d|\S@\S/;
const MAX_CALL_LENGTH = 250;

/** Whether classes are those of a button, by its name or by the utilities that make one. */
const looksLikeButton = (names: string): boolean =>
  BUTTON.test(names) || (names.includes("rounded") && /\bpx-\d/.test(names) && /\bpy-\d/.test(names));

/** Whether a short element is there for a button to be pressed: it has one, and no figures, addresses or structure. */
function isCallToAction(element: PageElement, text: string): boolean {
  if (text.length > MAX_CALL_LENGTH || FIGURES.test(text) || /^(?:h[1-6]|li|p|dt|dd|td|th|summary)$/.test(element.localName)) return false;
  if (element.querySelector("table, dl, pre, address, details, blockquote, h1, [aria-expanded], [data-toggle], [data-bs-toggle]") !== null)
    return false;
  const buttons = [...element.querySelectorAll("a, button")].filter(
    (one) => one.localName === "button" || one.getAttribute("role") === "button" || looksLikeButton(one.getAttribute("class") ?? ""),
  );
  // A button that other text follows opens that text, as those of an accordion do.
  const last = buttons.findLast((one) => textOf(one) !== "");
  return last !== undefined && !/^(?:h[1-6]|dt|summary)$/.test(last.parentNode?.localName ?? "") && text.endsWith(textOf(last));
}

/** Whether an element is three or more parts of one name that each lead elsewhere: cards of other pages. */
export function isCardList(element: PageElement): boolean {
  const parts = [...element.children].filter((child) => textOf(child) !== "");
  const [first] = parts;
  if (parts.length < 3 || !first) return false;
  const name = first.getAttribute("class");
  return parts.every(
    (part) => part.localName === first.localName && part.getAttribute("class") === name && part.querySelector("a[href]") !== null,
  );
}

/** Whether a short line stands over a list of what is not content. */
export const isNonContentLabel = (element: PageElement): boolean =>
  /^(?:p|div|strong|span)$/.test(element.localName) && isNonContentHeading(textOf(element));

/** Whether there is evidence that an element as a whole is not content: by its role, its name, its controls, its links, or the line it is. */
export function isNonContent(element: PageElement, host: string): boolean {
  if ((FRAMES.has(element.localName) && element.parentNode?.localName !== "blockquote") || ROLES.has(element.getAttribute("role") ?? ""))
    return true;
  if (element.getAttribute("aria-modal") === "true") return true;
  if (isNamed(element, NON_CONTENT_NAMES) && !isNamedContent(element)) return true;
  if (isNamed(element, MENUS) && /^(?:ul|ol|div|section|span|p)$/.test(element.localName) && isMenu(element)) return true;
  const text = textOf(element);
  if (text === "" || isBoilerplate(text)) return true;
  if (text.length <= MAX_COPYRIGHT_LENGTH && COPYRIGHT.test(text)) return true;
  if (text.length <= MAX_LINKED_LENGTH && element.querySelector(CONTROLS) !== null) return true;
  if (isTeaserList(element, text.length, host) || isCallToAction(element, text)) return true;
  if (isTitle(element)) return false;
  // An item of a list is judged by its list: some of the items of an article's own lists are links alone.
  const list = element.localName === "li" ? element.parentNode : null;
  if (list && !isLinkedList(list, host)) return false;
  return isLinked(element, text.length, host);
}

/** Lists by whether most of their text leads elsewhere: a list of thousands of items is measured once, and not again for each of them. */
const linkedLists = new WeakMap<PageElement, boolean>();

function isLinkedList(list: PageElement, host: string): boolean {
  const known = linkedLists.get(list) ?? isLinked(list, textOf(list).length, host);
  linkedLists.set(list, known);
  return known;
}

/** Whether most of a text leads elsewhere on the same site; of a long one more than of a short one. */
export const isLinked = (element: PageElement, length: number, host: string): boolean =>
  // Names in a table are links often; a table of nothing else leads elsewhere.
  linkShare(element, length, host) > (element.localName === "table" ? 0.95 : length < 200 ? 0.6 : length < MAX_LINKED_LENGTH ? 0.7 : 0.8);

/** Whether an element begins with a heading over what is not content. */
export const hasNonContentHeading = (element: PageElement): boolean => {
  const heading = /^h[1-6]$/.test(element.localName) ? element : element.querySelector("h1, h2, h3, h4, h5, h6");
  return heading !== null && isNonContentHeading(textOf(heading));
};

/** Whether a short element that was not selected says who wrote something, what it is rated, or the like. */
export const isMetadataElement = (element: PageElement): boolean =>
  isNamed(element, METADATA_NAMES) && textOf(element).length <= MAX_ABOUT_LENGTH;

/** The names of a bundler's modules end in a hash. */
const isBar = (element: PageElement): boolean =>
  (element.getAttribute("class") ?? "")
    .slice(0, 1_000)
    .split(/\s+/)
    .some((name) => BAR.test(name.split("__")[0] ?? ""));

/** A header, or an aside that leads elsewhere; one without links is a box of the page itself. */
const isSide = (element: PageElement): boolean =>
  element.localName === "header" || (element.localName === "aside" && element.querySelector("a[href]") !== null);

const ASIDES = toSet("sidebar aside rail column widget marginal");
/** A column in the main part that leads nowhere but has figures, such as opening hours and prices, belongs to the page itself. */
export const isFactBox = (element: PageElement): boolean =>
  (element.localName === "aside" || isNamed(element, ASIDES)) &&
  !COPYRIGHT.test(textOf(element)) &&
  !hasNonContentHeading(element) &&
  element.querySelector("a[href], button, form") === null &&
  FIGURES.test(textOf(element));

/** Whether an element is a column or a bar of the page: beside the article by its name or its kind, within it by its name alone. */
export const isSiteColumn = (element: PageElement, zone: Zone, isSelected: boolean): boolean =>
  isNamed(element, COLUMNS) || (!isSelected && zone !== "article" && (isSide(element) || isBar(element)));
