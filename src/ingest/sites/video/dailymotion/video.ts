import type { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { normaliseLanguageTag } from "../../../clean/text.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import {
  ageRestrictedError,
  privateError,
  membersOnlyError,
  notFoundError,
  regionLockedError,
  sourceChangedError,
} from "../../../extract/sources/errors.ts";
import { CAPTIONS_UNAVAILABLE, type CaptionTrack, withCaptions } from "../../../extract/transcript/caption-tracks.ts";
import { API, createErrorMapper, ORIGIN, SERVICE, toText } from "./api.ts";

const FIELDS = "title,description,owner.screenname,owner.url,duration,created_time,thumbnail_720_url,language,views_total";
const buildVideoAddress = (id: string): string => `${ORIGIN}/video/${id}`;

/** Languages that end in `auto` are automatic captions. */
const toTracks = (language: string | null, address: string | null): CaptionTrack[] => {
  const url = URL.parse(address ?? "", ORIGIN);
  if (url === null || address === null) return [];
  return [{ url: url.href, language: language?.replace(/[-_]auto$/i, "") ?? null, isAutomatic: /auto$/i.test(language ?? "") }];
};

const toPositive = (seconds: number | null): number | null => (seconds !== null && seconds > 0 ? seconds : null);
const toDate = (seconds: number | null): string | null => toIsoDate(seconds === null ? null : String(seconds));

/** The public API (developers.dailymotion.com): a video's fields. */
const api: ContentSource = {
  name: "API",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const response = await fetchJson(context, {
      service: SERVICE,
      url: `${API}/video/${id}?fields=${FIELDS}`,
      mapError: createErrorMapper("This video"),
    });
    const title = getString(response, "title");
    if (title === null) throw sourceChangedError(SERVICE);
    const language = normaliseLanguageTag(getString(response, "language"));
    const metadata: TileMetadata = omitEmpty({
      author: getString(response, "owner.screenname"),
      authorUrl: getString(response, "owner.url"),
      siteName: SERVICE,
      durationSeconds: toPositive(getNumber(response, "duration")),
      publishedAt: toDate(getNumber(response, "created_time")),
      thumbnailUrl: getString(response, "thumbnail_720_url"),
      language,
      canonicalUrl: buildVideoAddress(id),
      stats: keepValidCounts({ views: getNumber(response, "views_total") }),
    });
    return { title, text: toText(getString(response, "description")), metadata };
  },
};

const subtitles: ContentSource = {
  name: "subtitles",
  run: async (context, partial) => {
    const url = `${API}/video/${context.kind.id ?? ""}/subtitles?fields=language,url`;
    const tracks = getArray(await fetchJson(context, { service: SERVICE, url }), "list").flatMap((one) =>
      toTracks(getString(one, "language"), getString(one, "url")),
    );
    // The API omits some automatic captions; the player lists them.
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
  if (/DM007|geo|country|region/i.test(message)) throw regionLockedError("This video");
  if (/DM010|private|password/i.test(message)) throw privateError("This video");
  if (/explicit|\bage\b|sensitive/i.test(message)) throw ageRestrictedError("This video");
  if (/subscri|paid|purchase/i.test(message)) throw membersOnlyError("This video");
  if (/deleted|not (?:be )?found|not exist|removed|rejected/i.test(message)) throw notFoundError("This video");
  throw sourceChangedError(SERVICE);
}

/** The player's own metadata request. */
const player: ContentSource = {
  name: "player",
  run: async (context, partial) => {
    const id = context.kind.id ?? "";
    const url = `${ORIGIN}/player/metadata/video/${id}?app=com.dailymotion.neon`;
    const response = await fetchJson(context, { service: SERVICE, url });
    throwPlayerError(response);
    const title = getString(response, "title");
    if (title === null) throw sourceChangedError(SERVICE);
    const found: PartialResult = {
      title,
      metadata: omitEmpty({
        author: getString(response, "owner", "screenname"),
        authorUrl: getString(response, "owner", "url"),
        siteName: SERVICE,
        durationSeconds: toPositive(getNumber(response, "duration")),
        publishedAt: toDate(getNumber(response, "created_time")),
        canonicalUrl: buildVideoAddress(id),
      }),
    };
    const data = getValue(response, "subtitles", "data");
    const tracks = Object.keys(data !== null && typeof data === "object" ? data : {})
      .slice(0, 200)
      .flatMap((language) => toTracks(language, getString(data, language, "urls", 0)));
    return withCaptions(context, found, { service: SERVICE, tracks, spoken: partial.metadata?.language ?? null });
  },
};

const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context, partial) => {
    if (partial.title) return null;
    const mapError = (status: number): IngestError | null => (status === 404 ? notFoundError("This video") : null);
    const address = buildVideoAddress(context.kind.id ?? "");
    const found = await fetchOembed(context, { service: SERVICE, endpoint: `${ORIGIN}/services/oembed`, mapError }, address);
    return { ...found, text: toText(found.text ?? null), metadata: { ...found.metadata, siteName: SERVICE, canonicalUrl: address } };
  },
};

/** A video: its description and captions. */
export const videoReader: SiteReader = {
  name: "video",
  subtypes: ["VIDEO"],
  missing: CAPTIONS_UNAVAILABLE,
  sources: [api, subtitles, player, oembed],
};
