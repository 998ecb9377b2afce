import type { Kind } from "./extract/kind.ts";
import { looksLikeFeed, typeByExtension } from "./formats/addresses.ts";
import { type Address, matchRules, parseAddress } from "./sites/address.ts";
import { SITES } from "./sites/registry.ts";
import type { Site } from "./sites/site.ts";

const SITES_WITH_HOSTS = SITES.filter(({ hosts }) => hosts !== "any");
const SITES_ON_ANY_HOST = SITES.filter(({ hosts }) => hosts === "any");

/** The site that a link belongs to by its host. */
const findSite = (address: Address): Site | undefined =>
  SITES_WITH_HOSTS.find(
    ({ type, hosts, hostsPublishers = false, rules }) =>
      hosts !== "any" && hosts.test(address.host) && (!hostsPublishers || matchRules(type, rules, address) !== null),
  );

/** The name under which a link's requests are limited: its site's, whichever of the site's hosts it has, else its host. */
export function hostGroupOf(url: URL): string {
  return findSite(parseAddress(url))?.type.toLowerCase() ?? url.host;
}

function matchSites(sites: readonly Site[], address: Address): Kind | null {
  for (const { type, rules } of sites) {
    const kind = matchRules(type, rules, address);
    if (kind) return kind;
  }
  return null;
}

/**
 * The kind of a link, by its address alone. Never throws; an address that no rule matches is a `WEBSITE`. The id is the site's own
 * (a video's, a post's, a repository's path).
 */
export function detectKind(url: URL): Kind {
  const address = parseAddress(url);
  const site = findSite(address);
  const kind = matchSites(site ? [site] : SITES_ON_ANY_HOST, address);
  if (kind) return kind;
  const byName = typeByExtension(address.path);
  if (byName) return { type: byName };
  return { type: !site && looksLikeFeed(address) ? "FEED" : "WEBSITE" };
}
