import { toIsoDate } from "../../../clean/dates.ts";
import { IngestError } from "#domain/content/job.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { ageRestricted, isPrivate, loginWall, notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { encodePathPart, getUrl, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";
import { textOfParent, isTruncated, textOf } from "./post-text.ts";
import { POST_WITHOUT_TEXT, VIDEO_NOT_TRANSCRIBED } from "../../../extract/posts/warnings.ts";

export const SERVICE = "X";

/** The token that X's own embeds send with a post's id. */
const tokenOf = (id: string): string => ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, "");

/** Why a post is not shown, by its tombstone's text; one without text may have any reason. */
const TOMBSTONES: readonly (readonly [RegExp, () => IngestError])[] = [
  [/age.restricted|adult content|sensitive/i, () => ageRestricted("This post")],
  [/limits? who can (?:view|see)|protected|private/i, () => isPrivate("This post")],
  [/deleted|suspended|no longer exists|does(?:n.t| not) exist|violated/i, () => notFound("This post")],
];

function throwTombstone(response: unknown): void {
  if (getString(response, "__typename") !== "TweetTombstone" && getValue(response, "tombstone") === undefined) return;
  const text =
    getString(response, "tombstone", "text", "text") ?? getString(response, "tombstone", "text") ?? getString(response, "text") ?? "";
  const reason = TOMBSTONES.find(([words]) => words.test(text.slice(0, 2_000)))?.[1];
  throw reason?.() ?? loginWall(SERVICE);
}

export const addressOf = (name: string | null, id: string): string => `https://x.com/${encodePathPart(name ?? "i")}/status/${id}`;

/**
 * A post as embeds show it (`tweet-result` of the syndication service; types as in the package react-tweet). Incomplete where it is
 * truncated.
 */
export async function fetchSyndication(context: ExtractContext): Promise<PartialResult> {
  const id = context.kind.id ?? "";
  const url = new URL("https://cdn.syndication.twimg.com/tweet-result?lang=en");
  url.searchParams.set("id", id);
  url.searchParams.set("token", tokenOf(id));
  const response = await fetchJson(context, { service: SERVICE, url });
  throwTombstone(response);
  // Not permanent: the response is also empty for posts that other services show.
  if (response !== null && typeof response === "object" && Object.keys(response).length === 0)
    throw new IngestError("not_found", notFound("This post").message, { stage: "fetch" });
  const author = getString(response, "user", "name");
  const name = getString(response, "user", "screen_name");
  if (author === null || typeof getValue(response, "text") !== "string") throw sourceChanged(SERVICE);
  const words = textOf(response);
  const media = getArray(response, "mediaDetails");
  const isPartial = isTruncated(response) || getValue(response, "article") !== undefined;
  const warnings = [
    ...(media.some((one) => getString(one, "type") === "video") ? [VIDEO_NOT_TRANSCRIBED] : []),
    ...(words === "" ? [POST_WITHOUT_TEXT] : []),
  ];
  return {
    title: getString(response, "article", "title") ?? buildTitle(author, SERVICE, words),
    text: joinParagraphs([textOfParent(response), words]),
    metadata: omitEmpty({
      author,
      authorUrl: name === null ? null : `https://x.com/${encodePathPart(name)}`,
      siteName: SERVICE,
      publishedAt: toIsoDate(getString(response, "created_at")),
      thumbnailUrl: getUrl(media[0], "media_url_https"),
      language: languageOf(getString(response, "lang")),
      canonicalUrl: addressOf(name, id),
      stats: validCounts({ likes: getNumber(response, "favorite_count"), comments: getNumber(response, "conversation_count") }),
    }),
    ...(warnings.length === 0 ? {} : { warnings }),
    isComplete: !isPartial,
  };
}

/** X uses its own codes for posts without a language: `und`, `zxx`, `qme` and others that start with q. */
export const languageOf = (tag: string | null): string | null =>
  tag !== null && /^(?!und|zxx|q)[a-z]{2,3}(?:-\w{2,8})*$/i.test(tag) ? tag : null;
