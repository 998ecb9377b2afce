import { isoDate } from "../../../clean/dates.ts";
import { at, known, listAt, numberAt, statsOf, textAt } from "../../../read/tree.ts";
import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import { runSources, type PartialResult, type Source } from "../../../extract/sources/run-sources.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { isPrivate, loginWall, notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { joinParagraphs, formatQuote, buildTitle } from "../../../extract/posts/post-text.ts";
import { callNetwork, profileAddress, assertVisible, resolveActor, SERVICE } from "./network.ts";
import { hasVideo, nameOf, pictureOf, textOfPost } from "./post-text.ts";

/** Posts of one thread that are followed, and calls made for them beyond the first. */
const MAX_OWN = 200;
const MORE_CALLS = 4;
const REPLIES = { maxCount: 30, maxDepth: 3 };
const NO_SPEECH = { code: "no_transcript", message: "What is said in the video of this post could not be had; only its words." };
const NO_WORDS = { code: "no_text", message: "This post has no words. Describe its pictures by hand to find it again." };

async function fetchThread(context: ExtractContext, uri: string, depth: number): Promise<unknown> {
  const response = await callNetwork(context, "app.bsky.feed.getPostThread", { uri, depth: String(depth) }, "This post");
  return at(response, "thread");
}

function assertThread(thread: unknown): void {
  const type = textAt(thread, "$type") ?? "";
  if (type.endsWith("#notFoundPost") || at(thread, "notFound") === true) throw notFound("This post");
  if (type.endsWith("#blockedPost") || at(thread, "blocked") === true) throw isPrivate("This post");
  if (typeof at(thread, "post", "record") !== "object") throw sourceChanged(SERVICE);
  assertVisible(at(thread, "post", "author"));
}

const didOf = (thread: unknown): string | null => textAt(thread, "post", "author", "did");
const createdOf = (thread: unknown): string => textAt(thread, "post", "record", "createdAt") ?? "";

/** Where the author goes on himself: his first reply to his own post. */
const nextOf = (thread: unknown, author: string | null): unknown =>
  author === null
    ? undefined
    : listAt(thread, "replies")
        .filter((reply) => didOf(reply) === author)
        .toSorted((a, b) => createdOf(a).localeCompare(createdOf(b), "en"))[0];

/** The author's posts below the first, each an answer to the one before it; what one answer leaves out is asked for. */
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
    // Only within a thread: the replies to its last post are beyond the depth that was asked for.
    const uri = textAt(here, "post", "uri");
    const isLeftOut = own.length > 0 && listAt(here, "replies").length === 0 && (numberAt(here, "post", "replyCount") ?? 0) > 0;
    if (!isLeftOut || uri === null || calls === 0) break;
    calls--;
    const more = await fetchThread(context, uri, 50);
    if (nextOf(more, author) === undefined) break;
    here = more;
  }
  return own;
}

function readReply(value: unknown, own: ReadonlySet<unknown>): Reply | null {
  const post = at(value, "post");
  if (post === undefined) return null;
  const hidden = listAt(post, "author", "labels").some((label) => textAt(label, "val") === "!no-unauthenticated");
  const text = own.has(textAt(post, "uri")) || hidden ? null : textOfPost(post);
  return { author: nameOf(at(post, "author")), text, below: listAt(value, "replies") };
}

/** Posts only: `app.bsky.feed.getPostThread` answers views of them (lexicon app.bsky.feed.defs). */
const thread: Source = {
  name: "thread",
  run: async (context): Promise<PartialResult> => {
    const [actor = "", key = ""] = (context.kind.id ?? "").split("/");
    const did = await resolveActor(context, actor);
    const found = await fetchThread(context, `at://${did}/app.bsky.feed.post/${key}`, 2);
    assertThread(found);
    const post = at(found, "post");
    const author = nameOf(at(post, "author"));
    const own = await continuationOf(context, found);
    const parent = at(found, "parent", "post");
    const words = textOfPost(post);
    const uris = new Set<unknown>(own.map((one) => textAt(one, "post", "uri")));
    const replies = formatReplies(listAt(found, "replies"), (value) => readReply(value, uris), REPLIES);
    const handle = textAt(post, "author", "handle");
    const warnings = [
      ...([found, ...own].some((one) => hasVideo(at(one, "post"))) ? [NO_SPEECH] : []),
      ...(words === "" ? [NO_WORDS] : []),
    ];
    return {
      title: buildTitle(author, SERVICE, words),
      text: joinParagraphs([
        parent === undefined || at(parent, "record") === undefined ? "" : formatQuote(nameOf(at(parent, "author")), textOfPost(parent)),
        words,
        ...own.map((one) => textOfPost(at(one, "post"))),
        replies.text,
      ]),
      metadata: known({
        author,
        authorUrl: profileAddress(handle ?? did),
        siteName: SERVICE,
        publishedAt: isoDate(textAt(post, "record", "createdAt") ?? textAt(post, "indexedAt")),
        thumbnailUrl: pictureOf(post),
        language: textAt(post, "record", "langs", 0),
        canonicalUrl: `${profileAddress(handle ?? did)}/post/${key}`,
        stats: statsOf({
          likes: numberAt(post, "likeCount"),
          comments: numberAt(post, "replyCount"),
          shares: numberAt(post, "repostCount"),
        }),
      }),
      ...(warnings.length === 0 ? {} : { warnings }),
      isComplete: true,
    };
  },
};

/** The page, whose head holds the beginning of the post where its author lets everybody see it. */
export const bskyPage: Source = {
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
      metadata: { ...found.metadata, ...known({ author, siteName: SERVICE }) },
    };
  },
};

/** A post, what its author wrote below it, and the first replies. */
export const blueskyPost: Extractor = {
  name: "bluesky-post",
  accepts: ({ type, subtype, id }) => type === "BLUESKY" && subtype === "POST" && id !== undefined,
  extract: runSources({
    missing: {
      code: "truncated",
      message: "Only the beginning of this post could be had, without its replies. Retry later, or paste the rest.",
    },
    sources: [thread, bskyPage],
  }),
};
