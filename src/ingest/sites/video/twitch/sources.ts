import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { languageTag } from "../../../extract/transcript/caption-tracks.ts";

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

const channelOf = (owner: unknown) => ({
  author: getString(owner, "displayName"),
  authorUrl: /^\w+$/.test(getString(owner, "login") ?? "") ? `${ORIGIN}/${getString(owner, "login")}` : null,
});

/** Fills in the size in a picture's address; null for the placeholder of a recording in progress. */
const pictureOf = (address: string | null): string | null =>
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
      ...channelOf(getValue(video, "owner")),
      durationSeconds: getNumber(video, "lengthSeconds"),
      publishedAt: toIsoDate(getString(video, "publishedAt")),
      language: languageTag(getString(video, "language")),
      thumbnailUrl: pictureOf(getString(video, "previewThumbnailURL")),
      stats: validCounts({ views: getNumber(video, "viewCount") }),
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
      ...channelOf(getValue(clip, "broadcaster")),
      durationSeconds: getNumber(clip, "durationSeconds"),
      publishedAt: toIsoDate(getString(clip, "createdAt")),
      language: languageTag(getString(clip, "language")),
      thumbnailUrl: pictureOf(getString(clip, "thumbnailURL")),
      stats: validCounts({ views: getNumber(clip, "viewCount") }),
    }),
    warnings: [NO_SPEECH],
  }),
};

/** Formats seconds as `1:02:03` or `2:03`. */
function clock(seconds: number | null): string | null {
  if (seconds === null || seconds < 0) return null;
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const tail = String(rest).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

const CHANNEL: EntityType = {
  field: "user",
  name: "This channel",
  query: `query($id: String!) { user(login: $id) { displayName login description profileImageURL(width: 300) followers { totalCount } stream { title } videos(first: ${MAX_VIDEOS}, sort: TIME) { edges { node { title publishedAt lengthSeconds } } } } }`,
  address: (id) => `${ORIGIN}/${id}`,
  read: (user) => {
    const lines = getArray(user, "videos", "edges").flatMap((edge) => {
      const title = getString(edge, "node", "title");
      const day = toIsoDate(getString(edge, "node", "publishedAt"))?.slice(0, 10) ?? null;
      return title === null
        ? []
        : [[title, day, clock(getNumber(edge, "node", "lengthSeconds"))].filter((part) => part !== null).join(" · ")];
    });
    const list = lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
    return {
      title: getString(user, "displayName"),
      text: [getString(user, "description"), getString(user, "stream", "title"), list]
        .filter((part) => part !== null && part !== "")
        .join("\n\n"),
      metadata: omitEmpty({
        ...channelOf(user),
        thumbnailUrl: getString(user, "profileImageURL"),
        stats: validCounts({ followers: getNumber(user, "followers", "totalCount") }),
      }),
      warnings:
        lines.length < MAX_VIDEOS
          ? []
          : [{ code: "truncated", message: `Only the latest ${MAX_VIDEOS} videos of the channel are listed.` }],
    };
  },
};

const ENTITY_TYPES: Readonly<Record<string, EntityType>> = { VIDEO, CLIP, CHANNEL };
const entityTypeOf = ({ kind }: ExtractContext): EntityType => ENTITY_TYPES[kind.subtype ?? ""] ?? VIDEO;

const graphql: Source = {
  name: "GraphQL",
  run: async (context) => {
    const { field, name, query, address, read } = entityTypeOf(context);
    const id = context.kind.id ?? "";
    const response = await fetchJson(context, {
      service: SERVICE,
      url: "https://gql.twitch.tv/gql",
      method: "POST",
      headers: { "content-type": "application/json", "client-id": WEB_CLIENT },
      body: JSON.stringify({ query, variables: { id: field === "user" ? id.toLowerCase() : id } }),
    });
    const entity = getValue(response, "data", field);
    if (entity === null && getArray(response, "errors").length === 0) throw notFound(name);
    if (entity === null || typeof entity !== "object") throw sourceChanged(SERVICE);
    const found = read(entity);
    if (!found.title && !found.text && !found.metadata?.author) throw sourceChanged(SERVICE);
    // An untitled broadcast is named after its channel.
    const title = found.title ?? found.metadata?.author ?? null;
    return { ...found, title, metadata: { ...found.metadata, siteName: SERVICE, canonicalUrl: address(id) }, isComplete: true };
  },
};

const page: Source = {
  name: "page",
  run: async (context) => {
    const { head, resource } = await fetchHead(context, { service: SERVICE, url: entityTypeOf(context).address(context.kind.id ?? "") });
    const found = resultFromHead(head, resource.url);
    // Without its script the page names the site only.
    const title = found.title?.replace(/ [-–] Twitch$/, "") ?? null;
    if (title === null || title === SERVICE) throw sourceChanged(SERVICE);
    return { ...found, title, metadata: { ...found.metadata, siteName: SERVICE } };
  },
};

const MISSED = { code: "thin_content", message: "Twitch shows only part of this page. Retry later, or paste the text you need." };

/** A recording or clip: its title, length and channel. A channel: its description and latest videos. */
export const reader: SiteReader = {
  name: "page",
  subtypes: ["VIDEO", "CLIP", "CHANNEL"],
  missing: MISSED,
  sources: [graphql, page],
};
