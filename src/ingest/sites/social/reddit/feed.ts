import { decodeEntities } from "../../../read/markup/html-text.ts";
import type { FeedItem, ParsedFeed } from "../../../read/feed/feed.ts";
import { omitEmpty } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import { findServiceInterstitial } from "../../../extract/fetch/interstitials.ts";
import { fetchText } from "../../../extract/fetch/request.ts";
import { notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { formatReplies } from "../../../extract/posts/replies.ts";
import { encodePathPart, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";
import { isRemovedText, ORIGIN, getPostIds, mapError, SERVICE, buildUserAddress, TEXT_REMOVED } from "./reddit.ts";

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
  if (feed === null) throw findServiceInterstitial(SERVICE, resource.url, text) ?? sourceChangedError(SERVICE);
  return { feed, source: text };
}

const getAuthor = (item: FeedItem): string | null => item.author?.replace(/^\/?u\//, "") ?? null;

/** Returns a post's text without the links that Reddit appends. */
const getText = ({ text }: FeedItem): string =>
  text.replace(/submitted by\s+\/u\/\S{1,50}(?:\s+to\s+\/?\S{1,60})?\s+\[link\]\s+\[comments\]\s*$/, "").trim();

/** Returns the target of "[link]" in the entry's escaped HTML, or null for posts with text or pictures. */
function getTarget(source: string): string | null {
  const mark = source.indexOf("[link]");
  const before = source.slice(Math.max(0, mark - 3_000), Math.max(0, mark));
  const written = before.slice(before.lastIndexOf("href=")).replace(/^href=(?:&quot;|["'])/, "");
  const end = written.search(/&quot;|["']/);
  const address = mark < 0 || end < 0 ? null : URL.parse(decodeEntities(decodeEntities(written.slice(0, end))));
  if (address === null || !/^https?:$/.test(address.protocol) || /(?:^|\.)(?:reddit\.com|redd\.it)$/.test(address.hostname)) return null;
  return address.href;
}

/** Returns the first entry of a feed, which is the post itself. */
const getFirstEntry = (source: string): string => {
  const start = source.indexOf("<entry");
  const end = source.indexOf("</entry>", start);
  return start < 0 || end < 0 ? "" : source.slice(start, end);
};

const readComment = (value: unknown): { author: string | null; text: string | null; below: readonly unknown[] } => {
  const item = value as FeedItem;
  const text = getText(item);
  return { author: getAuthor(item), text: isRemovedText(text) ? null : text, below: [] };
};

/** The Atom feed of a post and its comments, which are a flat list. */
export const atom: ContentSource = {
  name: "Atom",
  run: async (context): Promise<PartialResult> => {
    const { post: id, comment } = getPostIds(context);
    const { feed, source } = await fetchFeed(context, comment === null ? `/comments/${id}/.rss` : `/comments/${id}/_/${comment}/.rss`);
    const post = feed.items.find((item) => item.id?.startsWith("t3_"));
    const comments = feed.items.filter((item) => item.id?.startsWith("t1_"));
    const linkedComment = comment === null ? undefined : comments.find((item) => item.id === `t1_${comment}`);
    if (post?.title === null || post === undefined) {
      if (feed.items.length === 0 && feed.title !== null) throw notFoundError("This post");
      throw sourceChangedError(SERVICE);
    }
    const replies = formatReplies(comments, readComment, COMMENTS);
    const own = getText(post);
    const target = getTarget(getFirstEntry(source));
    if (isRemovedText(own) && replies.text === "") throw notFoundError("This post");
    const described = linkedComment ?? post;
    const author = getAuthor(described);
    const isKnown = author !== null && !isRemovedText(author);
    const warnings = isRemovedText(own) ? [TEXT_REMOVED] : replies.isTruncated ? [TRUNCATED] : [];
    return {
      title: linkedComment === undefined ? post.title : buildTitle(author, SERVICE, getText(linkedComment)),
      text: joinParagraphs([target, isRemovedText(own) ? null : own, replies.text]),
      metadata: omitEmpty({
        author: isKnown ? author : null,
        authorUrl: isKnown ? buildUserAddress(author) : null,
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
export const listing: ContentSource = {
  name: "Atom listing",
  run: async (context): Promise<PartialResult> => {
    const { kind } = context;
    const name = encodePathPart(kind.id ?? "");
    const { feed } = await fetchFeed(context, kind.subtype === "USER" ? `/user/${name}/.rss` : `/r/${name}/.rss`);
    if (feed.items.length === 0 && feed.title === null) throw sourceChangedError(SERVICE);
    const posts = feed.items.slice(0, POSTS).map((item) => {
      const words = getText(item);
      const head = [item.title, kind.subtype === "USER" ? null : getAuthor(item)].filter((part) => part !== null).join(" · ");
      return joinParagraphs([`## ${head}`, isRemovedText(words) ? null : words]);
    });
    return {
      title: feed.title,
      text: joinParagraphs([feed.description, ...posts]),
      metadata: omitEmpty({
        siteName: SERVICE,
        author: kind.subtype === "USER" ? kind.id : null,
        authorUrl: kind.subtype === "USER" ? buildUserAddress(kind.id ?? "") : null,
        canonicalUrl: kind.subtype === "USER" ? buildUserAddress(kind.id ?? "") : `${ORIGIN}/r/${name}/`,
        language: feed.language,
      }),
      isComplete: posts.length > 0,
    };
  },
};
