import type { SetPage } from "../../quality/data.ts";
import type { StructurePage } from "../../quality/structure/pages.ts";

/** Pages are divided into folds by site. */
export const FOLDS = 5;

/**
 * Returns the site of a page: the last two labels of its host. The site of a composed page is its content, so that no facts are in two folds;
 * its layout is that of pages in other folds.
 */
export const getSite = (page: SetPage | StructurePage): string =>
  "content" in page ? page.content.name : (URL.parse(page.url)?.hostname ?? page.url).split(".").slice(-2).join(".");

/** Returns the fold of a site, the same each time (FNV-1a). */
export function getFold(site: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < site.length; at++) hash = Math.imul(hash ^ site.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % FOLDS;
}
