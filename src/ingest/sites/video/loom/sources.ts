import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { readCaptions } from "../../../extract/transcript/captions.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import type { Cue } from "../../../extract/transcript/transcript.ts";
import { privateError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { CAPTIONS_UNAVAILABLE, withCaptions } from "../../../extract/transcript/caption-tracks.ts";

const SERVICE = "Loom";
const ORIGIN = "https://www.loom.com";

const buildShareAddress = ({ kind }: ExtractContext): string => `${ORIGIN}/share/${(kind.id ?? "").toLowerCase()}`;

/** Returns null for the description that Loom writes for videos without one. */
const removeDefaultDescription = (description: string | null | undefined): string | null =>
  description == null || /^Use Loom\b/.test(description) ? null : description;

const mapError = (status: number): IngestError | null => {
  if (status === 401 || status === 403) return privateError("This video");
  return status === 404 || status === 410 ? notFoundError("This video") : null;
};

const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context) => {
    const found = await fetchOembed(context, { service: SERVICE, endpoint: `${ORIGIN}/v1/oembed`, mapError }, buildShareAddress(context));
    return {
      ...found,
      text: removeDefaultDescription(found.text),
      metadata: { ...found.metadata, siteName: SERVICE, canonicalUrl: buildShareAddress(context) },
    };
  },
};

/** Queries of the web player. They are sent separately, because a change to one should not break the other. */
const QUERIES = {
  GetVideoSSR: `query GetVideoSSR($videoId: ID!, $password: String) { getVideo(id: $videoId, password: $password) { __typename
    ... on RegularUserVideo { id name description createdAt owner { display_name } video_properties { duration } } } }`,
  FetchVideoTranscript: `query FetchVideoTranscript($videoId: ID!, $password: String) {
    fetchVideoTranscript(videoId: $videoId, password: $password) { __typename
    ... on VideoTranscriptDetails { source_url captions_source_url } } }`,
} as const;

async function query(context: ExtractContext, operationName: keyof typeof QUERIES): Promise<unknown> {
  const response = await fetchJson(context, {
    service: SERVICE,
    url: `${ORIGIN}/graphql`,
    method: "POST",
    headers: { "content-type": "application/json", "x-loom-request-source": "loom_web", "apollographql-client-name": "web" },
    body: JSON.stringify({
      operationName,
      variables: { videoId: (context.kind.id ?? "").toLowerCase(), password: null },
      query: QUERIES[operationName],
    }),
  });
  return getValue(response, "data") === undefined || getValue(response, "data") === null
    ? throwErrors(response)
    : getValue(response, "data");
}

function throwErrors(response: unknown): never {
  const messages = getArray(response, "errors").map((error) => getString(error, "message") ?? "");
  throw messages.some((message) => /video (?:was )?not found|does not exist/i.test(message))
    ? notFoundError("This video")
    : sourceChangedError(SERVICE);
}

/** Throws for a video that is private or needs a password. */
function assertPublic(video: unknown): void {
  const kind = getString(video, "__typename");
  if (kind === "PrivateVideo" || kind === "VideoPasswordMissingOrIncorrect") throw privateError("This video");
  if (getString(video, "name") === null) throw sourceChangedError(SERVICE);
}

/** Parses Loom's transcript format: phrases with their start in seconds. */
function readPhrases(file: string): readonly Cue[] {
  try {
    const phrases = getArray(JSON.parse(file), "phrases").flatMap((phrase) => {
      const [seconds, text] = [getNumber(phrase, "ts"), getString(phrase, "value")];
      return seconds === null || seconds < 0 || text === null ? [] : [{ startMs: seconds * 1_000, text }];
    });
    return phrases.map(({ startMs, text }, index) => ({ startMs, endMs: phrases[index + 1]?.startMs ?? startMs, text }));
  } catch {
    return [];
  }
}

const readFile = (file: string): readonly Cue[] => {
  const start = file.trimStart();
  if (start.startsWith("{")) return readPhrases(start);
  return start.startsWith("<") ? [] : readCaptions(file);
};

