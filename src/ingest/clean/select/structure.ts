import { isElement, type PageElement, textOf } from "../dom.ts";
import { setOf } from "../prune/names.ts";

const STRUCTURES = setOf("table dl address figcaption pre details blockquote");
const NAMES =
  /(?:^|[-_ ])(?:infobox|info-box|facts?|key-?facts|factbox|specs?|specifications?|properties|attributes|details|hours|opening-?hours|openingtimes|contact|address|adr|vcard|footnotes?|endnotes?|references|reflist|ingredients?|price|schedule|timetable)(?:[-_ ]|$)/i;
const ITEMPROP =
  /^(?:address|openingHours|telephone|email|price|startDate|endDate|location|ingredients|recipeIngredient|recipeInstructions)$/;

/** Whether an element is one that holds facts by its kind, by its name or by its microdata. */
export function isStructure(element: PageElement): boolean {
  if (STRUCTURES.has(element.localName)) return true;
  if (ITEMPROP.test(element.getAttribute("itemprop") ?? "")) return true;
  return NAMES.test(`${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.slice(0, 1_000));
}

/** Whether there is such an element inside. */
export function holdsStructure(element: PageElement): boolean {
  if (isStructure(element)) return textOf(element) !== "";
  for (const child of element.childNodes) if (isElement(child) && holdsStructure(child)) return true;
  return false;
}
