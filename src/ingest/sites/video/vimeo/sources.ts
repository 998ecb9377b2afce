import { IngestError } from "#domain/content/job.ts";
import { normaliseLanguageTag } from "../../../clean/text.ts";
import { getValue, omitEmpty, getArray, getNumber, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { privateError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { CAPTIONS_UNAVAILABLE, type CaptionTrack, withCaptions } from "../../../extract/transcript/caption-tracks.ts";

const SERVICE = "Vimeo";
const ORIGIN = "https://vimeo.com";
const PLAYER = "https://player.vimeo.com";

type Video = {
  readonly id: string;
  /** The key of an unlisted video: a path segment, or `h` in the query of a player's address. */
  readonly hash: string | null;
  /** Events have their own numbers, which the player does not accept. */
  readonly isEvent: boolean;
};

/** Returns the video in the address; within a showcase it follows the showcase's number. */
function parseVideo({ url, kind }: ExtractContext): Video {
  const inShowcase = /^\/(?:showcase|album)\/\d+\/video\/(\d+)/.exec(url.pathname)?.[1];
  const key = url.searchParams.get("h") ?? "";
  const inPath = /^\/(?:video\/)?\d+\/([0-9a-f]{6,20})\/?$/.exec(url.pathname)?.[1] ?? null;
  return {
    id: inShowcase ?? kind.id ?? "",
    hash: /^[0-9a-f]{6,20}$/.test(key) ? key : inPath,
    isEvent: url.pathname.startsWith("/event/"),
  };
}

const buildAddress = ({ id, hash, isEvent }: Video): string =>
  isEvent ? `${ORIGIN}/event/${id}` : `${ORIGIN}/${id}${hash === null ? "" : `/${hash}`}`;

/** Not permanent: if embedding is disabled (403) or the video is unlisted (404), the player may still show it. */
const notEmbeddableError = (status: number): IngestError =>
  new IngestError(
    status === 404 ? "not_found" : "private",
    "Vimeo does not show this video: it is private, deleted or may not be embedded. Check the link, or paste its text.",
    { stage: "fetch" },
  );

const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context) => {
    const mapError = (status: number): IngestError | null => (status === 403 || status === 404 ? notEmbeddableError(status) : null);
    const address = buildAddress(parseVideo(context));
    const found = await fetchOembed(context, { service: SERVICE, endpoint: `${ORIGIN}/api/oembed.json`, mapError }, address);
    return { ...found, metadata: { ...found.metadata, siteName: SERVICE, canonicalUrl: address } };
  },
};

/** Throws the player's error: privacy settings, a password (`view` 4), or a missing video. */
function throwPlayerError(response: unknown): void {
  const message = [getString(response, "title"), getString(response, "message")].join(" ");
  if (getNumber(response, "view") === 4 || /privacy|private|password|not have permission/i.test(message)) throw privateError("This video");
  if (/not (?:be )?found|does(?:n.t| not) exist|deleted|removed/i.test(message)) throw notFoundError("This video");
}

function mapPlayerError(status: number, text: string): IngestError | null {
  if (status !== 403 && status !== 404 && status !== 410 && status !== 401) return null;
  try {
    throwPlayerError(JSON.parse(text));
  } catch (error) {
    if (error instanceof IngestError) return error;
  }
  // The same message may come as HTML.
  if (/because of its privacy settings/i.test(text.slice(0, 60_000))) return privateError("This video");
  return status === 404 || status === 410 ? notFoundError("This video") : null;
}

/** Lists the text tracks. Their addresses are relative to the player; automatic ones are marked in their language or label. */
const listTracks = (response: unknown): CaptionTrack[] =>
  getArray(response, "request", "text_tracks").flatMap((entry) => {
    const url = URL.parse(getString(entry, "url") ?? "", PLAYER);
    const lang = getString(entry, "lang");
    const isAutomatic = /autogen/i.test(lang ?? "") || /auto-?generated/i.test(getString(entry, "label") ?? "");
    return url === null || getString(entry, "url") === null
      ? []
      : [{ url: url.href, language: lang?.replace(/-x-.*$/, "") ?? null, isAutomatic }];
  });

/** Returns the address of the widest thumbnail, otherwise that of `base`. */
function findThumbnail(response: unknown): string | null {
  const thumbs = getValue(response, "video", "thumbs");
  const widths = Object.keys(thumbs !== null && typeof thumbs === "object" ? thumbs : {}).filter((key) => /^\d{1,5}$/.test(key));
  const largest = widths.toSorted((a, b) => Number(b) - Number(a))[0];
  return (
    (largest === undefined ? null : getString(thumbs, largest)) ??
    getString(thumbs, "base") ??
    getString(response, "video", "thumbnail_url")
  );
}

const player: ContentSource = {
  name: "player",
  run: async (context, partial) => {
    const video = parseVideo(context);
    if (video.isEvent) return null;
    const url = new URL(`${PLAYER}/video/${video.id}/config`);
    if (video.hash !== null) url.searchParams.set("h", video.hash);
    const response = await fetchJson(context, { service: SERVICE, url, mapError: mapPlayerError });
    const title = getString(response, "video", "title");
    if (title === null) {
      throwPlayerError(response);
      throw sourceChangedError(SERVICE);
    }
    const seconds = getNumber(response, "video", "duration");
    const language = normaliseLanguageTag(getString(response, "video", "lang"));
    const found: PartialResult = {
      title,
      metadata: omitEmpty({
        author: getString(response, "video", "owner", "name"),
        authorUrl: getString(response, "video", "owner", "url"),
        siteName: SERVICE,
        durationSeconds: seconds !== null && seconds > 0 ? seconds : null,
        thumbnailUrl: partial.metadata?.thumbnailUrl ?? findThumbnail(response),
        language,
        canonicalUrl: buildAddress(video),
      }),
    };
    return withCaptions(context, found, { service: SERVICE, tracks: listTracks(response), spoken: language });
  },
};

const page: ContentSource = {
  name: "page",
  run: async (context, partial) => {
    if (partial.title) return null;
    const url = context.kind.subtype === "VIDEO" ? buildAddress(parseVideo(context)) : context.url;
    const { head, resource } = await fetchHead(context, { service: SERVICE, url });
    const found = resultFromHead(head, resource.url);
    if (head.meta["og:title"] === undefined) throw sourceChangedError(SERVICE);
    // Every title ends with the site's name.
    const title = found.title?.replace(/ (?:on|\|) Vimeo$/, "") ?? null;
    return { ...found, title, metadata: { ...found.metadata, siteName: SERVICE } };
  },
};

/** A video: its description and captions. */
export const videoReader: SiteReader = {
  name: "video",
  subtypes: ["VIDEO"],
  missing: CAPTIONS_UNAVAILABLE,
  sources: [oembed, player, page],
};

/** Reads showcases and accounts: only the title and description of the page. */
export const showcaseReader: SiteReader = {
  name: "showcase",
  subtypes: ["SHOWCASE", "PROFILE"],
  missing: { code: "thin_content", message: "Vimeo shows only part of this page. Add the links of the videos that you need." },
  sources: [page],
};
