import { toIsoDate } from "../../../clean/dates.ts";
import type { FeedItem } from "../../../read/feed/feed.ts";
import { omitEmpty, getNumber, getString } from "../../../read/json-access.ts";
import type { Extractor } from "../../../extract/extractor.ts";
import { chain, type Step } from "../../../extract/sources.ts";
import { askHead, findingOfHead } from "../../../extract/fetch/page-head.ts";
import { findingOfFeed } from "../../../formats/feed/feed.ts";
import { writeFeed } from "../../../formats/feed/feed-text.ts";
import { DIRECTORY, type Listing, lookUp } from "../../../extract/podcast/directory.ts";
import { FEED_STEP_MS, takeFeed } from "../../../extract/podcast/feed-episode.ts";

type Trail = { listing: Listing | null };

const metadataOf = (listing: Listing) =>
  omitEmpty({ siteName: DIRECTORY, author: listing.artist, thumbnailUrl: listing.thumbnailUrl, canonicalUrl: listing.pageUrl });

const directory = (trail: Trail): Step => ({
  name: "directory",
  take: async (context) => {
    const listing = await lookUp(context, context.kind.id ?? "");
    trail.listing = listing;
    return { title: listing.name, metadata: metadataOf(listing) };
  },
});

const feed = (trail: Trail): Step => ({
  name: "feed",
  timeMs: FEED_STEP_MS,
  take: async (context) => {
    const address = trail.listing?.feedUrl ?? null;
    if (address === null) return null;
    const read = await takeFeed(context, address);
    return findingOfFeed(read.feed, read.url);
  },
});

const itemOf = (episode: unknown): FeedItem => ({
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

/** The directory lists the latest episodes itself. */
const listed = (trail: Trail): Step => ({
  name: "listed episodes",
  take: async () => {
    const { listing } = trail;
    if (listing === null || listing.episodes.length === 0) return null;
    const items = listing.episodes.map(itemOf);
    const { text } = writeFeed({
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

const page: Step = {
  name: "page",
  take: async (context, soFar) => {
    if (soFar.text) return null;
    const { head, resource } = await askHead(context, { service: DIRECTORY, url: context.url, acceptLanguage: "en" });
    return findingOfHead(head, resource.url);
  },
};

/** A show becomes a tile that lists its episodes, the newest first. */
export const podcastShow: Extractor = {
  name: "podcast-show",
  accepts: ({ type, subtype, id }) => type === "PODCAST" && subtype === "SHOW" && id !== undefined,
  extract: (context) => {
    const trail: Trail = { listing: null };
    return chain({
      missing: { code: "truncated", message: "The show's own feed could not be read, so episodes or notes are missing. Retry later." },
      steps: [directory(trail), feed(trail), listed(trail), page],
    })(context);
  },
};
