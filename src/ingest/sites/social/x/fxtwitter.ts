import type { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { privateError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { encodePathPart, getUrl, joinParagraphs, formatQuote, buildTitle } from "../../../extract/posts/post-text.ts";
import { buildPostAddress, toLanguage, SERVICE } from "./syndication.ts";
import { POST_WITHOUT_TEXT, VIDEO_NOT_TRANSCRIBED } from "../../../extract/posts/warnings.ts";

const ORIGIN = "https://api.fxtwitter.com";
const MAX_BLOCKS = 5_000;

const mapError =
  (what: string) =>
  (status: number): IngestError | null =>
    status === 401 ? privateError(what) : status === 404 ? notFoundError(what) : null;

const MARKS: Readonly<Record<string, string>> = {
  "header-one": "# ",
  "header-two": "## ",
  "header-three": "### ",
  "unordered-list-item": "- ",
  "ordered-list-item": "- ",
  blockquote: "> ",
};

/** Formats an article's body: Draft.js blocks of paragraphs, headings and list items. */
function formatArticle(tweet: unknown): string {
  const blocks = getArray(tweet, "article", "content", "blocks")
    .slice(0, MAX_BLOCKS)
    .map((block) => {
      const text = getString(block, "text");
      const type = getString(block, "type") ?? "";
      return text === null ? null : `${Object.hasOwn(MARKS, type) ? MARKS[type] : ""}${text}`;
    });
  return joinParagraphs(blocks).replace(/^(- .*)\n\n(?=- )/gm, "$1\n") || (getString(tweet, "article", "preview_text") ?? "");
}

function ownText(tweet: unknown): string {
  const media = getArray(tweet, "media", "all").length > 0 ? getArray(tweet, "media", "all") : getArray(tweet, "media", "photos");
  return joinParagraphs([
    getString(tweet, "text"),
    formatArticle(tweet),
    ...media.slice(0, 20).map((one) => getString(one, "altText")),
    getArray(tweet, "poll", "choices")
      .slice(0, 10)
      .map((choice) => getString(choice, "label"))
      .filter((label) => label !== null)
      .map((label) => `- ${label}`)
      .join("\n"),
  ]);
}

/** Fetches a post from api.fxtwitter.com (FxEmbed), which has long posts and articles in full. */
export async function fetchFxPost(context: ExtractContext): Promise<PartialResult> {
  const id = context.kind.id ?? "";
  const response = await fetchJson(context, { service: SERVICE, url: `${ORIGIN}/i/status/${id}`, mapError: mapError("This post") });
  const tweet = getValue(response, "tweet");
  const error = mapError("This post")(getNumber(response, "code") ?? 0);
  if (error !== null) throw error;
  const author = getString(tweet, "author", "name");
  const name = getString(tweet, "author", "screen_name");
  if (author === null) throw sourceChangedError(SERVICE);
  const quoted = getValue(tweet, "quote");
  const words = joinParagraphs([ownText(tweet), formatQuote(getString(quoted, "author", "name"), ownText(quoted))]);
  const seconds = getNumber(tweet, "created_timestamp");
  const warnings = [
    ...(getArray(tweet, "media", "videos").length > 0 ? [VIDEO_NOT_TRANSCRIBED] : []),
    ...(words === "" ? [POST_WITHOUT_TEXT] : []),
  ];
  return {
    title: getString(tweet, "article", "title") ?? buildTitle(author, SERVICE, words),
    text: words,
    metadata: omitEmpty({
      author,
      authorUrl: name === null ? null : `https://x.com/${encodePathPart(name)}`,
      siteName: SERVICE,
      publishedAt: toIsoDate(seconds === null ? getString(tweet, "created_at") : String(seconds)),
      thumbnailUrl: getUrl(tweet, "media", "photos", 0, "url") ?? getUrl(tweet, "media", "videos", 0, "thumbnail_url"),
      language: toLanguage(getString(tweet, "lang")),
      canonicalUrl: buildPostAddress(name, id),
      stats: keepValidCounts({
        views: getNumber(tweet, "views"),
        likes: getNumber(tweet, "likes"),
        comments: getNumber(tweet, "replies"),
        shares: getNumber(tweet, "retweets"),
      }),
    }),
    ...(warnings.length === 0 ? {} : { warnings }),
    isComplete: true,
  };
}

/** Fetches an account's description from the same service. */
export async function fetchFxProfile(context: ExtractContext): Promise<PartialResult> {
  const url = `${ORIGIN}/${encodePathPart(context.kind.id ?? "")}`;
  const response = await fetchJson(context, { service: SERVICE, url, mapError: mapError("This account") });
  const user = getValue(response, "user");
  const author = getString(user, "name");
  if (author === null) throw sourceChangedError(SERVICE);
  return {
    title: author,
    text: joinParagraphs([getString(user, "description"), getString(user, "location")]),
    metadata: omitEmpty({
      author,
      authorUrl: `https://x.com/${encodePathPart(getString(user, "screen_name") ?? context.kind.id ?? "")}`,
      siteName: SERVICE,
      thumbnailUrl: getUrl(user, "avatar_url"),
      stats: keepValidCounts({ followers: getNumber(user, "followers"), posts: getNumber(user, "tweets") }),
    }),
  };
}
