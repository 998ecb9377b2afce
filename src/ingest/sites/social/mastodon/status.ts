import type { IngestError } from "#domain/content/job.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources.ts";
import { isoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { at, known, listAt, numberAt, statsOf, textAt } from "../../../read/tree.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { loginWall, notFound, sourceChanged } from "../../../extract/errors.ts";
import { type Reply, writeReplies } from "../../../extract/posts/replies.ts";
import { addressAt, paragraphs, quoteOf, titleOf } from "../../../extract/posts/post-text.ts";

export const SERVICE = "Mastodon";

/** Posts of some servers are long; more than this is no post. */
const MAX_CHARACTERS = 500_000;
const MAX_OWN = 200;
const REPLIES = { most: 30, depth: 3 };
const NO_SPEECH = { code: "no_transcript", message: "What is said in the video or sound of this post could not be had; only its words." };
const NO_WORDS = { code: "no_text", message: "This post has no words. Describe its pictures by hand to find it again." };

/** The words of a post's HTML. A link's address is cut in three for the eye, which leaves it whole as text. */
export const wordsOfHtml = (html: string | null): string => htmlToText((html ?? "").slice(0, MAX_CHARACTERS));

export const asItems = (labels: readonly (string | null)[]): string =>
  labels
    .filter((label) => label !== null)
    .slice(0, 50)
    .map((label) => `- ${label}`)
    .join("\n");

const nameOf = (status: unknown): string | null =>
  textAt(status, "account", "display_name") ?? textAt(status, "account", "username") ?? textAt(status, "account", "acct");

const isStatus = (answer: unknown): boolean =>
  typeof at(answer, "content") === "string" && textAt(answer, "account", "acct") !== null && textAt(answer, "created_at") !== null;

/** What a status says: its warning, words, poll, descriptions of media, card, and the post it quotes (API entity `Status`). */
function statusWords(status: unknown, depth = 0): string {
  const quoted = at(status, "quote", "quoted_status") ?? at(status, "quote");
  const address = textAt(status, "card", "url");
  const words = wordsOfHtml(textAt(status, "content"));
  return paragraphs([
    textAt(status, "spoiler_text"),
    words,
    asItems(listAt(status, "poll", "options").map((option) => textAt(option, "title"))),
    ...listAt(status, "media_attachments")
      .slice(0, 20)
      .map((media) => textAt(media, "description")),
    paragraphs([
      address !== null && !words.includes(address.replace(/^https?:\/\//, "")) ? address : null,
      textAt(status, "card", "title"),
      textAt(status, "card", "description"),
    ]).replaceAll("\n\n", "\n"),
    depth === 0 && isStatus(quoted) ? quoteOf(nameOf(quoted), statusWords(quoted, 1)) : "",
  ]);
}

/** What the server says of a status it does not show: only Mastodon's own words are a verdict. */
export function refusal(status: number, text: string): IngestError | null {
  const start = text.slice(0, 2_000);
  if ((status === 404 || status === 410) && /"error"\s*:\s*"Record not found"/i.test(start)) return notFound("This post");
  if ((status === 401 || status === 403) && /"error"\s*:/.test(start)) return loginWall("This server");
  return null;
}

/** The author's own posts below the first, and what others answered (`/context`); nothing where it can't be had. */
async function askAnswers(context: ExtractContext, address: string, status: unknown): Promise<{ own: string[]; replies: string }> {
  if ((numberAt(status, "replies_count") ?? 0) < 1) return { own: [], replies: "" };
  const answer = await fetchJson(context, { service: SERVICE, url: `${address}/context` }).catch(() => null);
  const all = listAt(answer, "descendants").slice(0, 4_000).filter(isStatus);
  const below = new Map<string, unknown[]>();
  for (const one of all) {
    const parent = textAt(one, "in_reply_to_id") ?? "";
    below.set(parent, [...(below.get(parent)?.slice(0, 200) ?? []), one]);
  }
  const repliesTo = (one: unknown): readonly unknown[] => below.get(textAt(one, "id") ?? " ") ?? [];
  const author = textAt(status, "account", "acct");
  const own: unknown[] = [];
  let here: unknown = status;
  while (own.length < MAX_OWN) {
    const next = repliesTo(here).find((one) => textAt(one, "account", "acct") === author && !own.includes(one));
    if (next === undefined) break;
    own.push(next);
    here = next;
  }
  const read = (one: unknown): Reply => ({ author: nameOf(one), text: own.includes(one) ? null : statusWords(one), below: repliesTo(one) });
  return { own: own.map((one) => statusWords(one)), replies: writeReplies(repliesTo(status), read, REPLIES).text };
}

/** A post by the API of the link's own server, `GET /api/v1/statuses/:id`. Throws where the answer is no status. */
export async function askStatus(context: ExtractContext): Promise<PartialResult> {
  const address = `${context.url.origin}/api/v1/statuses/${context.kind.id ?? ""}`;
  const answer = await fetchJson(context, { service: "This server", url: address, refusal });
  const status = isStatus(at(answer, "reblog")) ? at(answer, "reblog") : answer;
  if (!isStatus(status)) throw sourceChanged("This server");
  const author = nameOf(status);
  const words = statusWords(status);
  const answers = await askAnswers(context, address, status);
  const media = listAt(status, "media_attachments");
  const warnings = [
    ...(media.some((one) => /^(?:video|audio)$/.test(textAt(one, "type") ?? "")) ? [NO_SPEECH] : []),
    ...(words === "" ? [NO_WORDS] : []),
  ];
  return {
    title: titleOf(author, SERVICE, words),
    text: paragraphs([words, ...answers.own, answers.replies]),
    metadata: known({
      author,
      authorUrl: addressAt(status, "account", "url"),
      siteName: SERVICE,
      publishedAt: isoDate(textAt(status, "created_at")),
      thumbnailUrl: addressAt(media[0], "preview_url") ?? addressAt(status, "card", "image"),
      language: textAt(status, "language"),
      canonicalUrl: addressAt(status, "url") ?? addressAt(status, "uri"),
      stats: statsOf({
        likes: numberAt(status, "favourites_count"),
        comments: numberAt(status, "replies_count"),
        shares: numberAt(status, "reblogs_count"),
      }),
    }),
    ...(warnings.length === 0 ? {} : { warnings }),
    isWhole: true,
  };
}
