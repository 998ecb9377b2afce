import type { IngestError } from "#domain/content/job.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { loginWallError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { getUrl, joinParagraphs, formatQuote, buildTitle } from "../../../extract/posts/post-text.ts";
import { POST_WITHOUT_TEXT } from "../../../extract/posts/warnings.ts";

export const SERVICE = "Mastodon";

/** Some servers allow long posts; anything longer than this is not a post. */
const MAX_CHARACTERS = 500_000;
const MAX_OWN = 200;
const REPLIES = { maxCount: 30, maxDepth: 3 };
const MEDIA_NOT_TRANSCRIBED = {
  code: "no_transcript",
  message: "The video or audio of this post was not transcribed; only its text was kept.",
};

/** Converts a post's HTML to text. Links that are split into several elements for display become whole again. */
export const postHtmlToText = (html: string | null): string => htmlToText((html ?? "").slice(0, MAX_CHARACTERS));

export const formatItems = (labels: readonly (string | null)[]): string =>
  labels
    .filter((label) => label !== null)
    .slice(0, 50)
    .map((label) => `- ${label}`)
    .join("\n");

const getName = (status: unknown): string | null =>
  getString(status, "account", "display_name") ?? getString(status, "account", "username") ?? getString(status, "account", "acct");

const isStatus = (response: unknown): boolean =>
  typeof getValue(response, "content") === "string" &&
  getString(response, "account", "acct") !== null &&
  getString(response, "created_at") !== null;

/** Formats a status: content warning, text, poll, media descriptions, card, and quoted post (API entity `Status`). */
function formatStatus(status: unknown, depth = 0): string {
  const quoted = getValue(status, "quote", "quoted_status") ?? getValue(status, "quote");
  const address = getString(status, "card", "url");
  const words = postHtmlToText(getString(status, "content"));
  return joinParagraphs([
    getString(status, "spoiler_text"),
    words,
    formatItems(getArray(status, "poll", "options").map((option) => getString(option, "title"))),
    ...getArray(status, "media_attachments")
      .slice(0, 20)
      .map((media) => getString(media, "description")),
    joinParagraphs([
      address !== null && !words.includes(address.replace(/^https?:\/\//, "")) ? address : null,
      getString(status, "card", "title"),
      getString(status, "card", "description"),
    ]).replaceAll("\n\n", "\n"),
    depth === 0 && isStatus(quoted) ? formatQuote(getName(quoted), formatStatus(quoted, 1)) : "",
  ]);
}

/** Maps an error; only Mastodon's own messages are permanent. */
export function mapError(status: number, text: string): IngestError | null {
  const start = text.slice(0, 2_000);
  if ((status === 404 || status === 410) && /"error"\s*:\s*"Record not found"/i.test(start)) return notFoundError("This post");
  if ((status === 401 || status === 403) && /"error"\s*:/.test(start)) return loginWallError("This server");
  return null;
}

/** Fetches the rest of the author's thread, and the replies (`/context`). Both are empty if the request fails. */
async function fetchReplies(context: ExtractContext, address: string, status: unknown): Promise<{ own: string[]; replies: string }> {
  if ((getNumber(status, "replies_count") ?? 0) < 1) return { own: [], replies: "" };
  const response = await fetchJson(context, { service: SERVICE, url: `${address}/context` }).catch(() => null);
  const all = getArray(response, "descendants").slice(0, 4_000).filter(isStatus);
  const below = new Map<string, unknown[]>();
  for (const one of all) {
    const parent = getString(one, "in_reply_to_id") ?? "";
    below.set(parent, [...(below.get(parent)?.slice(0, 200) ?? []), one]);
  }
  const repliesTo = (one: unknown): readonly unknown[] => below.get(getString(one, "id") ?? " ") ?? [];
  const author = getString(status, "account", "acct");
  const own: unknown[] = [];
  let current: unknown = status;
  while (own.length < MAX_OWN) {
    const next = repliesTo(current).find((one) => getString(one, "account", "acct") === author && !own.includes(one));
    if (next === undefined) break;
    own.push(next);
    current = next;
  }
  const read = (one: unknown): Reply => ({
    author: getName(one),
    text: own.includes(one) ? null : formatStatus(one),
    below: repliesTo(one),
  });
  return { own: own.map((one) => formatStatus(one)), replies: formatReplies(repliesTo(status), read, REPLIES).text };
}

/** Fetches a post by its server's API, `GET /api/v1/statuses/:id`. Throws if the response is not a status. */
export async function fetchStatus(context: ExtractContext): Promise<PartialResult> {
  const address = `${context.url.origin}/api/v1/statuses/${context.kind.id ?? ""}`;
  const response = await fetchJson(context, { service: "This server", url: address, mapError });
  const status = isStatus(getValue(response, "reblog")) ? getValue(response, "reblog") : response;
  if (!isStatus(status)) throw sourceChangedError("This server");
  const author = getName(status);
  const words = formatStatus(status);
  const thread = await fetchReplies(context, address, status);
  const media = getArray(status, "media_attachments");
  const warnings = [
    ...(media.some((one) => /^(?:video|audio)$/.test(getString(one, "type") ?? "")) ? [MEDIA_NOT_TRANSCRIBED] : []),
    ...(words === "" ? [POST_WITHOUT_TEXT] : []),
  ];
  return {
    title: buildTitle(author, SERVICE, words),
    text: joinParagraphs([words, ...thread.own, thread.replies]),
    metadata: omitEmpty({
      author,
      authorUrl: getUrl(status, "account", "url"),
      siteName: SERVICE,
      publishedAt: toIsoDate(getString(status, "created_at")),
      thumbnailUrl: getUrl(media[0], "preview_url") ?? getUrl(status, "card", "image"),
      language: getString(status, "language"),
      canonicalUrl: getUrl(status, "url") ?? getUrl(status, "uri"),
      stats: keepValidCounts({
        likes: getNumber(status, "favourites_count"),
        comments: getNumber(status, "replies_count"),
        shares: getNumber(status, "reblogs_count"),
      }),
    }),
    ...(warnings.length === 0 ? {} : { warnings }),
    isComplete: true,
  };
}
