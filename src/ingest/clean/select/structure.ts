import { isElement, type PageElement, getText } from "../dom.ts";
import { toSet } from "../prune/names.ts";

const STRUCTURES = toSet("table dl address figcaption pre details blockquote");
const NAMES =
  /(?:^|[-_ ])(?:infobox|info-box|facts?|key-?facts|factbox|specs?|specifications?|properties|attributes|details|hours|opening-?hours|openingtimes|contact|address|adr|vcard|footnotes?|endnotes?|references|reflist|ingredients?|price|schedule|timetable)(?:[-_ ]|$)/i;
const ITEMPROP =
  /^(?:address|openingHours|telephone|email|price|startDate|endDate|location|ingredients|recipeIngredient|recipeInstructions)$/;

/** Whether an element's type is that of structured facts. Such elements are kept or removed as a whole, so that rows stay complete. */
export const isStructureByKind = (element: PageElement): boolean => STRUCTURES.has(element.localName);

/** Whether an element is named or marked by microdata as structured facts. */
export function isStructureByName(element: PageElement): boolean {
  if (ITEMPROP.test(element.getAttribute("itemprop") ?? "")) return true;
  return NAMES.test(`${element.getAttribute("class") ?? ""} ${element.getAttribute("id") ?? ""}`.slice(0, 1_000));
}

/** Whether an element is or contains such a structure. */
export function containsStructure(element: PageElement): boolean {
  if (isStructureByKind(element) || isStructureByName(element)) return getText(element) !== "";
  for (const child of element.childNodes) if (isElement(child) && containsStructure(child)) return true;
  return false;
}
