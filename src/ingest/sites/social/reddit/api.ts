import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";
import { isRemovedText, ORIGIN, getPostIds, mapError, SERVICE, buildUserAddress, TEXT_REMOVED } from "./reddit.ts";

const COMMENTS = { maxCount: 50, maxDepth: 3 };
const TRUNCATED = { code: "truncated", message: `Only the best ${COMMENTS.maxCount} comments, three levels deep, were kept.` };

const credentialsError = (): IngestError =>
  new IngestError("forbidden", "Reddit refused the app of this server. Check REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET.", {
    stage: "fetch",
  });

/** Requests an app-only token (RFC 6749, 4.4). Tokens are not stored, so each attempt requests one. */
async function fetchToken(context: ExtractContext): Promise<string> {
  const { redditClientId, redditClientSecret } = context.settings;
  const response = await fetchJson(context, {
    service: SERVICE,
    url: `${ORIGIN}/api/v1/access_token`,
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${redditClientId}:${redditClientSecret}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
    mapError: (status) => (status === 400 || status === 401 || status === 403 ? credentialsError() : null),
  });
  const token = getString(response, "access_token");
  if (token === null || !/^[\w.~+/=-]{1,4000}$/.test(token)) throw credentialsError();
  return token;
}

function readComment(value: unknown): Reply | null {
  if (getString(value, "kind") !== "t1") return null;
  const body = getString(value, "data", "body");
  return {
    author: getString(value, "data", "author"),
    text: isRemovedText(body) ? null : body,
    below: getArray(value, "data", "replies", "data", "children"),
  };
}

const isPicture = (address: string): boolean =>
  /^https?:\/\/(?:i\.redd\.it|preview\.redd\.it|v\.redd\.it|www\.reddit\.com\/gallery)\//.test(address);

/** Returns the target of a link post, or null for text posts and pictures on Reddit. */
function getTarget(post: unknown): string | null {
  const url = getString(post, "url_overridden_by_dest") ?? getString(post, "url");
  return getValue(post, "is_self") === true || url === null || !/^https?:\/\//.test(url) || isPicture(url) ? null : url;
}

function resultFrom(response: unknown): PartialResult {
  const post = getValue(response, 0, "data", "children", 0, "data");
  const title = getString(post, "title");
  if (title === null) {
    // For a missing post, Reddit returns a listing without entries.
    if (Array.isArray(getValue(response, 0, "data", "children"))) throw notFoundError("This post");
    throw sourceChangedError(SERVICE);
  }
  const own = getString(post, "selftext");
  const isRemoved = isRemovedText(own) || getString(post, "removed_by_category") !== null;
  const comments = formatReplies(getArray(response, 1, "data", "children"), readComment, COMMENTS);
  if (isRemoved && comments.text === "" && (own === null || isRemovedText(own)) && getTarget(post) === null)
    throw notFoundError("This post");
  const cross = getValue(post, "crosspost_parent_list", 0);
  const author = getString(post, "author");
  const captions = getArray(post, "gallery_data", "items")
    .slice(0, 20)
    .map((item) => getString(item, "caption"));
  const polled = getArray(post, "poll_data", "options")
    .slice(0, 20)
    .map((option) => getString(option, "text"));
  const seconds = getNumber(post, "created_utc");
  const permalink = getString(post, "permalink");
  const picture = getString(post, "preview", "images", 0, "source", "url") ?? getString(post, "thumbnail");
  const isKnown = author !== null && !isRemovedText(author);
  const warnings = [...(isRemoved && (own === null || isRemovedText(own)) ? [TEXT_REMOVED] : comments.isTruncated ? [TRUNCATED] : [])];
  return {
    title,
    text: joinParagraphs([
      getTarget(post),
      isRemovedText(own) ? null : own,
      isRemovedText(getString(cross, "selftext")) ? null : getString(cross, "selftext"),
      ...captions,
      polled
        .filter((option) => option !== null)
        .map((option) => `- ${option}`)
        .join("\n"),
      comments.text,
    ]),
    metadata: omitEmpty({
      author: isKnown ? author : null,
      authorUrl: isKnown ? buildUserAddress(author) : null,
      siteName: SERVICE,
      publishedAt: seconds === null ? null : toIsoDate(String(Math.floor(seconds))),
      thumbnailUrl: picture !== null && /^https?:/.test(picture) ? picture : null,
      canonicalUrl: permalink === null ? null : `${ORIGIN}${permalink}`,
      stats: keepValidCounts({ likes: getNumber(post, "score"), comments: getNumber(post, "num_comments") }),
    }),
    ...(warnings.length === 0 ? {} : { warnings }),
    isComplete: true,
  };
}

/** Replaces title and metadata by those of the linked comment. */
function describeComment(found: PartialResult, response: unknown): PartialResult {
  const data = getValue(response, 1, "data", "children", 0, "data");
  const author = getString(data, "author");
  const body = getString(data, "body");
  if (author === null || body === null || isRemovedText(body)) return found;
  const seconds = getNumber(data, "created_utc");
  return {
    ...found,
    title: buildTitle(author, SERVICE, body),
    metadata: {
      ...found.metadata,
      ...omitEmpty({
        author: isRemovedText(author) ? null : author,
        authorUrl: isRemovedText(author) ? null : buildUserAddress(author),
        publishedAt: seconds === null ? null : toIsoDate(String(Math.floor(seconds))),
        canonicalUrl: getString(data, "permalink") === null ? null : `${ORIGIN}${getString(data, "permalink")}`,
        stats: keepValidCounts({ likes: getNumber(data, "score") }),
      }),
    },
  };
}

/** Reddit's API with the operator's app: the post and its comments. */
export const oauth: ContentSource = {
  name: "API",
  setting: "REDDIT_CLIENT_ID",
  run: async (context) => {
    if (context.settings.redditClientId === "" || context.settings.redditClientSecret === "") return null;
    const token = await fetchToken(context);
    const { post, comment } = getPostIds(context);
    const url = new URL(`https://oauth.reddit.com/comments/${post}?raw_json=1&limit=100`);
    if (comment !== null) url.searchParams.set("comment", comment);
    const response = await fetchJson(context, { service: SERVICE, url, headers: { authorization: `Bearer ${token}` }, mapError });
    return comment === null ? resultFrom(response) : describeComment(resultFrom(response), response);
  },
};
