import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, getString } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchJson } from "../fetch/request.ts";

export const DIRECTORY = "Apple Podcasts";

/** Properties of an episode by which it is found in its show's feed. */
export type EpisodeReference = {
  readonly guid: string | null;
  readonly audio: string | null;
  readonly title: string | null;
  /** ISO 8601. */
  readonly publishedAt: string | null;
};

/** A show in the iTunes Search API, with its 200 latest episodes. */
export type Listing = {
  readonly name: string | null;
  readonly artist: string | null;
  readonly feedUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly pageUrl: string | null;
  readonly episodes: readonly unknown[];
};

/** Parses the show's id from the path. The episode's id is in the query. */
export const parseShowId = (url: URL): string | null => /\/id(\d{1,15})(?:\/|$)/.exec(url.pathname)?.[1] ?? null;

export const isFeedAddress = (address: string | null): address is string => /^https?:\/\//i.test(address ?? "");

/** Returns the query parameter for the store of the link: not every show is in the US store, the default. */
function toStoreParameter(url: URL): string {
  const country = /^\/([a-z]{2})\//i.exec(url.pathname)?.[1]?.toLowerCase() ?? "us";
  return country === "us" ? "" : `&country=${country}`;
}

/** Not permanent, because the page may still have the episode. */
const notListedError = (): IngestError =>
  new IngestError("not_found", "Apple's directory does not list this podcast. Check the link, or add the show's own feed.", {
    stage: "fetch",
  });

/**
 * Looks up a show: `/lookup?id=…&entity=podcastEpisode` returns the show and then its episodes, the newest first. Throws `IngestError`
 * `not_found` if the directory does not list it.
 */
export async function lookUpShow(context: ExtractContext, showId: string): Promise<Listing> {
  const response = await fetchJson(context, {
    service: DIRECTORY,
    url: `https://itunes.apple.com/lookup?id=${showId}&entity=podcastEpisode&limit=200${toStoreParameter(context.url)}`,
  });
  const results = getArray(response, "results");
  const show = results.find((one) => getString(one, "kind") === "podcast" || getString(one, "wrapperType") === "track");
  const episodes = results.filter(
    (one) => getString(one, "wrapperType") === "podcastEpisode" || getString(one, "kind") === "podcast-episode",
  );
  if (show === undefined && episodes.length === 0) throw notListedError();
  const feedUrl = getString(show, "feedUrl") ?? getString(episodes[0], "feedUrl");
  return {
    name: getString(show, "collectionName") ?? getString(episodes[0], "collectionName"),
    artist: getString(show, "artistName"),
    feedUrl: isFeedAddress(feedUrl) ? feedUrl : null,
    thumbnailUrl: getString(show, "artworkUrl600") ?? getString(show, "artworkUrl100"),
    pageUrl: getString(show, "collectionViewUrl"),
    episodes,
  };
}

export const toEpisodeReference = (episode: unknown): EpisodeReference => ({
  guid: getString(episode, "episodeGuid"),
  audio: getString(episode, "episodeUrl") ?? getString(episode, "previewUrl"),
  title: getString(episode, "trackName"),
  publishedAt: toIsoDate(getString(episode, "releaseDate")),
});

/** Returns title and metadata of a listed episode. Its description is used only if the feed has none. */
export function resultFromEpisode(listing: Listing, episode: unknown): PartialResult {
  const milliseconds = getNumber(episode, "trackTimeMillis");
  return {
    title: getString(episode, "trackName"),
    metadata: omitEmpty({
      author: listing.name,
      authorUrl: listing.pageUrl,
      siteName: DIRECTORY,
      publishedAt: toIsoDate(getString(episode, "releaseDate")),
      durationSeconds: milliseconds === null || milliseconds <= 0 ? null : Math.round(milliseconds / 1_000),
      thumbnailUrl: getString(episode, "artworkUrl600") ?? getString(episode, "artworkUrl160") ?? listing.thumbnailUrl,
    }),
  };
}
