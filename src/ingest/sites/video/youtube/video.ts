import { toIsoDate } from "../../../clean/dates.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseAssignedJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchJson, fetchPage } from "../../../extract/fetch/request.ts";
import { omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import { isPrivate, notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { type Client, CLIENTS } from "./clients.ts";
import { resultFromPlayer, ORIGIN, SERVICE } from "./player.ts";
import { ytdlp } from "./yt-dlp.ts";

const idOf = ({ kind }: ExtractContext): string => kind.id ?? "";
const watchAddress = (id: string): string => `${ORIGIN}/watch?v=${encodeURIComponent(id)}`;

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
      videoId: idOf(context),
      contentCheckOk: true,
      racyCheckOk: true,
    }),
  });
  return resultFromPlayer(context, response);
}

/** The player API as each configured client: some get empty captions, some a bot check. */
const playerSources: readonly Source[] = Array.from({ length: 8 }, (_, index) => ({
  name: "player",
  setting: "YOUTUBE_CLIENTS",
  run: async (context) => {
    const name = context.settings.youtubeClients[index];
    const client = CLIENTS.find((one) => one.name === name);
    return client === undefined ? null : fetchPlayer(context, client);
  },
}));

const watchPage: Source = {
  name: "watch page",
  run: async (context) => {
    const response = await fetchPage(context, { service: SERVICE, url: `${watchAddress(idOf(context))}&hl=en`, acceptLanguage: "en" });
    const player = parseAssignedJson(response.text, "ytInitialPlayerResponse");
    if (player !== null) return resultFromPlayer(context, player);
    const head = resultFromHead(
      await context.reader.head({ html: response.text, url: response.resource.url }, context.signal),
      response.resource.url,
    );
    if (!head.metadata?.thumbnailUrl) throw sourceChanged(SERVICE);
    return head;
  },
};

/** Parses an ISO 8601 duration (`PT1H2M3S`) into seconds. */
function secondsOf(duration: string | null): number | null {
  const found = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration ?? "");
  if (found === null) return null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = found;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds) || null;
}

/** YouTube Data API v3, `videos.list`, with the operator's key; it has no captions. */
const dataApi: Source = {
  name: "Data API",
  setting: "YOUTUBE_API_KEY",
  run: async (context) => {
    const key = context.settings.youtubeApiKey;
    if (key === "") return null;
    const url = new URL("https://www.googleapis.com/youtube/v3/videos?part=snippet,contentDetails,statistics");
    url.searchParams.set("id", idOf(context));
    const response = await fetchJson(context, { service: SERVICE, url, headers: { "x-goog-api-key": key } });
    const [item] = getArray(response, "items");
    if (item === undefined) throw notFound("This video");
    return {
      title: getString(item, "snippet", "title"),
      text: getString(item, "snippet", "description"),
      metadata: omitEmpty({
        author: getString(item, "snippet", "channelTitle"),
        authorUrl: getString(item, "snippet", "channelId") && `${ORIGIN}/channel/${getString(item, "snippet", "channelId")}`,
        siteName: SERVICE,
        publishedAt: toIsoDate(getString(item, "snippet", "publishedAt")),
        durationSeconds: secondsOf(getString(item, "contentDetails", "duration")),
        thumbnailUrl: getString(item, "snippet", "thumbnails", "high", "url"),
        language: getString(item, "snippet", "defaultAudioLanguage"),
        canonicalUrl: watchAddress(idOf(context)),
        stats: validCounts({
          views: getNumber(item, "statistics", "viewCount"),
          likes: getNumber(item, "statistics", "likeCount"),
          comments: getNumber(item, "statistics", "commentCount"),
        }),
      }),
    };
  },
};

const oembed: Source = {
  name: "oEmbed",
  run: (context) =>
    fetchOembed(
      context,
      {
        service: SERVICE,
        endpoint: `${ORIGIN}/oembed`,
        mapError: (status) => (status === 401 ? isPrivate("This video") : status === 404 || status === 400 ? notFound("This video") : null),
      },
      watchAddress(idOf(context)),
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
