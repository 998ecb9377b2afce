import { toIsoDate } from "../../../clean/dates.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseAssignedJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchJson, fetchPage } from "../../../extract/fetch/request.ts";
import { omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import { privateError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { type Client, CLIENTS } from "./clients.ts";
import { resultFromPlayer, ORIGIN, SERVICE } from "./player.ts";
import { ytdlp } from "./yt-dlp.ts";

const getId = ({ kind }: ExtractContext): string => kind.id ?? "";
const buildWatchAddress = (id: string): string => `${ORIGIN}/watch?v=${encodeURIComponent(id)}`;

async function fetchPlayer(context: ExtractContext, client: Client): Promise<PartialResult> {
  const { name, number, ...version } = client;
  const response = await fetchJson(context, {
    service: SERVICE,
    url: `${ORIGIN}/youtubei/v1/player?prettyPrint=false`,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-youtube-client-name": String(number),
      "x-youtube-client-version": version.clientVersion,
    },
    body: JSON.stringify({
      context: { client: { clientName: name, ...version, hl: "en", gl: "US" } },
      videoId: getId(context),
      contentCheckOk: true,
      racyCheckOk: true,
    }),
  });
  return resultFromPlayer(context, response);
}

/** Calls the player API as each configured client in turn, because some get empty captions and some a bot check. */
const playerSources: readonly ContentSource[] = Array.from({ length: 8 }, (_, index) => ({
  name: "player",
  setting: "YOUTUBE_CLIENTS",
  run: async (context) => {
    const name = context.settings.youtubeClients[index];
    const client = CLIENTS.find((one) => one.name === name);
    return client === undefined ? null : fetchPlayer(context, client);
  },
}));

const watchPage: ContentSource = {
  name: "watch page",
  run: async (context) => {
    const response = await fetchPage(context, {
      service: SERVICE,
      url: `${buildWatchAddress(getId(context))}&hl=en`,
      acceptLanguage: "en",
    });
    const player = parseAssignedJson(response.text, "ytInitialPlayerResponse");
    if (player !== null) return resultFromPlayer(context, player);
    const head = resultFromHead(
      await context.reader.head({ html: response.text, url: response.resource.url }, context.signal),
      response.resource.url,
    );
    if (!head.metadata?.thumbnailUrl) throw sourceChangedError(SERVICE);
    return head;
  },
};

/** Parses an ISO 8601 duration (`PT1H2M3S`) into seconds. */
function parseDuration(duration: string | null): number | null {
  const found = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration ?? "");
  if (found === null) return null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = found;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds) || null;
}

/** YouTube Data API v3, `videos.list`, with the operator's key; it has no captions. */
const dataApi: ContentSource = {
  name: "Data API",
  setting: "YOUTUBE_API_KEY",
  run: async (context) => {
    const key = context.settings.youtubeApiKey;
    if (key === "") return null;
    const url = new URL("https://www.googleapis.com/youtube/v3/videos?part=snippet,contentDetails,statistics");
    url.searchParams.set("id", getId(context));
    const response = await fetchJson(context, { service: SERVICE, url, headers: { "x-goog-api-key": key } });
    const [item] = getArray(response, "items");
    if (item === undefined) throw notFoundError("This video");
    return {
      title: getString(item, "snippet", "title"),
      text: getString(item, "snippet", "description"),
      metadata: omitEmpty({
        author: getString(item, "snippet", "channelTitle"),
        authorUrl: getString(item, "snippet", "channelId") && `${ORIGIN}/channel/${getString(item, "snippet", "channelId")}`,
        siteName: SERVICE,
        publishedAt: toIsoDate(getString(item, "snippet", "publishedAt")),
        durationSeconds: parseDuration(getString(item, "contentDetails", "duration")),
        thumbnailUrl: getString(item, "snippet", "thumbnails", "high", "url"),
        language: getString(item, "snippet", "defaultAudioLanguage"),
        canonicalUrl: buildWatchAddress(getId(context)),
        stats: keepValidCounts({
          views: getNumber(item, "statistics", "viewCount"),
          likes: getNumber(item, "statistics", "likeCount"),
          comments: getNumber(item, "statistics", "commentCount"),
        }),
      }),
    };
  },
};

const oembed: ContentSource = {
  name: "oEmbed",
  run: (context) =>
    fetchOembed(
      context,
      {
        service: SERVICE,
        endpoint: `${ORIGIN}/oembed`,
        mapError: (status) =>
          status === 401 ? privateError("This video") : status === 404 || status === 400 ? notFoundError("This video") : null,
      },
      buildWatchAddress(getId(context)),
    ),
};

/** A video, short or stream: its description and captions. */
export const videoReader: SiteReader = {
  name: "video",
  subtypes: ["VIDEO", "SHORT", "LIVE"],
  missing: {
    code: "no_transcript",
    message: "The captions of this video could not be read. Retry later, or paste its text.",
  },
  sources: [...playerSources, watchPage, dataApi, ytdlp, oembed],
};
