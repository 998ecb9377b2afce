import { IngestError } from "#domain/content/job.ts";
import { getValue, omitEmpty, getNumber, getString } from "../../../read/json-access.ts";
import type { ExtractContext, HandOff } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseScriptJson } from "../../../extract/fetch/embedded-json.ts";
import { findServiceInterstitial } from "../../../extract/fetch/interstitials.ts";
import { fetchJson, fetchPage, fetchText } from "../../../extract/fetch/request.ts";
import {
  ageRestrictedError,
  captchaError,
  privateError,
  notFoundError,
  regionLockedError,
  sourceChangedError,
} from "../../../extract/sources/errors.ts";
import { CAPTIONS_UNAVAILABLE } from "../../../extract/transcript/caption-tracks.ts";
import { ORIGIN, parseScope, SCRIPT_ID, SERVICE } from "./page-data.ts";
import { resultFromItem } from "./post-item.ts";

const isPostId = (id: string | undefined): id is string => /^\d{5,25}$/.test(id ?? "");

/** Returns the post's address; TikTok accepts any name before the number, and photos under `video` too. */
function buildPostAddress({ url, kind }: ExtractContext): string {
  const handle = /^\/(@[\w.-]{1,64})\//.exec(url.pathname)?.[1] ?? "@_";
  return `${ORIGIN}/${handle}/video/${kind.id ?? ""}`;
}

/** Values of `statusMsg` (joined by `&`) for posts that are not shown. */
const REASONS: readonly (readonly [RegExp, (what: string) => IngestError])[] = [
  [/status_deleted/, notFoundError],
  [/self_see|friend_see|secret|private/, privateError],
  [/cross_border|geo_?f/, regionLockedError],
  [/content_classif/, ageRestrictedError],
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
  if (status === 10216 || status === 10222) throw privateError("This post");
  throw status === 0 ? sourceChangedError(SERVICE) : ambiguousError();
}

/** Follows a short link, whose address does not contain the post's id. */
async function follow(context: ExtractContext): Promise<HandOff> {
  const { url, text } = await fetchText(context, { service: SERVICE, url: context.url, accept: "text/html" });
  const kind = context.detectKind(url);
  const isKnown = kind.type !== "WEBSITE" && !(kind.type === "TIKTOK" && /VIDEO|PHOTO/.test(kind.subtype ?? "") && !isPostId(kind.id));
  if (isKnown) return { handOffTo: url, kind };
  throw (
    findServiceInterstitial(SERVICE, url.href, text) ??
    (parseScriptJson(text, SCRIPT_ID) === null ? sourceChangedError(SERVICE) : notFoundError("This short link"))
  );
}

const postPage: ContentSource = {
  name: "page",
  run: async (context) => {
    if (!isPostId(context.kind.id)) return follow(context);
    const { text } = await fetchPage(context, { service: SERVICE, url: buildPostAddress(context) });
    const scope = parseScope(text);
    const detail = getValue(scope, "webapp.video-detail") ?? getValue(scope, "webapp.photo-detail");
    const item = getValue(detail, "itemInfo", "itemStruct");
    const status = getNumber(detail, "statusCode") ?? 0;
    if (status !== 0 || getString(item, "id") === null) return throwPostError(detail);
    return resultFromItem(context, item);
  },
};

/** oEmbed has a post's text and author. Code 400, as status or in the body, means deleted or private. */
const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context, partial, errors) => {
    if (partial.text) return null;
    const isPost = isPostId(context.kind.id);
    const url = new URL(`${ORIGIN}/oembed`);
    url.searchParams.set("url", isPost ? buildPostAddress(context) : context.url.href);
    // After a bot check, code 400 does not mean that the post is missing.
    const hadBotCheck = errors.some(({ code }) => code === "captcha");
    const goneError = (): IngestError => (hadBotCheck ? captchaError(SERVICE) : notFoundError("This post, unless it is private,"));
    const response = await fetchJson(context, {
      service: SERVICE,
      url,
      mapError: (status) => (isPost && status === 400 ? goneError() : null),
    });
    if (isPost && getNumber(response, "code") === 400) throw goneError();
    const [title, author] = [getString(response, "title"), getString(response, "author_name")];
    if (title === null && author === null) throw sourceChangedError(SERVICE);
    const metadata = omitEmpty({
      author,
      authorUrl: getString(response, "author_url"),
      siteName: SERVICE,
      thumbnailUrl: getString(response, "thumbnail_url"),
    });
    // Photos have no captions, so nothing is missing.
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
