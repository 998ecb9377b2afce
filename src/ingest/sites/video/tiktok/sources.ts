import { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext, HandOff } from "../../../extract/extractor.ts";
import { readCaptions } from "../../../extract/transcript/captions.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseScriptJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchText, fetchJson, fetchPage, findServiceInterstitial } from "../../../extract/fetch/request.ts";
import type { Cue } from "../../../extract/transcript/transcript.ts";
import { ageRestricted, captcha, isPrivate, notFound, regionLocked, sourceChanged } from "../../../extract/sources/errors.ts";
import { CAPTIONS_UNAVAILABLE, type CaptionTrack, languageTag, withCaptions } from "../../../extract/transcript/caption-tracks.ts";

const SERVICE = "TikTok";
const ORIGIN = "https://www.tiktok.com";
const SCRIPT = "__UNIVERSAL_DATA_FOR_REHYDRATION__";
const isPostId = (id: string | undefined): id is string => /^\d{5,25}$/.test(id ?? "");

/** The post's address; TikTok accepts any name before the number, and photos under `video` too. */
function postAddress({ url, kind }: ExtractContext): string {
  const handle = /^\/(@[\w.-]{1,64})\//.exec(url.pathname)?.[1] ?? "@_";
  return `${ORIGIN}/${handle}/video/${kind.id ?? ""}`;
}

/** Words of `statusMsg` (joined by `&`) for posts that are not shown. */
const REASONS: readonly (readonly [RegExp, (what: string) => IngestError])[] = [
  [/status_deleted/, notFound],
  [/self_see|friend_see|secret|private/, isPrivate],
  [/cross_border|geo_?f/, regionLocked],
  [/content_classif/, ageRestricted],
];

/** Status 10204 may mean deleted, withheld or blocked in this country, so it is not permanent. */
const ambiguousError = (): IngestError =>
  new IngestError(
    "not_found",
    "TikTok does not show this post: it was deleted, or is blocked for this server. Check the link, or paste its text.",
    {
      stage: "fetch",
    },
  );

/** Throws the page's error: 10216 is a private post, 10222 a private account. */
function throwPostError(detail: unknown): never {
  const status = getNumber(detail, "statusCode") ?? 0;
  const message = getString(detail, "statusMsg") ?? "";
  const reason = REASONS.find(([words]) => words.test(message))?.[1];
  if (reason) throw reason("This post");
  if (status === 10216 || status === 10222) throw isPrivate("This post");
  throw status === 0 ? sourceChanged(SERVICE) : ambiguousError();
}

/** Parses `creator_caption` files: JSON with times in milliseconds. */
function readUtterances(file: string): readonly Cue[] {
  try {
    return getArray(JSON.parse(file), "utterances").flatMap((one) => {
      const [startMs, text] = [getNumber(one, "start_time"), getString(one, "text")];
      return startMs === null || text === null ? [] : [{ startMs, endMs: getNumber(one, "end_time") ?? startMs, text }];
    });
  } catch {
    return [];
  }
}

const readFile = (file: string): readonly Cue[] => {
  const start = file.trimStart();
  if (start.startsWith("{")) return readUtterances(start);
  return start.startsWith("<") ? [] : readCaptions(file);
};

/** `Source` is `ASR` for speech recognition and `MT` for machine translation; others are the author's captions. */
const tracksOf = (item: unknown): CaptionTrack[] =>
  getArray(item, "video", "subtitleInfos").flatMap((entry) => {
    const url = URL.parse(getString(entry, "Url") ?? "", ORIGIN);
    if (url === null) return [];
    const source = getString(entry, "Source");
    const language = getString(entry, "LanguageCodeName");
    return [{ url: url.href, language, isAutomatic: source === "ASR" || source === "MT", isTranslated: source === "MT" }];
  });

function metadataOf(item: unknown, isPhoto: boolean): TileMetadata {
  const handle = getString(item, "author", "uniqueId");
  const id = getString(item, "id");
  const seconds = getNumber(item, "video", "duration");
  const count = (name: string): number | null => getNumber(item, "statsV2", name) ?? getNumber(item, "stats", name);
  const picture = getString(item, "imagePost", "images", 0, "imageURL", "urlList", 0);
  return omitEmpty({
    author: getString(item, "author", "nickname") ?? handle,
    authorUrl: handle === null ? null : `${ORIGIN}/@${encodeURIComponent(handle)}`,
    siteName: SERVICE,
    publishedAt: toIsoDate(String(getNumber(item, "createTime") ?? "")),
    durationSeconds: !isPhoto && seconds !== null && seconds > 0 ? seconds : null,
    thumbnailUrl: picture ?? getString(item, "video", "cover") ?? getString(item, "video", "originCover"),
    language: languageTag(getString(item, "textLanguage")),
    canonicalUrl: handle === null || id === null ? null : `${ORIGIN}/@${encodeURIComponent(handle)}/${isPhoto ? "photo" : "video"}/${id}`,
    stats: validCounts({
      views: count("playCount"),
      likes: count("diggCount"),
      comments: count("commentCount"),
      shares: count("shareCount"),
      saves: count("collectCount"),
    }),
  });
}

