import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import { formatTimestamp } from "../../../read/timestamps.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { normaliseLanguageTag } from "../../../clean/text.ts";

const SERVICE = "Twitch";
const ORIGIN = "https://www.twitch.tv";
/** The public client id of Twitch's own page; it is not a secret. */
const WEB_CLIENT = "kimne78kx3ncx6brgo4mv6wki5h1ko";
const NO_SPEECH = {
  code: "no_transcript",
  message: "Twitch has no captions. Paste its text, or configure speech to text.",
};

const MAX_VIDEOS = 20;

type EntityType = {
  /** The field of the response under `data`. */
  readonly field: "video" | "clip" | "user";
  readonly name: string;
  readonly query: string;
  readonly address: (id: string) => string;
  readonly read: (entity: unknown) => PartialResult;
};

const toChannel = (owner: unknown) => ({
  author: getString(owner, "displayName"),
  authorUrl: /^\w+$/.test(getString(owner, "login") ?? "") ? `${ORIGIN}/${getString(owner, "login")}` : null,
});

/** Sets the size in a picture's address. Returns null for the placeholder of a recording in progress. */
const toThumbnailUrl = (address: string | null): string | null =>
  address === null || address.includes("404_processing") ? null : address.replace("{width}", "640").replace("{height}", "360");

const VIDEO: EntityType = {
  field: "video",
  name: "This video",
  query:
    "query($id: ID!) { video(id: $id) { title description lengthSeconds publishedAt viewCount language previewThumbnailURL owner { displayName login } } }",
  address: (id) => `${ORIGIN}/videos/${id}`,
  read: (video) => ({
    title: getString(video, "title"),
    text: getString(video, "description"),
    metadata: omitEmpty({
      ...toChannel(getValue(video, "owner")),
      durationSeconds: getNumber(video, "lengthSeconds"),
      publishedAt: toIsoDate(getString(video, "publishedAt")),
      language: normaliseLanguageTag(getString(video, "language")),
      thumbnailUrl: toThumbnailUrl(getString(video, "previewThumbnailURL")),
      stats: keepValidCounts({ views: getNumber(video, "viewCount") }),
    }),
    warnings: [NO_SPEECH],
  }),
};

const CLIP: EntityType = {
  field: "clip",
  name: "This clip",
  query:
    "query($id: ID!) { clip(slug: $id) { title durationSeconds createdAt viewCount language thumbnailURL broadcaster { displayName login } } }",
  address: (id) => `https://clips.twitch.tv/${id}`,
  read: (clip) => ({
    title: getString(clip, "title"),
    metadata: omitEmpty({
      ...toChannel(getValue(clip, "broadcaster")),
      durationSeconds: getNumber(clip, "durationSeconds"),
      publishedAt: toIsoDate(getString(clip, "createdAt")),
      language: normaliseLanguageTag(getString(clip, "language")),
      thumbnailUrl: toThumbnailUrl(getString(clip, "thumbnailURL")),
      stats: keepValidCounts({ views: getNumber(clip, "viewCount") }),
    }),
    warnings: [NO_SPEECH],
  }),
};

/** Formats a video of a channel as one line: title, date and length. Returns null if it has no title. */
function formatVideo(video: unknown): string | null {
  const title = getString(video, "title");
  if (title === null) return null;
  const day = toIsoDate(getString(video, "publishedAt"))?.slice(0, 10) ?? null;
  const seconds = getNumber(video, "lengthSeconds");
  const length = seconds === null || seconds < 0 ? null : formatTimestamp(seconds);
  return [title, day, length].filter((part) => part !== null).join(" · ");
}

const CHANNEL: EntityType = {
  field: "user",
  name: "This channel",
  query: `query($id: String!) { user(login: $id) { displayName login description profileImageURL(width: 300) followers { totalCount } stream { title } videos(first: ${MAX_VIDEOS}, sort: TIME) { edges { node { title publishedAt lengthSeconds } } } } }`,
  address: (id) => `${ORIGIN}/${id}`,
  read: (user) => {
    const lines = getArray(user, "videos", "edges").flatMap((edge) => formatVideo(getValue(edge, "node")) ?? []);
    const list = lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
    return {
      title: getString(user, "displayName"),
      text: [getString(user, "description"), getString(user, "stream", "title"), list]
        .filter((part) => part !== null && part !== "")
        .join("\n\n"),
      metadata: omitEmpty({
        ...toChannel(user),
        thumbnailUrl: getString(user, "profileImageURL"),
        stats: keepValidCounts({ followers: getNumber(user, "followers", "totalCount") }),
      }),
      warnings:
        lines.length < MAX_VIDEOS
          ? []
          : [{ code: "truncated", message: `Only the latest ${MAX_VIDEOS} videos of the channel are listed.` }],
    };
  },
};

const ENTITY_TYPES: Readonly<Record<string, EntityType>> = { VIDEO, CLIP, CHANNEL };
const getEntityType = ({ kind }: ExtractContext): EntityType => ENTITY_TYPES[kind.subtype ?? ""] ?? VIDEO;

const graphql: ContentSource = {
  name: "GraphQL",
  run: async (context) => {
    const { field, name, query, address, read } = getEntityType(context);
    const id = context.kind.id ?? "";
    const response = await fetchJson(context, {
      service: SERVICE,
      url: "https://gql.twitch.tv/gql",
      method: "POST",
      headers: { "content-type": "application/json", "client-id": WEB_CLIENT },
      body: JSON.stringify({ query, variables: { id: field === "user" ? id.toLowerCase() : id } }),
    });
    const entity = getValue(response, "data", field);
    if (entity === null && getArray(response, "errors").length === 0) throw notFoundError(name);
    if (entity === null || typeof entity !== "object") throw sourceChangedError(SERVICE);
    const found = read(entity);
    if (!found.title && !found.text && !found.metadata?.author) throw sourceChangedError(SERVICE);
    // An untitled broadcast is named after its channel.
    const title = found.title ?? found.metadata?.author ?? null;
    return { ...found, title, metadata: { ...found.metadata, siteName: SERVICE, canonicalUrl: address(id) }, isComplete: true };
  },
};

const page: ContentSource = {
  name: "page",
  run: async (context) => {
    const { head, resource } = await fetchHead(context, { service: SERVICE, url: getEntityType(context).address(context.kind.id ?? "") });
    const found = resultFromHead(head, resource.url);
    // Before its script runs, the page contains only the site's name.
    const title = found.title?.replace(/ [-–] Twitch$/, "") ?? null;
    if (title === null || title === SERVICE) throw sourceChangedError(SERVICE);
    return { ...found, title, metadata: { ...found.metadata, siteName: SERVICE } };
  },
};

/** A recording or clip: its title, length and channel. A channel: its description and latest videos. */
export const reader: SiteReader = {
  name: "page",
  subtypes: ["VIDEO", "CLIP", "CHANNEL"],
  missing: { code: "thin_content", message: "Twitch shows only part of this page. Retry later, or paste the text you need." },
  sources: [graphql, page],
};
