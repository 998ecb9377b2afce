/** Pages are divided into folds by site. */
export const FOLDS = 5;

/** Returns the site of an address: the last two labels of its host. */
export const getSite = (address: string): string => (URL.parse(address)?.hostname ?? address).split(".").slice(-2).join(".");

/** Returns the fold of a site, the same each time (FNV-1a). */
export function getFold(site: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < site.length; at++) hash = Math.imul(hash ^ site.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % FOLDS;
}
