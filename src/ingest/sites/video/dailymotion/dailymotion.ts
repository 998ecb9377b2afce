import type { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import { chain, type PartialResult, type Step } from "../../../extract/sources.ts";
import { askOembed } from "../../../extract/fetch/oembed.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { ageRestricted, isPrivate, membersOnly, notFound, regionLocked, sourceChanged } from "../../../extract/errors.ts";
import { CAPTIONS_MISSED, type CaptionTrack, languageTag, withCaptions } from "../../../extract/transcript/caption-tracks.ts";

const SERVICE = "Dailymotion";
const ORIGIN = "https://www.dailymotion.com";
const API = "https://api.dailymotion.com";
const FIELDS = "title,description,owner.screenname,owner.url,duration,created_time,thumbnail_720_url,language,views_total";
const MAX_WORDS = 20_000;

const videoAddress = (id: string): string => `${ORIGIN}/video/${id}`;

/** Descriptions are plain words with `<br />` among them. */
const wordsOf = (description: string | null): string | null =>
  description === null ? null : htmlToText(description.slice(0, MAX_WORDS).replace(/\r?\n/g, "<br>"));

function errorOf(text: string): unknown {
  try {
    return getValue(JSON.parse(text), "error");
  } catch {
    return null;
  }
}

/** What the API's `error` says; its `error_data.reason` is finer than its type. */
const refusalOf =
  (what: string) =>
  (status: number, text: string): IngestError | null => {
    const error = errorOf(text);
    const said = [getString(error, "type"), getString(error, "error_data", "reason"), getString(error, "message")].join(" ");
    if (/geo|country|region/i.test(said)) return regionLocked(what);
    if (status === 404 && (error === null || /not_found|not exist|deleted/i.test(said))) return notFound(what);
    if (/private|password/i.test(said) || (status === 403 && /access_forbidden/.test(said))) return isPrivate(what);
    return null;
  };

/** Names of languages that end in `auto` are what a machine heard. */
const trackOf = (language: string | null, address: string | null): CaptionTrack[] => {
  const url = URL.parse(address ?? "", ORIGIN);
  if (url === null || address === null) return [];
  return [{ url: url.href, language: language?.replace(/[-_]auto$/i, "") ?? null, isAutomatic: /auto$/i.test(language ?? "") }];
};

const positive = (seconds: number | null): number | null => (seconds !== null && seconds > 0 ? seconds : null);
const dateOf = (seconds: number | null): string | null => toIsoDate(seconds === null ? null : String(seconds));

/** The public API (developers.dailymotion.com): a video's fields, and the list of its subtitle files. */
const api: Step = {
  name: "API",
  take: async (context) => {
    const id = context.kind.id ?? "";
    const answer = await fetchJson(context, {
      service: SERVICE,
      url: `${API}/video/${id}?fields=${FIELDS}`,
      refusal: refusalOf("This video"),
    });
    const title = getString(answer, "title");
    if (title === null) throw sourceChanged(SERVICE);
    const language = languageTag(getString(answer, "language"));
    const metadata: TileMetadata = omitEmpty({
      author: getString(answer, "owner.screenname"),
      authorUrl: getString(answer, "owner.url"),
      siteName: SERVICE,
      durationSeconds: positive(getNumber(answer, "duration")),
      publishedAt: dateOf(getNumber(answer, "created_time")),
      thumbnailUrl: getString(answer, "thumbnail_720_url"),
      language,
      canonicalUrl: videoAddress(id),
      stats: validCounts({ views: getNumber(answer, "views_total") }),
    });
    return { title, text: wordsOf(getString(answer, "description")), metadata };
  },
};

const subtitles: Step = {
  name: "subtitles",
  take: async (context, soFar) => {
    const url = `${API}/video/${context.kind.id ?? ""}/subtitles?fields=language,url`;
    const tracks = getArray(await fetchJson(context, { service: SERVICE, url }), "list").flatMap((one) =>
      trackOf(getString(one, "language"), getString(one, "url")),
    );
    // What a machine heard is not always in this list; the player's has it.
    if (tracks.length === 0) return null;
    return withCaptions(context, {}, { service: SERVICE, tracks, spoken: soFar.metadata?.language ?? null });
  },
};

/** Codes of the player's `error`: `DM007` is a country that is barred, `DM010` a password, the others tell by their words. */
function refusePlayer(answer: unknown): void {
  const error = getValue(answer, "error");
  if (error === undefined || error === null) return;
  const said = [getString(error, "code"), getString(error, "type"), getString(error, "title"), getString(error, "raw_message")].join(" ");
  if (/DM007|geo|country|region/i.test(said)) throw regionLocked("This video");
  if (/DM010|private|password/i.test(said)) throw isPrivate("This video");
  if (/explicit|\bage\b|sensitive/i.test(said)) throw ageRestricted("This video");
  if (/subscri|paid|purchase/i.test(said)) throw membersOnly("This video");
  if (/deleted|not (?:be )?found|not exist|removed|rejected/i.test(said)) throw notFound("This video");
  throw sourceChanged(SERVICE);
}

/** What the player asks for before it plays. */
const player: Step = {
  name: "player",
  take: async (context, soFar) => {
    const id = context.kind.id ?? "";
    const url = `${ORIGIN}/player/metadata/video/${id}?app=com.dailymotion.neon`;
    const answer = await fetchJson(context, { service: SERVICE, url });
    refusePlayer(answer);
    const title = getString(answer, "title");
    if (title === null) throw sourceChanged(SERVICE);
    const found: PartialResult = {
      title,
      metadata: omitEmpty({
        author: getString(answer, "owner", "screenname"),
        authorUrl: getString(answer, "owner", "url"),
        siteName: SERVICE,
        durationSeconds: positive(getNumber(answer, "duration")),
        publishedAt: dateOf(getNumber(answer, "created_time")),
        canonicalUrl: videoAddress(id),
      }),
    };
    const data = getValue(answer, "subtitles", "data");
    const tracks = Object.keys(data !== null && typeof data === "object" ? data : {})
      .slice(0, 200)
      .flatMap((language) => trackOf(language, getString(data, language, "urls", 0)));
    return withCaptions(context, found, { service: SERVICE, tracks, spoken: soFar.metadata?.language ?? null });
  },
};

const oembed: Step = {
  name: "oEmbed",
  take: async (context, soFar) => {
    if (soFar.title) return null;
    const refusal = (status: number): IngestError | null => (status === 404 ? notFound("This video") : null);
    const address = videoAddress(context.kind.id ?? "");
    const found = await askOembed(context, { service: SERVICE, endpoint: `${ORIGIN}/services/oembed`, refusal }, address);
    return { ...found, text: wordsOf(found.text ?? null), metadata: { ...found.metadata, siteName: SERVICE, canonicalUrl: address } };
  },
};

/** A video: its description and the words of its subtitles with their times. */
export const dailymotionVideo: Extractor = {
  name: "dailymotion-video",
  accepts: ({ type, subtype, id }) => type === "DAILYMOTION" && id !== undefined && subtype === "VIDEO",
  extract: chain({ missing: CAPTIONS_MISSED, steps: [api, subtitles, player, oembed] }),
};

const MAX_VIDEOS = 100;

async function listVideos(context: ExtractContext, id: string): Promise<{ lines: readonly string[]; hasMore: boolean }> {
  const url = `${API}/playlist/${id}/videos?fields=title,owner.screenname&limit=${MAX_VIDEOS}`;
  const answer = await fetchJson(context, { service: SERVICE, url });
  const lines = getArray(answer, "list").flatMap((video) => {
    const title = getString(video, "title");
    return title === null ? [] : [[title, getString(video, "owner.screenname")].filter((part) => part !== null).join(" · ")];
  });
  return { lines: lines.slice(0, MAX_VIDEOS), hasMore: getValue(answer, "has_more") === true };
}

const playlistApi: Step = {
  name: "API",
  take: async (context) => {
    const id = context.kind.id ?? "";
    const url = `${API}/playlist/${id}?fields=name,description,owner.screenname,videos_total`;
    const answer = await fetchJson(context, { service: SERVICE, url, refusal: refusalOf("This playlist") });
    const title = getString(answer, "name");
    if (title === null) throw sourceChanged(SERVICE);
    const { lines, hasMore } = await listVideos(context, id);
    const list = lines.map((line, place) => `${place + 1}. ${line}`).join("\n");
    return {
      title,
      text: [wordsOf(getString(answer, "description")), list].filter((part) => part !== null && part !== "").join("\n\n"),
      metadata: omitEmpty({
        author: getString(answer, "owner.screenname"),
        siteName: SERVICE,
        canonicalUrl: `${ORIGIN}/playlist/${id}`,
        stats: validCounts({ videos: getNumber(answer, "videos_total") ?? lines.length }),
      }),
      ...(hasMore ? { warnings: [{ code: "truncated", message: `Only the first ${MAX_VIDEOS} videos of the playlist are listed.` }] } : {}),
      isWhole: true,
    };
  },
};

/** A playlist becomes a tile that lists its videos. */
export const dailymotionPlaylist: Extractor = {
  name: "dailymotion-playlist",
  accepts: ({ type, subtype, id }) => type === "DAILYMOTION" && id !== undefined && subtype === "PLAYLIST",
  extract: chain({
    missing: { code: "thin_content", message: "The videos of this playlist could not be listed. Add the links of those that you need." },
    steps: [playlistApi],
  }),
};
