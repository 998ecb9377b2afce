import { looksLikeFeed, typeByExtension } from "./formats/addresses.ts";
import { type Family, type Kind, type Place, matchFamily } from "./sites/address.ts";
import { MASTODON, SOCIAL_FAMILIES } from "./sites/families-social.ts";
import { VIDEO_FAMILIES } from "./sites/families-video.ts";
import { WORK_FAMILIES } from "./sites/families-works.ts";

export type { Kind } from "./sites/address.ts";

const FAMILIES: readonly Family[] = [...VIDEO_FAMILIES, ...SOCIAL_FAMILIES, ...WORK_FAMILIES];

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function placeOf(url: URL): Place {
  const host = url.hostname
    .toLowerCase()
    .replace(/(?<!\.)\.+$/, "")
    .replace(/^(?:(?:www|m|mobile)\.)+(?=[^.]+\.)/, "");
  return { host, path: decodePath(url.pathname), query: url.searchParams };
}

/** The group of hosts that share a concurrency limit: all hosts of a known service, otherwise the host itself. */
export function hostGroupOf(url: URL): string {
  const { host } = placeOf(url);
  return FAMILIES.find(({ hosts }) => hosts.test(host))?.type.toLowerCase() ?? url.host;
}

/**
 * Detects what kind of content an address leads to, from the address alone. Never throws; an unknown address is a `WEBSITE`.
 * The id of the kind is the service's own, such as that of a video or post, or the path of a repository.
 */
export function detectKind(url: URL): Kind {
  const place = placeOf(url);
  const family = FAMILIES.find((candidate) => candidate.hosts.test(place.host));
  const known = family ? matchFamily(family, place) : matchFamily(MASTODON, place);
  if (known) return known;
  const byName = typeByExtension(place.path);
  if (byName) return { type: byName };
  return { type: !family && looksLikeFeed(place) ? "FEED" : "WEBSITE" };
}
