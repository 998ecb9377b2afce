import { IngestError } from "#domain/content/job.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseAssignedJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchText, fetchJson, fetchPage } from "../../../extract/fetch/request.ts";
import { getValue, findAll, omitEmpty, getArray, getString } from "../../../read/json-access.ts";
import { isPermanent, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { WEB_CLIENT } from "./clients.ts";
import { ORIGIN, SERVICE } from "./player.ts";
import { listPlaylistEntries, getLabelText } from "./playlist.ts";

const CHANNEL_ID = /^UC[\w-]{22}$/;
const mapError = (status: number): IngestError | null => (status === 404 || status === 410 ? notFoundError("This channel") : null);

/** Returns the address of the channel's main page, without the tab in the link. */
function buildChannelAddress({ url, kind }: ExtractContext): string {
  const kindOfName = /^\/(channel|c|user)\//.exec(url.pathname)?.[1];
  return `${ORIGIN}/${kindOfName === undefined ? "" : `${kindOfName}/`}${encodeURIComponent(kind.id ?? "").replace(/^%40/, "@")}`;
}

type About = {
  readonly id: string | null;
  readonly title: string | null;
  readonly text: string | null;
  readonly thumbnailUrl: string | null;
};

/** Reads a channel's page; its id is in the page's data and in its canonical address. */
async function fetchAbout(context: ExtractContext): Promise<About> {
  const url = `${buildChannelAddress(context)}?hl=en`;
  const { head, text, resource } = await fetchHead(context, { service: SERVICE, url, acceptLanguage: "en", mapError });
  const inHead = [head.canonical, head.meta["og:url"], ...head.feeds].map((address) => /UC[\w-]{22}/.exec(address ?? "")?.[0]);
  const id = inHead.find((found) => found !== undefined) ?? /"externalId":"(UC[\w-]{22})"/.exec(text)?.[1] ?? null;
  const found = resultFromHead(head, resource.url);
  const title = found.title?.replace(/ - YouTube$/, "") ?? null;
  if (id === null && (title === null || title === SERVICE)) throw sourceChangedError(SERVICE);
  return { id, title, text: found.text ?? null, thumbnailUrl: found.metadata?.thumbnailUrl ?? null };
}

/** Resolves a handle or name to an id by the request of the app, which shows no consent form. */
async function resolveId(context: ExtractContext): Promise<string | null> {
  const response = await fetchJson(context, {
    service: SERVICE,
    url: `${ORIGIN}/youtubei/v1/navigation/resolve_url?prettyPrint=false`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      context: { client: { clientName: WEB_CLIENT.name, clientVersion: WEB_CLIENT.clientVersion, hl: "en", gl: "US" } },
      url: buildChannelAddress(context),
    }),
    mapError,
  });
  const id = getString(response, "endpoint", "browseEndpoint", "browseId");
  return id !== null && CHANNEL_ID.test(id) ? id : null;
}

/** Reads the page, or resolves only the id if the page fails. Throws the page's error if neither has the id. */
async function resolveChannel(context: ExtractContext): Promise<About & { readonly id: string }> {
  const named = CHANNEL_ID.test(context.kind.id ?? "") ? (context.kind.id ?? null) : null;
  const unknown: About = { id: null, title: null, text: null, thumbnailUrl: null };
  let pageError: IngestError | null = null;
  const about = await fetchAbout(context).catch((error: unknown) => {
    if (!(error instanceof IngestError) || isPermanent(error)) throw error;
    pageError = error;
    return unknown;
  });
  const id = named ?? about.id ?? (await resolveId(context));
  if (id === null) throw pageError ?? sourceChangedError(SERVICE);
  return { ...about, id };
}

const warnAboutLength = (count: number): NonNullable<PartialResult["warnings"]> =>
  count === 0 ? [] : [{ code: "truncated", message: `Only the latest videos of the channel are listed (${count}).` }];

/** The public feed lists the 15 latest videos. */
const feed: ContentSource = {
  name: "feed",
  run: async (context) => {
    const about = await resolveChannel(context);
    const url = `${ORIGIN}/feeds/videos.xml?channel_id=${about.id}`;
    const { text } = await fetchText(context, { service: SERVICE, url, accept: "application/atom+xml,application/xml;q=0.9,*/*;q=0.5" });
    const read = await context.reader.feed(text, context.signal);
    if (read === null) throw sourceChangedError(SERVICE);
    const lines = read.items.map(({ title, publishedAt }, index) => {
      const parts = [title, publishedAt?.slice(0, 10)].filter((part) => part !== null && part !== undefined);
      return `${index + 1}. ${parts.join(" · ")}`;
    });
    return {
      title: about.title ?? read.title,
      text: [about.text, lines.join("\n")].filter((part) => part !== null && part !== "").join("\n\n"),
      metadata: omitEmpty({
        author: read.author ?? about.title,
        siteName: SERVICE,
        thumbnailUrl: about.thumbnailUrl,
        canonicalUrl: `${ORIGIN}/channel/${about.id}`,
      }),
      warnings: warnAboutLength(lines.length),
      isComplete: true,
    };
  },
};

