import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { privateError, loginWallError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { joinParagraphs, formatQuote, buildTitle } from "../../../extract/posts/post-text.ts";
import { callNetwork, buildProfileAddress, assertVisible, resolveActor, SERVICE } from "./network.ts";
import { hasVideo, getName, getThumbnail, formatPost } from "./post-text.ts";
import { POST_WITHOUT_TEXT, VIDEO_NOT_TRANSCRIBED } from "../../../extract/posts/warnings.ts";

/** Maximum number of the author's posts in a thread, and of the additional calls that fetch them. */
const MAX_OWN_POSTS = 200;
const MAX_EXTRA_CALLS = 4;
const REPLIES = { maxCount: 30, maxDepth: 3 };

async function fetchThread(context: ExtractContext, uri: string, depth: number): Promise<unknown> {
  const response = await callNetwork(context, "app.bsky.feed.getPostThread", { uri, depth: String(depth) }, "This post");
  return getValue(response, "thread");
}

function assertThread(thread: unknown): void {
  const type = getString(thread, "$type") ?? "";
  if (type.endsWith("#notFoundPost") || getValue(thread, "notFound") === true) throw notFoundError("This post");
  if (type.endsWith("#blockedPost") || getValue(thread, "blocked") === true) throw privateError("This post");
  if (typeof getValue(thread, "post", "record") !== "object") throw sourceChangedError(SERVICE);
  assertVisible(getValue(thread, "post", "author"));
}

const getDid = (thread: unknown): string | null => getString(thread, "post", "author", "did");
const getCreatedAt = (thread: unknown): string => getString(thread, "post", "record", "createdAt") ?? "";

/** Finds the author's first reply to this post, which continues the thread. */
const findNext = (thread: unknown, author: string | null): unknown =>
  author === null
    ? undefined
    : getArray(thread, "replies")
        .filter((reply) => getDid(reply) === author)
        .toSorted((a, b) => getCreatedAt(a).localeCompare(getCreatedAt(b), "en"))[0];

/** Returns the rest of the author's thread. Posts below a response's maximum depth are fetched. */
async function fetchContinuation(context: ExtractContext, first: unknown): Promise<unknown[]> {
  const author = getDid(first);
  const own: unknown[] = [];
  let current = first;
  let calls = MAX_EXTRA_CALLS;
  while (own.length < MAX_OWN_POSTS) {
    const next = findNext(current, author);
    if (next !== undefined) {
      own.push(next);
      current = next;
      continue;
    }
    // A response omits replies below its requested depth. Replies to the first post are always included.
    const uri = getString(current, "post", "uri");
    const isOmitted = own.length > 0 && getArray(current, "replies").length === 0 && (getNumber(current, "post", "replyCount") ?? 0) > 0;
    if (!isOmitted || uri === null || calls === 0) break;
    calls--;
    const more = await fetchThread(context, uri, 50);
    if (findNext(more, author) === undefined) break;
    current = more;
  }
  return own;
}

function readReply(value: unknown, own: ReadonlySet<unknown>): Reply | null {
  const post = getValue(value, "post");
  if (post === undefined) return null;
  const hidden = getArray(post, "author", "labels").some((label) => getString(label, "val") === "!no-unauthenticated");
  const text = own.has(getString(post, "uri")) || hidden ? null : formatPost(post);
  return { author: getName(getValue(post, "author")), text, below: getArray(value, "replies") };
}

/** `app.bsky.feed.getPostThread` (lexicon app.bsky.feed.defs). */
const thread: ContentSource = {
  name: "thread",
  run: async (context): Promise<PartialResult> => {
    const [actor = "", key = ""] = (context.kind.id ?? "").split("/");
    const did = await resolveActor(context, actor);
    const found = await fetchThread(context, `at://${did}/app.bsky.feed.post/${key}`, 2);
    assertThread(found);
    const post = getValue(found, "post");
    const author = getName(getValue(post, "author"));
    const own = await fetchContinuation(context, found);
    const parent = getValue(found, "parent", "post");
    const words = formatPost(post);
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
          : formatQuote(getName(getValue(parent, "author")), formatPost(parent)),
        words,
        ...own.map((one) => formatPost(getValue(one, "post"))),
        replies.text,
      ]),
      metadata: omitEmpty({
        author,
        authorUrl: buildProfileAddress(handle ?? did),
        siteName: SERVICE,
        publishedAt: toIsoDate(getString(post, "record", "createdAt") ?? getString(post, "indexedAt")),
        thumbnailUrl: getThumbnail(post),
        language: getString(post, "record", "langs", 0),
        canonicalUrl: `${buildProfileAddress(handle ?? did)}/post/${key}`,
        stats: keepValidCounts({
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

/** The page of a public post, whose head contains its start. */
export const blueskyPage: ContentSource = {
  name: "page",
  run: async (context) => {
    const url = `https://bsky.app${context.url.pathname}`;
    const { head } = await fetchHead(context, { service: SERVICE, url });
    if (!head.meta["og:description"]) throw loginWallError(SERVICE);
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
