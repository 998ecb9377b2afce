import type { SetPage } from "../../quality/data.ts";
import type { StructurePage } from "../../quality/structure/pages.ts";

/** Pages are divided into folds by site. */
export const FOLDS = 5;

type AnyPage = SetPage | StructurePage;

/** Returns the site of a page: the last two labels of its host. The site of a composed page is its content. */
export const getSite = (page: AnyPage): string =>
  "content" in page ? page.content.name : (URL.parse(page.url)?.hostname ?? page.url).split(".").slice(-2).join(".");

/** Returns the fold of a site, the same each time (FNV-1a). */
export function getFold(site: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < site.length; at++) hash = Math.imul(hash ^ site.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % FOLDS;
}

/** The folds of a page. A composed page has two: that of its content and that of its layout, both of which other pages have too. */
const listFolds = (page: AnyPage): readonly number[] => ("content" in page ? [getSite(page), page.layout] : [getSite(page)]).map(getFold);

/** Whether nothing of a page is in a fold, so that a model which is measured on that fold may be fitted to the page. */
export const isOutside = (page: AnyPage, fold: number): boolean => !listFolds(page).includes(fold);

/** Whether everything of a page is in a fold. */
export const isInside = (page: AnyPage, fold: number): boolean => listFolds(page).every((one) => one === fold);
