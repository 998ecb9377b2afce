import { type PageElement, getText } from "../dom.ts";
import { isBoilerplate, isNonContentHeading } from "../prune/boilerplate.ts";
import { computeLinkShare } from "../prune/links.ts";
import { METADATA_NAMES, NON_CONTENT_NAMES, isNamed, isNamedContent, toSet } from "../prune/names.ts";
import type { Placement } from "./placement.ts";

/** WAI-ARIA roles of elements that are not content. */
const ROLES = toSet("navigation banner contentinfo search menu menubar toolbar tablist dialog alertdialog alert progressbar");
/** Names of navigation menus. Restaurant menus have the same names, so the share of links decides. */
const MENU_NAMES = toSet("menu menus submenu");
const NON_CONTENT_ELEMENTS = toSet("nav footer form menu dialog");
/** Form controls, except check boxes, which also accompany ingredients and tasks. */
const CONTROL_SELECTOR = "input:not([type=checkbox]):not([type=radio]):not([type=hidden]), textarea, select";
/** Names of columns and bars that a site shows on all its pages. */
const COLUMN_NAMES = toSet("footer sidebar widget widgets widgetarea rail marginal marginale prefooter");
const BAR_NAME =
  /^(?:(?:site|page|main|global|top|app|blog|brand)[-_]*)?(?:header|masthead|topbar|bottombar|aside)(?:[-_](?:bar|links|nav|top|inner|wrapper|root))?$/i;
const COPYRIGHT = /\ball rights reserved\b|\balle rechte vorbehalten\b|(?:©|\(c\)|copyright)\s*(?:\d{4}|by)\b/i;
const MAX_ABOUT_LENGTH = 700;
const MAX_LINKED_LENGTH = 600;
const MAX_COPYRIGHT_LENGTH = 1_500;

/** With at least this share of links, linked headings are teasers of other pages and not headings of the text. */
const MIN_TEASER_SHARE = 0.4;

/** Whether an element is a list of teasers of other pages: two or more linked headings and little other text. */
function isTeaserList(element: PageElement, length: number, host: string): boolean {
  const linked = [...element.querySelectorAll("h1 a, h2 a, h3 a, h4 a, h5 a, a h2, a h3, a h4, a h5")];
  return linked.length >= 2 && computeLinkShare(element, length, host) >= MIN_TEASER_SHARE;
}

const isMenu = (element: PageElement): boolean => {
  const { length } = getText(element);
  return [...element.querySelectorAll("a")].reduce((sum, link) => sum + getText(link).length, 0) >= length / 2;
};

/** Whether an element is a linked heading followed by text without links, such as the question of an accordion. */
function isLinkedTitle(element: PageElement): boolean {
  const next = element.nextElementSibling;
  return /^h[1-6]$/.test(element.localName) && next !== null && getText(next) !== "" && next.querySelector("a") === null;
}

const BUTTON = /(?:^|[\s_-])(?:btn|button|cta)(?:[\s_-]|$)/i;
/** Matches facts with figures: prices, measures, times, telephone numbers and e-mail addresses. */
export const FIGURES = /[£$€¥]\s?\d|\d\s?(?:[€£]|%|km|kg|mm|cm|kW)|\d{1,2}[:.]\d{2}|\+?\d[\d ()/-]{7,}\d|\S@\S/;
const MAX_CALL_LENGTH = 250;

/** Whether class names are those of a button: by its name, or by CSS utilities. */
const looksLikeButton = (names: string): boolean =>
  BUTTON.test(names) || (names.includes("rounded") && /\bpx-\d/.test(names) && /\bpy-\d/.test(names));

/** Whether a short element is a call to action: it ends with a button, and has no figures, addresses or structures. */
function isCallToAction(element: PageElement, text: string): boolean {
  if (text.length > MAX_CALL_LENGTH || FIGURES.test(text) || /^(?:h[1-6]|li|p|dt|dd|td|th|summary)$/.test(element.localName)) return false;
  if (element.querySelector("table, dl, pre, address, details, blockquote, h1, [aria-expanded], [data-toggle], [data-bs-toggle]") !== null)
    return false;
  const buttons = [...element.querySelectorAll("a, button")].filter(
    (one) => one.localName === "button" || one.getAttribute("role") === "button" || looksLikeButton(one.getAttribute("class") ?? ""),
  );
  // A button before other text may expand that text, as in an accordion.
  const last = buttons.findLast((one) => getText(one) !== "");
  return last !== undefined && !/^(?:h[1-6]|dt|summary)$/.test(last.parentNode?.localName ?? "") && text.endsWith(getText(last));
}

