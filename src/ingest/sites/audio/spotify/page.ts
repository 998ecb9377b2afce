import type { PageHead } from "../../../clean/head.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, getString, getValue } from "../../../read/json-access.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { formatDuration } from "../../../extract/feeds/feed-text.ts";

export const SERVICE = "Spotify";
export const ORIGIN = "https://open.spotify.com";

/** Maximum number of entries in an embedded list. */
const MAX_EMBEDDED_ENTRIES = 100;
const TRUNCATED = { code: "truncated", message: `Only the first ${MAX_EMBEDDED_ENTRIES} entries of the list could be read.` };

const findLargestImage = (images: readonly unknown[]): string | null =>
  getString(
    images.toSorted((a, b) => (getNumber(b, "maxWidth") ?? getNumber(b, "width") ?? 0) - (getNumber(a, "maxWidth") ?? 0))[0],
    "url",
  );

/** Converts a URI such as `spotify:show:ID` to a web address. Returns null for other URIs. */
function buildAddress(uri: string | null): string | null {
  const found = /^spotify:(show|artist|user|album):([\w.-]{1,100})$/.exec(uri ?? "");
  return found === null ? null : `${ORIGIN}/${found[1]}/${found[2]}`;
}

/** Reads the embedded player's data (`props.pageProps.state.data.entity` of `__NEXT_DATA__`). Returns null if it has no title. */
export function resultFromEmbed(data: unknown, subtype: string): PartialResult | null {
  const entity = getValue(data, "props", "pageProps", "state", "data", "entity");
  const type = getString(entity, "type");
  const title = getString(entity, "title") ?? getString(entity, "name");
  if (title === null) return null;
  const artists = getArray(entity, "artists").flatMap((artist) => getString(artist, "name") ?? []);
  const thumbnailUrl =
    findLargestImage(getArray(entity, "visualIdentity", "image")) ??
    findLargestImage(getArray(entity, "relatedEntityCoverArt")) ??
    findLargestImage(getArray(entity, "coverArt", "sources"));
  // A show's player contains its latest episode, whose subtitle is the show's name.
  if (subtype === "SHOW" && type === "episode") {
    return { title: getString(entity, "subtitle"), metadata: omitEmpty({ siteName: SERVICE, thumbnailUrl }) };
  }
  const milliseconds = getNumber(entity, "duration");
  const list = getArray(entity, "trackList");
  const lines = list.map((track, index) => {
    const duration = formatDuration((getNumber(track, "duration") ?? 0) / 1_000);
    return `${index + 1}. ${[getString(track, "title"), getString(track, "subtitle"), duration].filter(Boolean).join(" · ")}`;
  });
  return {
    title,
    text: lines.join("\n"),
    metadata: omitEmpty({
      siteName: SERVICE,
      author: artists.join(", ") || getString(entity, "subtitle"),
      authorUrl: buildAddress(getString(entity, "relatedEntityUri") ?? getString(entity, "artists", 0, "uri")),
      publishedAt: toIsoDate(getString(entity, "releaseDate", "isoString")),
      durationSeconds: milliseconds === null || milliseconds <= 0 ? null : Math.round(milliseconds / 1_000),
      thumbnailUrl,
    }),
    ...(list.length >= MAX_EMBEDDED_ENTRIES ? { warnings: [TRUNCATED] } : {}),
  };
}

/** The text that Spotify adds before a description, and the text that replaces a missing one. */
const DESCRIPTION_PREFIX = /^(?:Listen to .{1,500}? on Spotify\.|(?:Podcast|Audiobook|Playlist) · [^·]{1,300} ·)\s*/s;
const NO_DESCRIPTION = /^[^·\n]{1,300}(?: · [^·\n]{1,300}){0,4} · (?:episode|song|album|single|ep|podcast|audiobook|\d[^·\n]{0,40})\.?$/i;

/** Reads the page's head. The description, without Spotify's prefix, is the text if `hasDescription` (episodes, shows and books). */
export function resultFromPage(head: PageHead, address: string, hasDescription: boolean): PartialResult {
  const found = resultFromHead(head, address);
  const descriptions = [
    ...head.jsonLd.map((one) => getString(one, "description")),
    head.meta["description"] ?? null,
    head.meta["og:description"] ?? null,
    head.meta["twitter:description"] ?? null,
  ].flatMap((description) => {
    const text = description?.trim().replace(DESCRIPTION_PREFIX, "").trim() ?? "";
    return text === "" || NO_DESCRIPTION.test(text) || /^(?:Podcast|Episode|Playlist|Song|Album)\b.{0,60}$/i.test(text) ? [] : [text];
  });
  const seconds = Number(head.meta["music:duration"] ?? "NaN");
  return {
    title: found.title?.replace(/ \| Podcast on Spotify$| \| Spotify.*$/, "") ?? null,
    text: hasDescription ? (descriptions.toSorted((a, b) => b.length - a.length)[0] ?? null) : null,
    metadata: omitEmpty({
      ...found.metadata,
      siteName: SERVICE,
      durationSeconds: seconds > 0 ? seconds : null,
      publishedAt: toIsoDate(head.meta["music:release_date"]) ?? found.metadata?.publishedAt,
    }),
  };
}
