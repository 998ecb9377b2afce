import { toIsoDate } from "../../../clean/dates.ts";
import type { FeedItem } from "../../../read/feed/feed.ts";
import { omitEmpty, getNumber, getString } from "../../../read/json-access.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { resultFromFeed } from "../../../extract/feeds/feed-result.ts";
import { formatFeed } from "../../../extract/feeds/feed-text.ts";
import { DIRECTORY, type Listing, lookUpShow } from "../../../extract/podcast/directory.ts";
import { FEED_TIMEOUT_MS, fetchShowFeed } from "../../../extract/podcast/feed-episode.ts";

type RunState = { listing: Listing | null };

const toMetadata = (listing: Listing) =>
  omitEmpty({ siteName: DIRECTORY, author: listing.artist, thumbnailUrl: listing.thumbnailUrl, canonicalUrl: listing.pageUrl });

const createDirectorySource = (state: RunState): ContentSource => ({
  name: "directory",
  run: async (context) => {
    const listing = await lookUpShow(context, context.kind.id ?? "");
    state.listing = listing;
    return { title: listing.name, metadata: toMetadata(listing) };
  },
});

const createFeedSource = (state: RunState): ContentSource => ({
  name: "feed",
  timeoutMs: FEED_TIMEOUT_MS,
  run: async (context) => {
    const address = state.listing?.feedUrl ?? null;
    if (address === null) return null;
    const read = await fetchShowFeed(context, address);
    return resultFromFeed(read.feed, read.url);
  },
});

const toFeedItem = (episode: unknown): FeedItem => ({
  id: getString(episode, "episodeGuid"),
  title: getString(episode, "trackName"),
  url: getString(episode, "trackViewUrl"),
  author: null,
  publishedAt: toIsoDate(getString(episode, "releaseDate")),
  text: getString(episode, "description") ?? "",
  durationSeconds: (getNumber(episode, "trackTimeMillis") ?? 0) / 1_000 || null,
  thumbnailUrl: null,
  enclosure: null,
  transcripts: [],
});

/** The latest episodes, as the directory lists them. */
const createListedSource = (state: RunState): ContentSource => ({
  name: "listed episodes",
  run: async () => {
    const { listing } = state;
    if (listing === null || listing.episodes.length === 0) return null;
    const items = listing.episodes.map(toFeedItem);
    const { text } = formatFeed({
      title: listing.name,
      description: null,
      author: null,
      language: null,
      url: null,
      thumbnailUrl: null,
      items,
      total: items.length,
    });
    return { text };
  },
});

const pageSource: ContentSource = {
  name: "page",
  run: async (context, partial) => {
    if (partial.text) return null;
    const { head, resource } = await fetchHead(context, { service: DIRECTORY, url: context.url, acceptLanguage: "en" });
    return resultFromHead(head, resource.url);
  },
};

/** A show becomes a tile that lists its episodes, newest first. */
export const showReader: SiteReader = {
  name: "show",
  subtypes: ["SHOW"],
  missing: { code: "truncated", message: "The show's own feed could not be read, so episodes or notes are missing. Retry later." },
  sources: () => {
    const state: RunState = { listing: null };
    return [createDirectorySource(state), createFeedSource(state), createListedSource(state), pageSource];
  },
};
