import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getNumber, getString } from "../../../read/json-access.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import {
  DIRECTORY,
  type EpisodeReference,
  resultFromEpisode,
  lookUpShow,
  toEpisodeReference,
  parseShowId,
} from "../../../extract/podcast/directory.ts";
import { FEED_TIMEOUT_MS, resultFromItem, matchItem, fetchShowFeed } from "../../../extract/podcast/feed-episode.ts";

/** State that the sources of one run share. */
type RunState = { feedUrl: string | null; reference: EpisodeReference | null; notes: string | null };

const createDirectorySource = (state: RunState): ContentSource => ({
  name: "directory",
  run: async (context) => {
    const showId = parseShowId(context.url);
    if (showId === null) return null;
    const listing = await lookUpShow(context, showId);
    state.feedUrl = listing.feedUrl;
    const episode = listing.episodes.find((one) => String(getNumber(one, "trackId")) === context.kind.id);
    if (episode === undefined) return null;
    state.reference = toEpisodeReference(episode);
    state.notes = getString(episode, "description") ?? getString(episode, "shortDescription");
    return resultFromEpisode(listing, episode);
  },
});

/** The directory lists only the latest episodes; older ones are read from the page. */
const createPageSource = (state: RunState): ContentSource => ({
  name: "page",
  run: async (context) => {
    if (state.reference !== null) return null;
    const { head, resource } = await fetchHead(context, { service: DIRECTORY, url: context.url, acceptLanguage: "en" });
    const found = resultFromHead(head, resource.url);
    const jsonLd = head.jsonLd.find((one) => /^PodcastEpisode$/i.test(getString(one, "@type") ?? ""));
    const title = getString(jsonLd, "name") ?? found.title?.replace(/ - (?:Apple Podcasts|Podcast Episode.*)$/, "") ?? null;
    const publishedAt = toIsoDate(getString(jsonLd, "datePublished"));
    state.reference = { guid: null, audio: null, title, publishedAt };
    state.notes = getString(jsonLd, "description") ?? found.text ?? null;
    return {
      title,
      metadata: omitEmpty({ ...found.metadata, siteName: DIRECTORY, author: getString(jsonLd, "partOfSeries", "name"), publishedAt }),
    };
  },
});

const createFeedSource = (state: RunState): ContentSource => ({
  name: "feed",
  timeoutMs: FEED_TIMEOUT_MS,
  run: async (context) => {
    if (state.feedUrl === null || state.reference === null) return null;
    const { feed: read, url } = await fetchShowFeed(context, state.feedUrl);
    const item = matchItem(read.items, state.reference);
    if (item === undefined) return null;
    const found = await resultFromItem(context, item, read, url);
    return { ...found, text: found.text || state.notes };
  },
});

/** The description from the directory or the page, used if the feed has none. */
const createNotesSource = (state: RunState): ContentSource => ({
  name: "notes",
  run: async (_context, partial): Promise<PartialResult | null> => (partial.text || state.notes === null ? null : { text: state.notes }),
});

/** Reads an episode of Apple's directory: its notes, and the transcript that the show's own feed links to. */
export const episodeReader: SiteReader = {
  name: "episode",
  subtypes: ["EPISODE"],
  missing: {
    code: "no_transcript",
    message: "No transcript of this episode could be read; only its notes were kept. Retry later, or paste a transcript.",
  },
  sources: () => {
    const state: RunState = { feedUrl: null, reference: null, notes: null };
    return [createDirectorySource(state), createPageSource(state), createFeedSource(state), createNotesSource(state)];
  },
};
