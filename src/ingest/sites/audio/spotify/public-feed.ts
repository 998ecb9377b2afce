import { getArray, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { resultFromFeed } from "../../../extract/feeds/feed-result.ts";
import { DIRECTORY, isFeedAddress } from "../../../extract/podcast/directory.ts";
import { normaliseName, resultFromItem, matchItem, fetchShowFeed } from "../../../extract/podcast/feed-episode.ts";

/** Finds the feed of the show with exactly this name. Returns null if the directory has none, or several by different makers. */
async function findShowFeed(context: ExtractContext, show: string): Promise<string | null> {
  const url = new URL("https://itunes.apple.com/search?media=podcast&entity=podcast&limit=10");
  url.searchParams.set("term", show.slice(0, 200));
  const response = await fetchJson(context, { service: DIRECTORY, url });
  const named = getArray(response, "results").filter((one) => normaliseName(getString(one, "collectionName")) === normaliseName(show));
  const makers = new Set(named.map((one) => normaliseName(getString(one, "artistName"))));
  const feedUrl = getString(named[0], "feedUrl");
  return makers.size === 1 && isFeedAddress(feedUrl) ? feedUrl : null;
}

/**
 * Most shows on Spotify also publish a feed, with complete notes and sometimes transcripts. It is used only if Apple's directory has
 * one show of exactly this name, and an episode only if its title is exactly the same.
 */
export const publicFeed: ContentSource = {
  name: "the show's own feed",
  run: async (context, partial): Promise<PartialResult | null> => {
    const isShow = context.kind.subtype === "SHOW";
    const show = isShow ? partial.title : context.kind.subtype === "EPISODE" ? partial.metadata?.author : null;
    if (!show || normaliseName(show) === "" || !partial.title) return null;
    const address = await findShowFeed(context, show);
    if (address === null) return null;
    const { feed, url } = await fetchShowFeed(context, address);
    if (isShow) return resultFromFeed(feed, url);
    const item = matchItem(feed.items, {
      guid: null,
      audio: null,
      title: partial.title,
      publishedAt: partial.metadata?.publishedAt ?? null,
    });
    return item === undefined ? null : resultFromItem(context, item, feed, url);
  },
};
