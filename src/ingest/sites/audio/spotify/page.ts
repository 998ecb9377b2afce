import type { PageHead } from "../../../clean/head.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, getString, getValue } from "../../../read/json-access.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { formatDuration } from "../../../extract/feeds/feed-text.ts";

export const SERVICE = "Spotify";
export const ORIGIN = "https://open.spotify.com";

/** The maximum number of entries in an embedded list. */
const LIST_SHOWN = 100;
const TRUNCATED = { code: "truncated", message: `Only the first ${LIST_SHOWN} entries of the list could be read.` };

const largestImage = (images: readonly unknown[]): string | null =>
  getString(
    images.toSorted((a, b) => (getNumber(b, "maxWidth") ?? getNumber(b, "width") ?? 0) - (getNumber(a, "maxWidth") ?? 0))[0],
    "url",
  );

/** The web address of a URI such as `spotify:show:ID`. */
function addressOf(uri: string | null): string | null {
  const found = /^spotify:(show|artist|user|album):([\w.-]{1,100})$/.exec(uri ?? "");
  return found === null ? null : `${ORIGIN}/${found[1]}/${found[2]}`;
}

/** Reads the embedded player's data (`props.pageProps.state.data.entity` of `__NEXT_DATA__`); null where it has no title. */
export function resultFromEmbed(data: unknown, subtype: string): PartialResult | null {
  const entity = getValue(data, "props", "pageProps", "state", "data", "entity");
  const type = getString(entity, "type");
  const title = getString(entity, "title") ?? getString(entity, "name");
  if (title === null) return null;
  const artists = getArray(entity, "artists").flatMap((artist) => getString(artist, "name") ?? []);
  const thumbnailUrl =
    largestImage(getArray(entity, "visualIdentity", "image")) ??
    largestImage(getArray(entity, "relatedEntityCoverArt")) ??
    largestImage(getArray(entity, "coverArt", "sources"));
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
      authorUrl: addressOf(getString(entity, "relatedEntityUri") ?? getString(entity, "artists", 0, "uri")),
      publishedAt: toIsoDate(getString(entity, "releaseDate", "isoString")),
      durationSeconds: milliseconds === null || milliseconds <= 0 ? null : Math.round(milliseconds / 1_000),
      thumbnailUrl,
    }),
    ...(list.length >= LIST_SHOWN ? { warnings: [TRUNCATED] } : {}),
  };
}

/** What Spotify writes before a description, and what it writes where there is none. */
const LEAD = /^(?:Listen to .{1,500}? on Spotify\.|(?:Podcast|Audiobook|Playlist) · [^·]{1,300} ·)\s*/s;
const NO_WORDS = /^[^·\n]{1,300}(?: · [^·\n]{1,300}){0,4} · (?:episode|song|album|single|ep|podcast|audiobook|\d[^·\n]{0,40})\.?$/i;

/** Reads the page's head. Descriptions of episodes, shows and books follow a prefix of Spotify's own. */
export function resultFromPage(head: PageHead, address: string, hasWords: boolean): PartialResult {
  const found = resultFromHead(head, address);
  const words = [
    ...head.jsonLd.map((one) => getString(one, "description")),
    head.meta["description"] ?? null,
    head.meta["og:description"] ?? null,
    head.meta["twitter:description"] ?? null,
  ].flatMap((description) => {
    const text = description?.trim().replace(LEAD, "").trim() ?? "";
    return text === "" || NO_WORDS.test(text) || /^(?:Podcast|Episode|Playlist|Song|Album)\b.{0,60}$/i.test(text) ? [] : [text];
  });
  const seconds = Number(head.meta["music:duration"] ?? "NaN");
  return {
    title: found.title?.replace(/ \| Podcast on Spotify$| \| Spotify.*$/, "") ?? null,
    text: hasWords ? (words.toSorted((a, b) => b.length - a.length)[0] ?? null) : null,
    metadata: omitEmpty({
      ...found.metadata,
      siteName: SERVICE,
      durationSeconds: seconds > 0 ? seconds : null,
      publishedAt: toIsoDate(head.meta["music:release_date"]) ?? found.metadata?.publishedAt,
    }),
  };
}
