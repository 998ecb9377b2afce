import type { FeedItem, ParsedFeed } from "../../read/feed/feed.ts";
import { omitEmpty } from "../../read/json-access.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { formatFeed, newestFirst } from "./feed-text.ts";
import { resolveHttpUrl } from "../fetch/urls.ts";

export const FEED_ACCEPT =
  "application/rss+xml,application/atom+xml,application/feed+json,application/rdf+xml,application/xml;q=0.9,text/xml;q=0.9,application/json;q=0.8,*/*;q=0.5";

/** Describes a feed as a tile: its own description, then its entries. `address` is where it was read. */
export function resultFromFeed(feed: ParsedFeed, address: string): PartialResult {
  const { text, warnings } = formatFeed(feed);
  const newest: FeedItem | undefined = newestFirst(feed.items)[0];
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
