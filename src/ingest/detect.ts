import { looksLikeFeed, typeByExtension } from "./formats/addresses.ts";
import { type Family, type Kind, type Place, matchFamily } from "./sites/address.ts";
import { MASTODON, SOCIAL_FAMILIES } from "./sites/families-social.ts";
import { VIDEO_FAMILIES } from "./sites/families-video.ts";
import { WORK_FAMILIES } from "./sites/families-works.ts";

export type { Kind } from "./sites/address.ts";

const FAMILIES: readonly Family[] = [...VIDEO_FAMILIES, ...SOCIAL_FAMILIES, ...WORK_FAMILIES];

function decoded(path: string): string {
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
  return { host, path: decoded(url.pathname), query: url.searchParams };
}

/** Whose places a link takes while it is worked on: those of its service, under whatever of its names, or of its host. */
export function hostGroupOf(url: URL): string {
  const { host } = placeOf(url);
  return FAMILIES.find(({ hosts }) => hosts.test(host))?.type.toLowerCase() ?? url.host;
}

/**
 * The kind of thing an address leads to, told from the address alone. Never throws; an address that no table knows
 * is a `WEBSITE`. The id is the service's own (a video's, a post's, a repository's path).
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
