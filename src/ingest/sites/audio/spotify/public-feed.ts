import { getArray, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Step } from "../../../extract/sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { findingOfFeed } from "../../../formats/feed/feed.ts";
import { DIRECTORY, isFeedAddress } from "../../../extract/podcast/directory.ts";
import { bare, findingOfItem, findItem, takeFeed } from "../../../extract/podcast/feed-episode.ts";

/** The feed of the show that has exactly this name; null where the directory knows none, or several that differ in their maker. */
async function feedOfShow(context: ExtractContext, show: string): Promise<string | null> {
  const url = new URL("https://itunes.apple.com/search?media=podcast&entity=podcast&limit=10");
  url.searchParams.set("term", show.slice(0, 200));
  const answer = await fetchJson(context, { service: DIRECTORY, url });
  const named = getArray(answer, "results").filter((one) => bare(getString(one, "collectionName")) === bare(show));
  const makers = new Set(named.map((one) => bare(getString(one, "artistName"))));
  const feedUrl = getString(named[0], "feedUrl");
  return makers.size === 1 && isFeedAddress(feedUrl) ? feedUrl : null;
}

/**
 * Most shows on Spotify publish a feed as well, with whole notes and sometimes transcripts. It is taken only where Apple's
 * directory knows one show of exactly this name, and an episode only where its title is exactly the same.
 */
export const publicFeed: Step = {
  name: "the show's own feed",
  take: async (context, soFar): Promise<PartialResult | null> => {
    const isShow = context.kind.subtype === "SHOW";
    const show = isShow ? soFar.title : context.kind.subtype === "EPISODE" ? soFar.metadata?.author : null;
    if (!show || bare(show) === "" || !soFar.title) return null;
    const address = await feedOfShow(context, show);
    if (address === null) return null;
    const { feed, url } = await takeFeed(context, address);
    if (isShow) return findingOfFeed(feed, url);
    const item = findItem(feed.items, { guid: null, audio: null, title: soFar.title, publishedAt: soFar.metadata?.publishedAt ?? null });
    return item === undefined ? null : findingOfItem(context, item, feed, url);
  },
};