async function resultFromItem(context: ExtractContext, item: unknown): Promise<PartialResult> {
  const isPhoto = getValue(item, "imagePost") !== undefined;
  const text = [getString(item, "imagePost", "title"), getString(item, "desc")].filter((part) => part !== null).join("\n\n");
  const found: PartialResult = { title: text.split("\n", 1)[0] ?? null, text, metadata: metadataOf(item, isPhoto) };
  if (isPhoto && text !== "") return { ...found, isComplete: true };
  if (!isPhoto && getValue(item, "video") === undefined && getValue(item, "isContentClassified") === true) throw ageRestricted("This post");
  const tracks = isPhoto ? [] : tracksOf(item);
  if (text === "" && tracks.length === 0)
    throw new IngestError("no_text", "This post has neither a description nor captions. Paste its text, or configure speech to text.", {
      stage: "extract",
    });
  return withCaptions(context, found, { service: SERVICE, tracks, read: readFile });
}

/** The data that the page embeds for its own script (`__UNIVERSAL_DATA_FOR_REHYDRATION__`). */
function scopeOf(html: string): unknown {
  const scope = getValue(parseScriptJson(html, SCRIPT), "__DEFAULT_SCOPE__");
  if (scope === undefined) throw sourceChanged(SERVICE);
  return scope;
}

/** Follows a short link, whose address does not say what it leads to. */
async function follow(context: ExtractContext): Promise<HandOff> {
  const { url, text } = await fetchText(context, { service: SERVICE, url: context.url, accept: "text/html" });
  const kind = context.detectKind(url);
  const isKnown = kind.type !== "WEBSITE" && !(kind.type === "TIKTOK" && /VIDEO|PHOTO/.test(kind.subtype ?? "") && !isPostId(kind.id));
  if (isKnown) return { handOffTo: url, kind };
  throw (
    findServiceInterstitial(SERVICE, url.href, text) ??
    (parseScriptJson(text, SCRIPT) === null ? sourceChanged(SERVICE) : notFound("This short link"))
  );
}

const postPage: Source = {
  name: "page",
  run: async (context) => {
    if (!isPostId(context.kind.id)) return follow(context);
    const { text } = await fetchPage(context, { service: SERVICE, url: postAddress(context) });
    const scope = scopeOf(text);
    const detail = getValue(scope, "webapp.video-detail") ?? getValue(scope, "webapp.photo-detail");
    const item = getValue(detail, "itemInfo", "itemStruct");
    const status = getNumber(detail, "statusCode") ?? 0;
    if (status !== 0 || getString(item, "id") === null) return throwPostError(detail);
    return resultFromItem(context, item);
  },
};

/** oEmbed has a post's text and author; 400, as status or in the body, means deleted or private. */
const oembed: Source = {
  name: "oEmbed",
  run: async (context, partial, errors) => {
    if (partial.text) return null;
    const isPost = isPostId(context.kind.id);
    const url = new URL(`${ORIGIN}/oembed`);
    url.searchParams.set("url", isPost ? postAddress(context) : context.url.href);
    // After a bot check oEmbed's refusal says nothing about the post.
    const isChecked = errors.some(({ code }) => code === "captcha");
    const goneError = (): IngestError => (isChecked ? captcha(SERVICE) : notFound("This post, unless it is private,"));
    const response = await fetchJson(context, {
      service: SERVICE,
      url,
      mapError: (status) => (isPost && status === 400 ? goneError() : null),
    });
    if (isPost && getNumber(response, "code") === 400) throw goneError();
    const [title, author] = [getString(response, "title"), getString(response, "author_name")];
    if (title === null && author === null) throw sourceChanged(SERVICE);
    const metadata = omitEmpty({
      author,
      authorUrl: getString(response, "author_url"),
      siteName: SERVICE,
      thumbnailUrl: getString(response, "thumbnail_url"),
    });
    // Photos have no captions to wait for.
    return { title, text: title, metadata, isComplete: context.kind.subtype === "PHOTO" && title !== null };
  },
};

/** A video or photos: the author's text and the captions. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["VIDEO", "PHOTO"],
  missing: CAPTIONS_UNAVAILABLE,
  sources: [postPage, oembed],
};

/** Throws for an account's status: 10222 is private, 10202 and 10221 are deleted. */
function throwAccountError(detail: unknown): void {
  const status = getNumber(detail, "statusCode") ?? 0;
  if (status === 10222) throw isPrivate("This account");
  if (status === 10202 || status === 10221) throw notFound("This account");
}

const profilePage: Source = {
  name: "page",
  run: async (context) => {
    const { head, resource, text } = await fetchHead(context, { service: SERVICE, url: context.url });
    const detail = getValue(parseScriptJson(text, SCRIPT), "__DEFAULT_SCOPE__", "webapp.user-detail");
    throwAccountError(detail);
    const found = resultFromHead(head, resource.url);
    const name = getString(detail, "userInfo", "user", "nickname");
    // The default title before the page's script runs.
    const title = name ?? (/^TikTok - Make Your Day$/i.test(found.title ?? "") ? null : found.title) ?? null;
    const words = getString(detail, "userInfo", "user", "signature") ?? found.text ?? null;
    if (title === null && words === null) throw sourceChanged(SERVICE);
    const count = (key: string): number | null =>
      getNumber(detail, "userInfo", "statsV2", key) ?? getNumber(detail, "userInfo", "stats", key);
    const stats = validCounts({ followers: count("followerCount"), likes: count("heartCount"), videos: count("videoCount") });
    return { title, text: words, metadata: { ...found.metadata, ...omitEmpty({ author: name, stats }), siteName: SERVICE } };
  },
};

/** An account, live stream or playlist: only what its page says. */
export const profileReader: SiteReader = {
  name: "profile",
  subtypes: ["LIVE", "PROFILE", "PLAYLIST"],
  missing: { code: "thin_content", message: "TikTok shows only part of this page. Add the links of the videos that you need." },
  sources: [profilePage],
};
