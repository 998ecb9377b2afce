import type { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { ageRestricted, isPrivate, membersOnly, notFound, regionLocked, sourceChanged } from "../../../extract/sources/errors.ts";
import { CAPTIONS_UNAVAILABLE, type CaptionTrack, languageTag, withCaptions } from "../../../extract/transcript/caption-tracks.ts";

const SERVICE = "Dailymotion";
const ORIGIN = "https://www.dailymotion.com";
const API = "https://api.dailymotion.com";
const FIELDS = "title,description,owner.screenname,owner.url,duration,created_time,thumbnail_720_url,language,views_total";
const MAX_WORDS = 20_000;

const videoAddress = (id: string): string => `${ORIGIN}/video/${id}`;

/** Descriptions are plain text with `<br />` tags. */
const textOf = (description: string | null): string | null =>
  description === null ? null : htmlToText(description.slice(0, MAX_WORDS).replace(/\r?\n/g, "<br>"));

function errorOf(text: string): unknown {
  try {
    return getValue(JSON.parse(text), "error");
  } catch {
    return null;
  }
}

/** Maps the API's `error`; `error_data.reason` is more specific than its type. */
const errorMapper =
  (what: string) =>
  (status: number, text: string): IngestError | null => {
    const error = errorOf(text);
    const message = [getString(error, "type"), getString(error, "error_data", "reason"), getString(error, "message")].join(" ");
    if (/geo|country|region/i.test(message)) return regionLocked(what);
    if (status === 404 && (error === null || /not_found|not exist|deleted/i.test(message))) return notFound(what);
    if (/private|password/i.test(message) || (status === 403 && /access_forbidden/.test(message))) return isPrivate(what);
    return null;
  };

/** Languages that end in `auto` are automatic captions. */
const trackOf = (language: string | null, address: string | null): CaptionTrack[] => {
  const url = URL.parse(address ?? "", ORIGIN);
  if (url === null || address === null) return [];
  return [{ url: url.href, language: language?.replace(/[-_]auto$/i, "") ?? null, isAutomatic: /auto$/i.test(language ?? "") }];
};

const positive = (seconds: number | null): number | null => (seconds !== null && seconds > 0 ? seconds : null);
const dateOf = (seconds: number | null): string | null => toIsoDate(seconds === null ? null : String(seconds));

/** The public API (developers.dailymotion.com): a video's fields. */
const api: Source = {
  name: "API",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const response = await fetchJson(context, {
      service: SERVICE,
      url: `${API}/video/${id}?fields=${FIELDS}`,
      mapError: errorMapper("This video"),
    });
    const title = getString(response, "title");
    if (title === null) throw sourceChanged(SERVICE);
    const language = languageTag(getString(response, "language"));
    const metadata: TileMetadata = omitEmpty({
      author: getString(response, "owner.screenname"),
      authorUrl: getString(response, "owner.url"),
      siteName: SERVICE,
      durationSeconds: positive(getNumber(response, "duration")),
      publishedAt: dateOf(getNumber(response, "created_time")),
      thumbnailUrl: getString(response, "thumbnail_720_url"),
      language,
      canonicalUrl: videoAddress(id),
      stats: validCounts({ views: getNumber(response, "views_total") }),
    });
    return { title, text: textOf(getString(response, "description")), metadata };
  },
};

const subtitles: Source = {
  name: "subtitles",
  run: async (context, partial) => {
    const url = `${API}/video/${context.kind.id ?? ""}/subtitles?fields=language,url`;
    const tracks = getArray(await fetchJson(context, { service: SERVICE, url }), "list").flatMap((one) =>
      trackOf(getString(one, "language"), getString(one, "url")),
    );
    // This list lacks some automatic captions, which the player's list has.
    if (tracks.length === 0) return null;
    return withCaptions(context, {}, { service: SERVICE, tracks, spoken: partial.metadata?.language ?? null });
  },
};

/** Throws for the player's `error`: `DM007` is a blocked country, `DM010` a password; others are recognised by their text. */
function throwPlayerError(response: unknown): void {
  const error = getValue(response, "error");
  if (error === undefined || error === null) return;
  const message = [getString(error, "code"), getString(error, "type"), getString(error, "title"), getString(error, "raw_message")].join(
    " ",
  );
  if (/DM007|geo|country|region/i.test(message)) throw regionLocked("This video");
  if (/DM010|private|password/i.test(message)) throw isPrivate("This video");
  if (/explicit|\bage\b|sensitive/i.test(message)) throw ageRestricted("This video");
  if (/subscri|paid|purchase/i.test(message)) throw membersOnly("This video");
  if (/deleted|not (?:be )?found|not exist|removed|rejected/i.test(message)) throw notFound("This video");
  throw sourceChanged(SERVICE);
}