/** Whether an element consists of three or more linked parts with the same class: cards of other pages. */
export function isCardList(element: PageElement): boolean {
  const parts = [...element.children].filter((child) => getText(child) !== "");
  const [first] = parts;
  if (parts.length < 3 || !first) return false;
  const name = first.getAttribute("class");
  return parts.every(
    (part) => part.localName === first.localName && part.getAttribute("class") === name && part.querySelector("a[href]") !== null,
  );
}

/** Whether a short line is the label of a list that is not content. */
export const isNonContentLabel = (element: PageElement): boolean =>
  /^(?:p|div|strong|span)$/.test(element.localName) && isNonContentHeading(getText(element));

/** Whether there is evidence that an element as a whole is not content: its role, name, controls, links, or boilerplate text. */
export function isNonContent(element: PageElement, host: string): boolean {
  if (
    (NON_CONTENT_ELEMENTS.has(element.localName) && element.parentNode?.localName !== "blockquote") ||
    ROLES.has(element.getAttribute("role") ?? "")
  )
    return true;
  if (element.getAttribute("aria-modal") === "true") return true;
  if (isNamed(element, NON_CONTENT_NAMES) && !isNamedContent(element)) return true;
  if (isNamed(element, MENU_NAMES) && /^(?:ul|ol|div|section|span|p)$/.test(element.localName) && isMenu(element)) return true;
  const text = getText(element);
  if (text === "" || isBoilerplate(text)) return true;
  if (text.length <= MAX_COPYRIGHT_LENGTH && COPYRIGHT.test(text)) return true;
  if (text.length <= MAX_LINKED_LENGTH && element.querySelector(CONTROL_SELECTOR) !== null) return true;
  if (isTeaserList(element, text.length, host) || isCallToAction(element, text)) return true;
  if (isLinkedTitle(element)) return false;
  // A list item is judged with its list, since lists of an article may have items that are only a link.
  const list = element.localName === "li" ? element.parentNode : null;
  if (list && !isLinkedList(list, host)) return false;
  return isLinked(element, text.length, host);
}

/** Caches whether a list consists mostly of links, so that a list of thousands of items is measured once. */
const linkedLists = new WeakMap<PageElement, boolean>();

function isLinkedList(list: PageElement, host: string): boolean {
  const isLinkList = linkedLists.get(list) ?? isLinked(list, getText(list).length, host);
  linkedLists.set(list, isLinkList);
  return isLinkList;
}

/** Whether most of the text is links within the site. Longer texts need a higher share. */
export const isLinked = (element: PageElement, length: number, host: string): boolean =>
  // Tables often contain linked names; only a table of nothing but links is removed.
  computeLinkShare(element, length, host) >
  (element.localName === "table" ? 0.95 : length < 200 ? 0.6 : length < MAX_LINKED_LENGTH ? 0.7 : 0.8);

/** Whether the first heading of an element is that of a section that is not content, such as related pages. */
export const hasNonContentHeading = (element: PageElement): boolean => {
  const heading = /^h[1-6]$/.test(element.localName) ? element : element.querySelector("h1, h2, h3, h4, h5, h6");
  return heading !== null && isNonContentHeading(getText(heading));
};

/** Whether a short element is named as metadata, such as author or rating. */
export const isMetadataElement = (element: PageElement): boolean =>
  isNamed(element, METADATA_NAMES) && getText(element).length <= MAX_ABOUT_LENGTH;

/** Whether the element is named as a header or side bar. Class names of CSS modules end in a hash after two underscores. */
const isBar = (element: PageElement): boolean =>
  (element.getAttribute("class") ?? "")
    .slice(0, 1_000)
    .split(/\s+/)
    .some((name) => BAR_NAME.test(name.split("__")[0] ?? ""));

/** Whether an element is a header, or an aside with links. An aside without links is an info box of the page. */
const isSide = (element: PageElement): boolean =>
  element.localName === "header" || (element.localName === "aside" && element.querySelector("a[href]") !== null);

const ASIDE_NAMES = toSet("sidebar aside rail column widget marginal");

/** Whether a side column is content because it has no links but figures, such as opening hours and prices. */
export const isFactBox = (element: PageElement): boolean =>
  (element.localName === "aside" || isNamed(element, ASIDE_NAMES)) &&
  !COPYRIGHT.test(getText(element)) &&
  !hasNonContentHeading(element) &&
  element.querySelector("a[href], button, form") === null &&
  FIGURES.test(getText(element));

/** Whether an element is a column or bar of the site: in the article by its name only, beside the article also by its element type. */
export const isSiteColumn = (element: PageElement, placement: Placement, isSelected: boolean): boolean =>
  isNamed(element, COLUMN_NAMES) || (!isSelected && placement !== "article" && (isSide(element) || isBar(element)));
