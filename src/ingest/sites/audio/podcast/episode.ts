import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getNumber, getString } from "../../../read/json-access.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { DIRECTORY, type EpisodeMarks, resultFromEpisode, lookUpShow, marksOf, showIdOf } from "../../../extract/podcast/directory.ts";
import { FEED_TIMEOUT_MS, resultFromItem, matchItem, fetchShowFeed } from "../../../extract/podcast/feed-episode.ts";

/** What the steps of one run hand on to each other. */
type Trail = { feedUrl: string | null; marks: EpisodeMarks | null; notes: string | null };

const directory = (trail: Trail): Source => ({
  name: "directory",
  run: async (context) => {
    const showId = showIdOf(context.url);
    if (showId === null) return null;
    const listing = await lookUpShow(context, showId);
    trail.feedUrl = listing.feedUrl;
    const episode = listing.episodes.find((one) => String(getNumber(one, "trackId")) === context.kind.id);
    if (episode === undefined) return null;
    trail.marks = marksOf(episode);
    trail.notes = getString(episode, "description") ?? getString(episode, "shortDescription");
    return resultFromEpisode(listing, episode);
  },
});

/** The page people see: episodes older than the directory's latest are only there. */
const page = (trail: Trail): Source => ({
  name: "page",
  run: async (context) => {
    if (trail.marks !== null) return null;
    const { head, resource } = await fetchHead(context, { service: DIRECTORY, url: context.url, acceptLanguage: "en" });
    const found = resultFromHead(head, resource.url);
    const told = head.jsonLd.find((one) => /^PodcastEpisode$/i.test(getString(one, "@type") ?? ""));
    const title = getString(told, "name") ?? found.title?.replace(/ - (?:Apple Podcasts|Podcast Episode.*)$/, "") ?? null;
    const publishedAt = toIsoDate(getString(told, "datePublished"));
    trail.marks = { guid: null, audio: null, title, publishedAt };
    trail.notes = getString(told, "description") ?? found.text ?? null;
    return {
      title,
      metadata: omitEmpty({ ...found.metadata, siteName: DIRECTORY, author: getString(told, "partOfSeries", "name"), publishedAt }),
    };
  },
});

const feed = (trail: Trail): Source => ({
  name: "feed",
  timeoutMs: FEED_TIMEOUT_MS,
  run: async (context) => {
    if (trail.feedUrl === null || trail.marks === null) return null;
    const { feed: read, url } = await fetchShowFeed(context, trail.feedUrl);
    const item = matchItem(read.items, trail.marks);
    if (item === undefined) return null;
    const found = await resultFromItem(context, item, read, url);
    return { ...found, text: found.text || trail.notes };
  },
});

/** Where the feed has nothing: the description that the directory or the page gave. */
const notes = (trail: Trail): Source => ({
  name: "notes",
  run: async (_context, partial): Promise<PartialResult | null> => (partial.text || trail.notes === null ? null : { text: trail.notes }),
});

/** An episode that Apple's directory lists: its notes, and the transcript that the show's own feed names. */
export const episodeReader: SiteReader = {
  name: "episode",
  subtypes: ["EPISODE"],
  missing: {
    code: "no_transcript",
    message: "No transcript of this episode could be had; only its notes were kept. Retry later, or paste a transcript.",
  },
  sources: () => {
    const trail: Trail = { feedUrl: null, marks: null, notes: null };
    return [directory(trail), page(trail), feed(trail), notes(trail)];
  },
};
