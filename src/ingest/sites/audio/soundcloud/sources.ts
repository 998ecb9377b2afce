import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, keepValidCounts, getString, getValue } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchPage } from "../../../extract/fetch/request.ts";
import { privateError, notFoundError } from "../../../extract/sources/errors.ts";
import { formatDuration } from "../../../extract/feeds/feed-text.ts";

const SERVICE = "SoundCloud";
const ORIGIN = "https://soundcloud.com";
const SUBJECTS: Readonly<Record<string, string>> = { TRACK: "This track", SET: "This playlist", PROFILE: "This profile" };
/** Whether the link is a short link, which has no subtype until it is followed. */
const isShort = ({ kind }: ExtractContext): boolean => kind.subtype === undefined;
const getSubject = ({ kind }: ExtractContext): string => SUBJECTS[kind.subtype ?? ""] ?? "This page";

/** Builds the address of a page. The last path segment of a private link is its key. */
const buildAddress = (context: ExtractContext): string => {
  const secret = /\/(s-\w{1,40})\/?$/.exec(context.url.pathname)?.[1];
  return `${ORIGIN}/${context.kind.id ?? ""}${secret === undefined ? "" : `/${secret}`}`;
};

/** Parses the entries of `window.__sc_hydration`; `hydratable` is the type of each. Returns none if they are invalid. */
function parseHydration(html: string): readonly unknown[] {
  const name = html.indexOf("__sc_hydration");
  const start = name < 0 ? -1 : html.indexOf("[", name);
  const end = start < 0 ? -1 : html.indexOf("</script", start);
  if (end < 0) return [];
  try {
    const value: unknown = JSON.parse(html.slice(start, html.lastIndexOf("]", end) + 1));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const formatTitles = (tracks: readonly unknown[]): string =>
  tracks
    .flatMap((track, index) => {
      const title = getString(track, "title");
      if (title === null) return [];
      const clock = formatDuration((getNumber(track, "full_duration") ?? getNumber(track, "duration") ?? 0) / 1_000);
      return [`${index + 1}. ${[title, getString(track, "user", "username"), clock].filter(Boolean).join(" · ")}`];
    })
    .join("\n");

/** Returns a track (`sound`), a set (`playlist`) or a person (`user`) from the page's embedded data. */
function resultFromData(data: unknown): PartialResult {
  const milliseconds = getNumber(data, "full_duration") ?? getNumber(data, "duration");
  const tracks = getArray(data, "tracks");
  const named = tracks.filter((track) => getString(track, "title") !== null).length;
  return {
    title: getString(data, "title") ?? getString(data, "username"),
    text: [getString(data, "description"), formatTitles(tracks)].filter(Boolean).join("\n\n"),
    metadata: omitEmpty({
      siteName: SERVICE,
      author: getString(data, "user", "full_name") ?? getString(data, "user", "username") ?? getString(data, "username"),
      authorUrl: getString(data, "user", "permalink_url"),
      publishedAt: toIsoDate(getString(data, "display_date") ?? getString(data, "created_at")),
      durationSeconds: milliseconds === null || milliseconds <= 0 ? null : Math.round(milliseconds / 1_000),
      thumbnailUrl: getString(data, "artwork_url") ?? getString(data, "avatar_url") ?? getString(data, "user", "avatar_url"),
      canonicalUrl: getString(data, "permalink_url")?.replace(/\/s-\w{1,40}$/, ""),
      stats: keepValidCounts({
        views: getNumber(data, "playback_count"),
        likes: getNumber(data, "likes_count"),
        comments: getNumber(data, "comment_count"),
        shares: getNumber(data, "reposts_count"),
        followers: getNumber(data, "followers_count"),
      }),
    }),
    isComplete: tracks.length > 0 && named === tracks.length,
  };
}

const page: ContentSource = {
  name: "page",
  run: async (context) => {
    const url = isShort(context) ? context.url : buildAddress(context);
    const response = await fetchPage(context, { service: SERVICE, url, acceptLanguage: "en" });
    if (isShort(context)) {
      // The target of a short link determines its kind.
      const kind = context.detectKind(response.url);
      if (kind.type !== "SOUNDCLOUD" || kind.subtype !== undefined) return { handOffTo: response.url, kind };
    }
    const wanted = { TRACK: "sound", SET: "playlist", PROFILE: "user" }[context.kind.subtype ?? ""];
    const data = getValue(
      parseHydration(response.text).find((one) => getString(one, "hydratable") === wanted),
      "data",
    );
    if (data !== undefined) return resultFromData(data);
    const head = await context.reader.head({ html: response.text, url: response.resource.url }, context.signal);
    const found = resultFromHead(head, response.resource.url);
    return { ...found, metadata: { ...found.metadata, siteName: SERVICE } };
  },
};

const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context) => {
    const { html: _html, ...found } = await fetchOembed(
      context,
      {
        service: SERVICE,
        endpoint: `${ORIGIN}/oembed?format=json`,
        mapError: (status) =>
          status === 404 ? notFoundError(getSubject(context)) : status === 401 || status === 403 ? privateError(getSubject(context)) : null,
      },
      buildAddress(context),
    );
    const by = ` by ${found.metadata?.author ?? ""}`;
    const title = found.title?.endsWith(by) ? found.title.slice(0, -by.length) : found.title;
    return {
      ...found,
      title: title || found.title || null,
      metadata: { ...found.metadata, canonicalUrl: buildAddress(context).replace(/\/s-\w+$/, "") },
    };
  },
};

const NO_TRANSCRIPT = {
  code: "no_transcript",
  message: "SoundCloud has no transcripts; only the description was kept. Paste the text you need, or configure speech to text.",
};

/** The page contains more about a track than oEmbed. */
const sources = [page, oembed];

export const readers: readonly SiteReader[] = [
  { name: "track", subtypes: ["TRACK"], missing: NO_TRANSCRIPT, sources },
  {
    name: "set",
    subtypes: ["SET"],
    missing: {
      code: "truncated",
      message: "Not all titles of this playlist could be read. Open it and paste the list, or add its tracks one by one.",
    },
    sources,
  },
  {
    name: "profile",
    subtypes: ["PROFILE"],
    missing: { code: "thin_content", message: "Only the description of this profile could be read. Add its tracks one by one." },
    sources,
  },
  // The kind of a short link is known only after it is followed.
  { name: "short link", missing: NO_TRANSCRIPT, sources: [page] },
];
