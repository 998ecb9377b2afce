import type { FeedItem, ParsedFeed } from "../../read/feed/feed.ts";
import { omitEmpty } from "../../read/json-access.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { formatFeed, sortNewestFirst } from "./feed-text.ts";
import { resolveHttpUrl } from "../fetch/urls.ts";

export const FEED_ACCEPT =
  "application/rss+xml,application/atom+xml,application/feed+json,application/rdf+xml,application/xml;q=0.9,text/xml;q=0.9,application/json;q=0.8,*/*;q=0.5";

/** Returns a feed as the content of a tile: its description, then its entries. `address` is the feed's own, for relative links. */
export function resultFromFeed(feed: ParsedFeed, address: string): PartialResult {
  const { text, warnings } = formatFeed(feed);
  const newest: FeedItem | undefined = sortNewestFirst(feed.items)[0];
  return {
    title: feed.title,
    text,
    metadata: omitEmpty({
      author: feed.author,
      siteName: feed.title,
      language: feed.language,
      publishedAt: newest?.publishedAt,
      thumbnailUrl: resolveHttpUrl(feed.thumbnailUrl, address),
      canonicalUrl: resolveHttpUrl(feed.url, address),
      stats: { entries: feed.total },
    }),
    warnings,
    isComplete: true,
  };
}