/** The page of the videos tab embeds some of the videos in its data. */
const videosPage: ContentSource = {
  name: "videos page",
  run: async (context) => {
    const url = `${buildChannelAddress(context)}/videos?hl=en`;
    const { text } = await fetchPage(context, { service: SERVICE, url, acceptLanguage: "en", mapError });
    const data = parseAssignedJson(text, "ytInitialData");
    const [about] = findAll(data, "channelMetadataRenderer", 1);
    const title = getString(about, "title");
    const entries = listPlaylistEntries(data);
    if (title === null) throw sourceChangedError(SERVICE);
    const lines = entries.map(
      (entry, index) => `${index + 1}. ${[entry.title, entry.duration].filter((part) => part !== null).join(" · ")}`,
    );
    return {
      title,
      text: [getString(about, "description"), lines.join("\n")].filter((part) => part !== null && part !== "").join("\n\n"),
      metadata: omitEmpty({ author: title, siteName: SERVICE, canonicalUrl: getString(about, "channelUrl") }),
      warnings: warnAboutLength(lines.length),
      isComplete: lines.length > 0,
    };
  },
};

/** A channel becomes a tile with its description and latest videos. */
export const channelReader: SiteReader = {
  name: "channel",
  subtypes: ["CHANNEL"],
  missing: { code: "truncated", message: "The videos of this channel could not be listed. Retry later, or add the links that you need." },
  sources: [feed, videosPage],
};

/** Returns the text of a run, with the full target of a link. Links are shown shortened; the target is in the `q` of a redirect. */
function formatRun(run: unknown): string {
  const shown = getValue(run, "text");
  const target = URL.parse(getString(run, "navigationEndpoint", "urlEndpoint", "url") ?? "");
  if (target === null) return typeof shown === "string" ? shown : "";
  return target.pathname === "/redirect" ? (target.searchParams.get("q") ?? target.href) : target.href;
}

function resultFromPost(post: unknown): PartialResult | null {
  const words = getArray(post, "contentText", "runs").map(formatRun).join("").trim();
  const choices = findAll(getValue(post, "backstageAttachment"), "choices", 1)
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((choice) => getLabelText(getValue(choice, "text")))
    .filter((choice) => choice !== null);
  const text = [words, choices.map((choice) => `- ${choice}`).join("\n")].filter((part) => part !== "").join("\n\n");
  if (text === "") return null;
  const channel = getString(post, "authorEndpoint", "browseEndpoint", "browseId");
  const metadata = omitEmpty({
    author: getLabelText(getValue(post, "authorText")),
    authorUrl: channel !== null && CHANNEL_ID.test(channel) ? `${ORIGIN}/channel/${channel}` : null,
    siteName: SERVICE,
  });
  return { title: text.split("\n", 1)[0] ?? null, text, metadata, isComplete: true };
}

const postPage: ContentSource = {
  name: "post page",
  run: async (context) => {
    const id = encodeURIComponent(context.kind.id ?? "");
    const url = `${ORIGIN}/${context.kind.subtype === "CLIP" ? "clip" : "post"}/${id}?hl=en`;
    const goneError = (status: number): IngestError | null =>
      status === 404 || status === 410 ? notFoundError("This page of YouTube") : null;
    const { head, text, resource } = await fetchHead(context, { service: SERVICE, url, acceptLanguage: "en", mapError: goneError });
    if (context.kind.subtype === "POST") {
      const posts = findAll(parseAssignedJson(text, "ytInitialData"), "backstagePostRenderer");
      const post = resultFromPost(posts.find((one) => getString(one, "postId") === context.kind.id) ?? posts[0]);
      if (post !== null) return { ...post, metadata: { ...post.metadata, canonicalUrl: `${ORIGIN}/post/${id}` } };
    }
    const found = resultFromHead(head, resource.url);
    const title = found.title?.replace(/ - YouTube$/, "") ?? null;
    if (title === null || title === SERVICE) throw sourceChangedError(SERVICE);
    return { ...found, title, metadata: { ...found.metadata, siteName: SERVICE } };
  },
};

/** Reads community posts in full, and only title and description of clips. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["CLIP", "POST"],
  missing: {
    code: "thin_content",
    message: "YouTube shows only part of this page. Add the link of the whole video, or paste the text you need.",
  },
  sources: [postPage],
};
