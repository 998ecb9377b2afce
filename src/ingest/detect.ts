import type { LinkKind } from "./extract/kind.ts";
import { looksLikeFeed, detectTypeByExtension } from "./formats/addresses.ts";
import { type Address, matchRules, parseAddress } from "./sites/address.ts";
import { SITES } from "./sites/registry.ts";
import type { Site } from "./sites/site.ts";

const SITES_WITH_HOSTS = SITES.filter(({ hosts }) => hosts !== "any");
const SITES_ON_ANY_HOST = SITES.filter(({ hosts }) => hosts === "any");

/** Returns the site that a link belongs to by its host. */
const findSite = (address: Address): Site | undefined =>
  SITES_WITH_HOSTS.find(
    ({ type, hosts, hostsPublishers = false, rules }) =>
      hosts !== "any" && hosts.test(address.host) && (!hostsPublishers || matchRules(type, rules, address) !== null),
  );

/** Returns the group of hosts that share a limit of concurrent requests: all hosts of a known site, otherwise the link's host alone. */
export function getHostGroup(url: URL): string {
  return findSite(parseAddress(url))?.type.toLowerCase() ?? url.host;
}

function matchSites(sites: readonly Site[], address: Address): LinkKind | null {
  for (const { type, rules } of sites) {
    const kind = matchRules(type, rules, address);
    if (kind) return kind;
  }
  return null;
}

/**
 * Detects the kind of a link by its address alone. An address that no rule matches is a `WEBSITE`. The id is the site's own, such as that
 * of a video or the path of a repository. Never throws.
 */
export function detectKind(url: URL): LinkKind {
  const address = parseAddress(url);
  const site = findSite(address);
  const kind = matchSites(site ? [site] : SITES_ON_ANY_HOST, address);
  if (kind) return kind;
  const byName = detectTypeByExtension(address.path);
  if (byName) return { type: byName };
  return { type: !site && looksLikeFeed(address) ? "FEED" : "WEBSITE" };
}