/** The player's own metadata request. */
const player: Source = {
  name: "player",
  run: async (context, partial) => {
    const id = context.kind.id ?? "";
    const url = `${ORIGIN}/player/metadata/video/${id}?app=com.dailymotion.neon`;
    const response = await fetchJson(context, { service: SERVICE, url });
    throwPlayerError(response);
    const title = getString(response, "title");
    if (title === null) throw sourceChanged(SERVICE);
    const found: PartialResult = {
      title,
      metadata: omitEmpty({
        author: getString(response, "owner", "screenname"),
        authorUrl: getString(response, "owner", "url"),
        siteName: SERVICE,
        durationSeconds: positive(getNumber(response, "duration")),
        publishedAt: dateOf(getNumber(response, "created_time")),
        canonicalUrl: videoAddress(id),
      }),
    };
    const data = getValue(response, "subtitles", "data");
    const tracks = Object.keys(data !== null && typeof data === "object" ? data : {})
      .slice(0, 200)
      .flatMap((language) => trackOf(language, getString(data, language, "urls", 0)));
    return withCaptions(context, found, { service: SERVICE, tracks, spoken: partial.metadata?.language ?? null });
  },
};

const oembed: Source = {
  name: "oEmbed",
  run: async (context, partial) => {
    if (partial.title) return null;
    const mapError = (status: number): IngestError | null => (status === 404 ? notFound("This video") : null);
    const address = videoAddress(context.kind.id ?? "");
    const found = await fetchOembed(context, { service: SERVICE, endpoint: `${ORIGIN}/services/oembed`, mapError }, address);
    return { ...found, text: textOf(found.text ?? null), metadata: { ...found.metadata, siteName: SERVICE, canonicalUrl: address } };
  },
};

/** A video: its description and captions. */
export const videoReader: SiteReader = {
  name: "video",
  subtypes: ["VIDEO"],
  missing: CAPTIONS_UNAVAILABLE,
  sources: [api, subtitles, player, oembed],
};

const MAX_VIDEOS = 100;

async function listVideos(context: ExtractContext, id: string): Promise<{ lines: readonly string[]; hasMore: boolean }> {
  const url = `${API}/playlist/${id}/videos?fields=title,owner.screenname&limit=${MAX_VIDEOS}`;
  const response = await fetchJson(context, { service: SERVICE, url });
  const lines = getArray(response, "list").flatMap((video) => {
    const title = getString(video, "title");
    return title === null ? [] : [[title, getString(video, "owner.screenname")].filter((part) => part !== null).join(" · ")];
  });
  return { lines: lines.slice(0, MAX_VIDEOS), hasMore: getValue(response, "has_more") === true };
}

const playlistApi: Source = {
  name: "API",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const url = `${API}/playlist/${id}?fields=name,description,owner.screenname,videos_total`;
    const response = await fetchJson(context, { service: SERVICE, url, mapError: errorMapper("This playlist") });
    const title = getString(response, "name");
    if (title === null) throw sourceChanged(SERVICE);
    const { lines, hasMore } = await listVideos(context, id);
    const list = lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
    return {
      title,
      text: [textOf(getString(response, "description")), list].filter((part) => part !== null && part !== "").join("\n\n"),
      metadata: omitEmpty({
        author: getString(response, "owner.screenname"),
        siteName: SERVICE,
        canonicalUrl: `${ORIGIN}/playlist/${id}`,
        stats: validCounts({ videos: getNumber(response, "videos_total") ?? lines.length }),
      }),
      ...(hasMore ? { warnings: [{ code: "truncated", message: `Only the first ${MAX_VIDEOS} videos of the playlist are listed.` }] } : {}),
      isComplete: true,
    };
  },
};

/** A playlist becomes a tile that lists its videos. */
export const playlistReader: SiteReader = {
  name: "playlist",
  subtypes: ["PLAYLIST"],
  missing: { code: "thin_content", message: "The videos of this playlist could not be listed. Add the links of those that you need." },
  sources: [playlistApi],
};
