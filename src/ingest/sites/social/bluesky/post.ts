import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { isPrivate, loginWall, notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { joinParagraphs, formatQuote, buildTitle } from "../../../extract/posts/post-text.ts";
import { callNetwork, profileAddress, assertVisible, resolveActor, SERVICE } from "./network.ts";
import { hasVideo, nameOf, pictureOf, textOfPost } from "./post-text.ts";
import { POST_WITHOUT_TEXT, VIDEO_NOT_TRANSCRIBED } from "../../../extract/posts/warnings.ts";

/** Posts of a thread that are followed, and additional calls for them. */
const MAX_OWN = 200;
const MORE_CALLS = 4;
const REPLIES = { maxCount: 30, maxDepth: 3 };

async function fetchThread(context: ExtractContext, uri: string, depth: number): Promise<unknown> {
  const response = await callNetwork(context, "app.bsky.feed.getPostThread", { uri, depth: String(depth) }, "This post");
  return getValue(response, "thread");
}

function assertThread(thread: unknown): void {
  const type = getString(thread, "$type") ?? "";
  if (type.endsWith("#notFoundPost") || getValue(thread, "notFound") === true) throw notFound("This post");
  if (type.endsWith("#blockedPost") || getValue(thread, "blocked") === true) throw isPrivate("This post");
  if (typeof getValue(thread, "post", "record") !== "object") throw sourceChanged(SERVICE);
  assertVisible(getValue(thread, "post", "author"));
}

const didOf = (thread: unknown): string | null => getString(thread, "post", "author", "did");
const createdOf = (thread: unknown): string => getString(thread, "post", "record", "createdAt") ?? "";

/** The author's first reply to this post, which continues the thread. */
const nextOf = (thread: unknown, author: string | null): unknown =>
  author === null
    ? undefined
    : getArray(thread, "replies")
        .filter((reply) => didOf(reply) === author)
        .toSorted((a, b) => createdOf(a).localeCompare(createdOf(b), "en"))[0];

/** The rest of the author's thread; posts beyond a response's depth are requested. */
async function continuationOf(context: ExtractContext, first: unknown): Promise<unknown[]> {
  const author = didOf(first);
  const own: unknown[] = [];
  let here = first;
  let calls = MORE_CALLS;
  while (own.length < MAX_OWN) {
    const next = nextOf(here, author);
    if (next !== undefined) {
      own.push(next);
      here = next;
      continue;
    }
    // Only within a thread: replies to its last post exceed the requested depth.
    const uri = getString(here, "post", "uri");
    const isLeftOut = own.length > 0 && getArray(here, "replies").length === 0 && (getNumber(here, "post", "replyCount") ?? 0) > 0;
    if (!isLeftOut || uri === null || calls === 0) break;
    calls--;
    const more = await fetchThread(context, uri, 50);
    if (nextOf(more, author) === undefined) break;
    here = more;
  }
  return own;
}

function readReply(value: unknown, own: ReadonlySet<unknown>): Reply | null {
  const post = getValue(value, "post");
  if (post === undefined) return null;
  const hidden = getArray(post, "author", "labels").some((label) => getString(label, "val") === "!no-unauthenticated");
  const text = own.has(getString(post, "uri")) || hidden ? null : textOfPost(post);
  return { author: nameOf(getValue(post, "author")), text, below: getArray(value, "replies") };
}

/** `app.bsky.feed.getPostThread` (lexicon app.bsky.feed.defs). */
const thread: Source = {
  name: "thread",
  run: async (context): Promise<PartialResult> => {
    const [actor = "", key = ""] = (context.kind.id ?? "").split("/");
    const did = await resolveActor(context, actor);
    const found = await fetchThread(context, `at://${did}/app.bsky.feed.post/${key}`, 2);
    assertThread(found);
    const post = getValue(found, "post");
    const author = nameOf(getValue(post, "author"));
    const own = await continuationOf(context, found);
    const parent = getValue(found, "parent", "post");
    const words = textOfPost(post);
    const uris = new Set<unknown>(own.map((one) => getString(one, "post", "uri")));
    const replies = formatReplies(getArray(found, "replies"), (value) => readReply(value, uris), REPLIES);
    const handle = getString(post, "author", "handle");
    const warnings = [
      ...([found, ...own].some((one) => hasVideo(getValue(one, "post"))) ? [VIDEO_NOT_TRANSCRIBED] : []),
      ...(words === "" ? [POST_WITHOUT_TEXT] : []),
    ];
    return {
      title: buildTitle(author, SERVICE, words),
      text: joinParagraphs([
        parent === undefined || getValue(parent, "record") === undefined
          ? ""
          : formatQuote(nameOf(getValue(parent, "author")), textOfPost(parent)),
        words,
        ...own.map((one) => textOfPost(getValue(one, "post"))),
        replies.text,
      ]),
      metadata: omitEmpty({
        author,
        authorUrl: profileAddress(handle ?? did),
        siteName: SERVICE,
        publishedAt: toIsoDate(getString(post, "record", "createdAt") ?? getString(post, "indexedAt")),
        thumbnailUrl: pictureOf(post),
        language: getString(post, "record", "langs", 0),
        canonicalUrl: `${profileAddress(handle ?? did)}/post/${key}`,
        stats: validCounts({
          likes: getNumber(post, "likeCount"),
          comments: getNumber(post, "replyCount"),
          shares: getNumber(post, "repostCount"),
        }),
      }),
      ...(warnings.length === 0 ? {} : { warnings }),
      isComplete: true,
    };
  },
};

/** The page's head has the start of a post that is public. */
export const blueskyPage: Source = {
  name: "page",
  run: async (context) => {
    const url = `https://bsky.app${context.url.pathname}`;
    const { head } = await fetchHead(context, { service: SERVICE, url });
    if (!head.meta["og:description"]) throw loginWall(SERVICE);
    const found = resultFromHead(head, url);
    const author = head.meta["og:title"]?.replace(/ \(@[^()]{1,300}\)$/, "") ?? null;
    return {
      ...found,
      title: buildTitle(author, SERVICE, found.text ?? ""),
      metadata: { ...found.metadata, ...omitEmpty({ author, siteName: SERVICE }) },
    };
  },
};

/** A post, the rest of its author's thread, and the first replies. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["POST"],
  missing: {
    code: "truncated",
    message: "Only the beginning of this post could be read, without its replies. Retry later, or paste the rest.",
  },
  sources: [thread, blueskyPage],
};
