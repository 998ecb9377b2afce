import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseAssignedJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchText, fetchJson, fetchPage } from "../../../extract/fetch/request.ts";
import { getValue, findAll, omitEmpty, getArray, getString } from "../../../read/json-access.ts";
import { privateError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { WEB_CLIENT } from "./clients.ts";
import { ORIGIN, SERVICE } from "./player.ts";

/** A playlist may have 5,000 videos, 100 per response; the list is truncated here. */
const MAX_VIDEOS = 1_000;
const TRUNCATED = { code: "truncated", message: `Only the first ${MAX_VIDEOS} videos of the playlist are listed.` };

type Entry = { readonly id: string; readonly title: string; readonly author: string | null; readonly duration: string | null };

/** Returns the text of a label, which is one string or a list of runs. */
export const getLabelText = (value: unknown): string | null =>
  getString(value, "simpleText") ??
  getString(value, "content") ??
  (getArray(value, "runs")
    .map((run) => getString(run, "text") ?? "")
    .join("")
    .trim() ||
    null);

/** Lists the videos of a response in either format: `playlistVideoRenderer` or its successor `lockupViewModel`. */
export function listPlaylistEntries(response: unknown): Entry[] {
  const old = findAll(response, "playlistVideoRenderer").map((video) => ({
    id: getString(video, "videoId"),
    title: getLabelText(getValue(video, "title")),
    author: getLabelText(getValue(video, "shortBylineText")),
    duration: getLabelText(getValue(video, "lengthText")),
  }));
  const lockups = findAll(response, "lockupViewModel").map((video) => {
    const parts = findAll(video, "metadataParts").flatMap((list) => (Array.isArray(list) ? list : []));
    return {
      id: getString(video, "contentId"),
      title: getString(video, "metadata", "lockupMetadataViewModel", "title", "content"),
      author: parts.map((part) => getString(part, "text", "content")).find((text) => text !== null) ?? null,
      duration:
        findAll(video, "thumbnailBadgeViewModel")
          .map((badge) => getString(badge, "text"))
          .find((text) => /^[\d:]+$/.test(text ?? "")) ?? null,
    };
  });
  return [...old, ...lockups].flatMap(({ id, title, author, duration }) =>
    id !== null && /^[\w-]{11}$/.test(id) && title !== null ? [{ id, title, author, duration }] : [],
  );
}

const findContinuation = (response: unknown): string | null =>
  findAll(response, "continuationCommand")
    .map((command) => getString(command, "token"))
    .find((token) => token !== null) ?? null;

/** One line per video, in the order of the list. */
function resultFromEntries(entries: readonly Entry[], response: unknown, context: ExtractContext, isTruncated: boolean): PartialResult {
  const loaded = new Set<string>();
  const lines = entries.flatMap(({ id, title, author, duration }) => {
    if (loaded.has(id)) return [];
    loaded.add(id);
    return [`${loaded.size}. ${[title, author, duration].filter((part) => part !== null).join(" · ")}`];
  });
  const header = findAll(response, "playlistMetadataRenderer")[0] ?? findAll(response, "playlistHeaderRenderer")[0];
  const description = getString(header, "description") ?? getLabelText(getValue(header, "descriptionText"));
  return {
    title: getString(header, "title") ?? getLabelText(getValue(header, "title")),
    text: [description, lines.join("\n")].filter((part) => part !== null && part !== "").join("\n\n"),
    metadata: omitEmpty({
      siteName: SERVICE,
      author: getLabelText(getValue(header, "ownerText")),
      canonicalUrl: `${ORIGIN}/playlist?list=${context.kind.id ?? ""}`,
      stats: { videos: loaded.size },
    }),
    ...(isTruncated ? { warnings: [TRUNCATED] } : {}),
    isComplete: true,
  };
}

/** Throws the error for a response without videos, by its alert. */
function throwEmptyListError(response: unknown): never {
  const alerts = findAll(response, "alertRenderer").map((alert) => getLabelText(getValue(alert, "text")) ?? "");
  const message = alerts.join(" ");
  if (/private/i.test(message)) throw privateError("This playlist");
  if (/(?:does not exist|unavailable|unviewable|not available|deleted)/i.test(message)) throw notFoundError("This playlist");
  throw sourceChangedError(SERVICE);
}

async function browse(context: ExtractContext, about: Readonly<Record<string, string>>): Promise<unknown> {
  return fetchJson(context, {
    service: SERVICE,
    url: `${ORIGIN}/youtubei/v1/browse?prettyPrint=false`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      context: { client: { clientName: WEB_CLIENT.name, clientVersion: WEB_CLIENT.clientVersion, hl: "en", gl: "US" } },
      ...about,
    }),
  });
}

/** Collects the videos of the first response and its continuations. */
async function readAllPages(context: ExtractContext, first: unknown): Promise<PartialResult> {
  const entries = listPlaylistEntries(first);
  if (entries.length === 0) return throwEmptyListError(first);
  let token = findContinuation(first);
  while (token !== null && entries.length < MAX_VIDEOS) {
    const next = await browse(context, { continuation: token });
    const more = listPlaylistEntries(next);
    if (more.length === 0) break;
    entries.push(...more);
    token = findContinuation(next);
  }
  return resultFromEntries(entries.slice(0, MAX_VIDEOS), first, context, token !== null && entries.length >= MAX_VIDEOS);
}

const browseCall: ContentSource = {
  name: "browse",
  run: async (context) => readAllPages(context, await browse(context, { browseId: `VL${context.kind.id ?? ""}` })),
};

const page: ContentSource = {
  name: "playlist page",
  run: async (context) => {
    const url = `${ORIGIN}/playlist?list=${encodeURIComponent(context.kind.id ?? "")}&hl=en`;
    const { text } = await fetchPage(context, { service: SERVICE, url, acceptLanguage: "en" });
    const data = parseAssignedJson(text, "ytInitialData");
    if (data === null) throw sourceChangedError(SERVICE);
    return readAllPages(context, data);
  },
};

/** The public feed lists the 15 latest videos of a playlist. */
const feed: ContentSource = {
  name: "feed",
  run: async (context) => {
    const url = `${ORIGIN}/feeds/videos.xml?playlist_id=${encodeURIComponent(context.kind.id ?? "")}`;
    const { text } = await fetchText(context, {
      service: SERVICE,
      url,
      mapError: (status) => (status === 404 ? notFoundError("This playlist") : null),
    });
    const read = await context.reader.feed(text, context.signal);
    if (read === null) throw sourceChangedError(SERVICE);
    return {
      title: read.title,
      text: read.items.map(({ title }, index) => `${index + 1}. ${title ?? ""}`).join("\n"),
      metadata: omitEmpty({ siteName: SERVICE, author: read.author, stats: { videos: read.items.length } }),
    };
  },
};

/** A playlist becomes a tile that lists its videos. */
export const playlistReader: SiteReader = {
  name: "playlist",
  subtypes: ["PLAYLIST"],
  missing: { code: "truncated", message: "Only the latest videos of the playlist could be read. Retry later for the whole list." },
  sources: [browseCall, page, feed],
};
