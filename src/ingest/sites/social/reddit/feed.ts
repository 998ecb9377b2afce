import { decodeEntities } from "../../../read/markup/html-text.ts";
import type { FeedItem, ParsedFeed } from "../../../read/feed/feed.ts";
import { omitEmpty } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import { fetchText, findServiceInterstitial } from "../../../extract/fetch/request.ts";
import { notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { formatReplies } from "../../../extract/posts/replies.ts";
import { encodePathPart, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";
import { isGone, ORIGIN, postIdsOf, mapError, SERVICE, userAddress, WORDS_GONE } from "./reddit.ts";

const COMMENTS = { maxCount: 50, maxDepth: 1 };
const TRUNCATED = { code: "truncated", message: `Only the first ${COMMENTS.maxCount} comments were kept.` };
const POSTS = 100;

async function fetchFeed(context: ExtractContext, path: string): Promise<{ feed: ParsedFeed; source: string }> {
  const { text, resource } = await fetchText(context, {
    service: SERVICE,
    url: `${ORIGIN}${path}`,
    accept: "application/atom+xml,application/xml;q=0.9,*/*;q=0.5",
    mapError,
  });
  const feed = await context.reader.feed(text, context.signal);
  if (feed === null) throw findServiceInterstitial(SERVICE, resource.url, text) ?? sourceChanged(SERVICE);
  return { feed, source: text };
}

const authorOf = (item: FeedItem): string | null => item.author?.replace(/^\/?u\//, "") ?? null;

/** The text without the links that Reddit appends to a post. */
const textOf = ({ text }: FeedItem): string =>
  text.replace(/submitted by\s+\/u\/\S{1,50}(?:\s+to\s+\/?\S{1,60})?\s+\[link\]\s+\[comments\]\s*$/, "").trim();

/** The target of "[link]" in the entry's escaped HTML; null for posts with text or pictures. */
function targetOf(source: string): string | null {
  const mark = source.indexOf("[link]");
  const before = source.slice(Math.max(0, mark - 3_000), Math.max(0, mark));
  const written = before.slice(before.lastIndexOf("href=")).replace(/^href=(?:&quot;|["'])/, "");
  const end = written.search(/&quot;|["']/);
  const address = mark < 0 || end < 0 ? null : URL.parse(decodeEntities(decodeEntities(written.slice(0, end))));
  if (address === null || !/^https?:$/.test(address.protocol) || /(?:^|\.)(?:reddit\.com|redd\.it)$/.test(address.hostname)) return null;
  return address.href;
}

/** The post's own entry, which is the first. */
const firstEntryOf = (source: string): string => {
  const start = source.indexOf("<entry");
  const end = source.indexOf("</entry>", start);
  return start < 0 || end < 0 ? "" : source.slice(start, end);
};

const readComment = (value: unknown): { author: string | null; text: string | null; below: readonly unknown[] } => {
  const item = value as FeedItem;
  const text = textOf(item);
  return { author: authorOf(item), text: isGone(text) ? null : text, below: [] };
};

/** The Atom feed of a post and its comments, which are a flat list. */
export const atom: Source = {
  name: "Atom",
  run: async (context): Promise<PartialResult> => {
    const { post: id, comment } = postIdsOf(context);
    const { feed, source } = await fetchFeed(context, comment === null ? `/comments/${id}/.rss` : `/comments/${id}/_/${comment}/.rss`);
    const post = feed.items.find((item) => item.id?.startsWith("t3_"));
    const comments = feed.items.filter((item) => item.id?.startsWith("t1_"));
    const linkedComment = comment === null ? undefined : comments.find((item) => item.id === `t1_${comment}`);
    if (post?.title === null || post === undefined) {
      if (feed.items.length === 0 && feed.title !== null) throw notFound("This post");
      throw sourceChanged(SERVICE);
    }
    const replies = formatReplies(comments, readComment, COMMENTS);
    const own = textOf(post);
    const target = targetOf(firstEntryOf(source));
    if (isGone(own) && replies.text === "") throw notFound("This post");
    const described = linkedComment ?? post;
    const author = authorOf(described);
    const isKnown = author !== null && !isGone(author);
    const warnings = isGone(own) ? [WORDS_GONE] : replies.isTruncated ? [TRUNCATED] : [];
    return {
      title: linkedComment === undefined ? post.title : buildTitle(author, SERVICE, textOf(linkedComment)),
      text: joinParagraphs([target, isGone(own) ? null : own, replies.text]),
      metadata: omitEmpty({
        author: isKnown ? author : null,
        authorUrl: isKnown ? userAddress(author) : null,
        siteName: SERVICE,
        publishedAt: described.publishedAt,
        thumbnailUrl: post.thumbnailUrl,
        canonicalUrl: described.url,
      }),
      ...(warnings.length === 0 ? {} : { warnings }),
      isComplete: true,
    };
  },
};

/** The latest posts of a subreddit or user. */
export const listing: Source = {
  name: "Atom listing",
  run: async (context): Promise<PartialResult> => {
    const { kind } = context;
    const name = encodePathPart(kind.id ?? "");
    const { feed } = await fetchFeed(context, kind.subtype === "USER" ? `/user/${name}/.rss` : `/r/${name}/.rss`);
    if (feed.items.length === 0 && feed.title === null) throw sourceChanged(SERVICE);
    const posts = feed.items.slice(0, POSTS).map((item) => {
      const words = textOf(item);
      const head = [item.title, kind.subtype === "USER" ? null : authorOf(item)].filter((part) => part !== null).join(" · ");
      return joinParagraphs([`## ${head}`, isGone(words) ? null : words]);
    });
    return {
      title: feed.title,
      text: joinParagraphs([feed.description, ...posts]),
      metadata: omitEmpty({
        siteName: SERVICE,
        author: kind.subtype === "USER" ? kind.id : null,
        authorUrl: kind.subtype === "USER" ? userAddress(kind.id ?? "") : null,
        canonicalUrl: kind.subtype === "USER" ? userAddress(kind.id ?? "") : `${ORIGIN}/r/${name}/`,
        language: feed.language,
      }),
      isComplete: posts.length > 0,
    };
  },
};
