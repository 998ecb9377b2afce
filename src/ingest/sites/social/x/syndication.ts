import { toIsoDate } from "../../../clean/dates.ts";
import { IngestError } from "#domain/content/job.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { ageRestrictedError, privateError, loginWallError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { encodePathPart, getUrl, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";
import { formatParent, isTruncated, formatTweet } from "./post-text.ts";
import { POST_WITHOUT_TEXT, VIDEO_NOT_TRANSCRIBED } from "../../../extract/posts/warnings.ts";

export const SERVICE = "X";

/** Computes the token that X's own embeds send with a post's id. */
const computeToken = (id: string): string => ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, "");

/** Maps the text of a tombstone to the reason why the post is not shown. */
const TOMBSTONES: readonly (readonly [RegExp, () => IngestError])[] = [
  [/age.restricted|adult content|sensitive/i, () => ageRestrictedError("This post")],
  [/limits? who can (?:view|see)|protected|private/i, () => privateError("This post")],
  [/deleted|suspended|no longer exists|does(?:n.t| not) exist|violated/i, () => notFoundError("This post")],
];

function throwTombstone(response: unknown): void {
  if (getString(response, "__typename") !== "TweetTombstone" && getValue(response, "tombstone") === undefined) return;
  const text =
    getString(response, "tombstone", "text", "text") ?? getString(response, "tombstone", "text") ?? getString(response, "text") ?? "";
  const reason = TOMBSTONES.find(([words]) => words.test(text.slice(0, 2_000)))?.[1];
  throw reason?.() ?? loginWallError(SERVICE);
}

export const buildPostAddress = (name: string | null, id: string): string => `https://x.com/${encodePathPart(name ?? "i")}/status/${id}`;

/**
 * Fetches a post in the format of embeds (`tweet-result` of the syndication service; types as in the package react-tweet). The result is
 * incomplete if the post is truncated.
 */
export async function fetchSyndication(context: ExtractContext): Promise<PartialResult> {
  const id = context.kind.id ?? "";
  const url = new URL("https://cdn.syndication.twimg.com/tweet-result?lang=en");
  url.searchParams.set("id", id);
  url.searchParams.set("token", computeToken(id));
  const response = await fetchJson(context, { service: SERVICE, url });
  throwTombstone(response);
  // Not permanent: the response is also empty for some posts that other sources have.
  if (response !== null && typeof response === "object" && Object.keys(response).length === 0)
    throw new IngestError("not_found", notFoundError("This post").message, { stage: "fetch" });
  const author = getString(response, "user", "name");
  const name = getString(response, "user", "screen_name");
  if (author === null || typeof getValue(response, "text") !== "string") throw sourceChangedError(SERVICE);
  const words = formatTweet(response);
  const media = getArray(response, "mediaDetails");
  const isPartial = isTruncated(response) || getValue(response, "article") !== undefined;
  const warnings = [
    ...(media.some((one) => getString(one, "type") === "video") ? [VIDEO_NOT_TRANSCRIBED] : []),
    ...(words === "" ? [POST_WITHOUT_TEXT] : []),
  ];
  return {
    title: getString(response, "article", "title") ?? buildTitle(author, SERVICE, words),
    text: joinParagraphs([formatParent(response), words]),
    metadata: omitEmpty({
      author,
      authorUrl: name === null ? null : `https://x.com/${encodePathPart(name)}`,
      siteName: SERVICE,
      publishedAt: toIsoDate(getString(response, "created_at")),
      thumbnailUrl: getUrl(media[0], "media_url_https"),
      language: toLanguage(getString(response, "lang")),
      canonicalUrl: buildPostAddress(name, id),
      stats: keepValidCounts({ likes: getNumber(response, "favorite_count"), comments: getNumber(response, "conversation_count") }),
    }),
    ...(warnings.length === 0 ? {} : { warnings }),
    isComplete: !isPartial,
  };
}

/** Returns a post's language, or null for X's codes of posts without one: `und`, `zxx`, `qme` and others that start with q. */
export const toLanguage = (tag: string | null): string | null =>
  tag !== null && /^(?!und|zxx|q)[a-z]{2,3}(?:-\w{2,8})*$/i.test(tag) ? tag : null;