const graphql: ContentSource = {
  name: "GraphQL",
  run: async (context) => {
    const data = await query(context, "GetVideoSSR");
    const video = getValue(data, "getVideo");
    if (video === null) throw notFoundError("This video");
    assertPublic(video);
    const seconds = getNumber(video, "video_properties", "duration");
    const found: PartialResult = {
      title: getString(video, "name"),
      text: removeDefaultDescription(getString(video, "description")),
      metadata: omitEmpty({
        author: getString(video, "owner", "display_name"),
        siteName: SERVICE,
        publishedAt: toIsoDate(getString(video, "createdAt")),
        durationSeconds: seconds !== null && seconds > 0 ? seconds : null,
        canonicalUrl: buildShareAddress(context),
      }),
    };
    try {
      const details = getValue(await query(context, "FetchVideoTranscript"), "fetchVideoTranscript");
      if (details === undefined) throw sourceChangedError(SERVICE);
      const tracks = ["captions_source_url", "source_url"].flatMap((key) => {
        const url = URL.parse(getString(details, key) ?? "");
        return url === null ? [] : [{ url: url.href, language: null, isAutomatic: true }];
      });
      return await withCaptions(context, found, { service: SERVICE, tracks, read: readFile });
    } catch (error) {
      // Keep the description if the transcript fails, unless a retry may return both.
      if (!(error instanceof IngestError) || (error.retryable && !context.isLastAttempt)) throw error;
      return found;
    }
  },
};

/** The page describes the video in Open Graph and as a `VideoObject` (schema.org). */
const page: ContentSource = {
  name: "page",
  run: async (context, partial) => {
    if (partial.title) return null;
    const { head, resource } = await fetchHead(context, { service: SERVICE, url: buildShareAddress(context), mapError });
    const found = resultFromHead(head, resource.url);
    const video = head.jsonLd.find((block) => getValue(block, "@type") === "VideoObject");
    const title = getString(video, "name") ?? found.title?.replace(/ \| Loom$/, "") ?? null;
    if (title === null || title === SERVICE) throw sourceChangedError(SERVICE);
    const published = toIsoDate(getString(video, "uploadDate")) ?? found.metadata?.publishedAt;
    return {
      title,
      text: removeDefaultDescription(getString(video, "description") ?? found.text),
      metadata: { ...found.metadata, ...omitEmpty({ publishedAt: published }), siteName: SERVICE },
    };
  },
};

/** A recording: its description and captions. */
export const videoReader: SiteReader = {
  name: "video",
  subtypes: ["VIDEO"],
  missing: CAPTIONS_UNAVAILABLE,
  sources: [oembed, graphql, page],
};

const MAX_VIDEOS = 1_000;

/** The request that the page of a shared folder makes. */
const folder: ContentSource = {
  name: "folder",
  run: async (context) => {
    const url = `${ORIGIN}/v1/folders/${context.kind.id ?? ""}?limit=${MAX_VIDEOS}`;
    const response = await fetchJson(context, { service: SERVICE, url });
    const names = getArray(response, "videos")
      .flatMap((video) => getString(video, "name") ?? [])
      .slice(0, MAX_VIDEOS);
    const title = getString(response, "folder", "name");
    if (names.length === 0 && title === null) throw sourceChangedError(SERVICE);
    const text = names.map((name, index) => `${index + 1}. ${name}`).join("\n");
    return { title, text, metadata: { siteName: SERVICE, stats: { videos: names.length } }, isComplete: names.length > 0 };
  },
};

const folderPage: ContentSource = {
  name: "page",
  run: async (context) => {
    const { head, resource } = await fetchHead(context, { service: SERVICE, url: context.url });
    const found = resultFromHead(head, resource.url);
    if (!found.title || found.title === SERVICE) throw sourceChangedError(SERVICE);
    return { ...found, text: removeDefaultDescription(found.text), metadata: { ...found.metadata, siteName: SERVICE } };
  },
};

/** A shared folder becomes a tile that lists its recordings. */
export const folderReader: SiteReader = {
  name: "folder",
  subtypes: ["FOLDER"],
  missing: { code: "thin_content", message: "The recordings of this folder could not be listed. Add the links of those that you need." },
  sources: [folder, folderPage],
};
