import { IngestError } from "#domain/content/job.ts";
import { isFeedText } from "../read/feed/detect.ts";
import type { ExtractContext, Extractor } from "../extract/extractor.ts";
import { runSources } from "../extract/sources/run-sources.ts";
import { findServiceInterstitial } from "../extract/fetch/interstitials.ts";
import { fetchText } from "../extract/fetch/request.ts";
import { webPage } from "./web-page.ts";
import { FEED_ACCEPT, resultFromFeed } from "../extract/feeds/feed-result.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const TRUNCATED = { code: "truncated", message: "The feed is very large; only its beginning was read." };

const unreadableFeedError = (): IngestError =>
  new IngestError("no_text", "The feed is invalid or empty. Add the page that it belongs to instead.", {
    stage: "extract",
  });

const extract: Extractor["extract"] = async (context: ExtractContext) => {
  const { text, resource } = await fetchText(context, {
    service: context.url.host,
    url: context.url,
    accept: FEED_ACCEPT,
    maxBytes: MAX_BYTES,
  });
  const feed = await context.reader.feed(text, context.signal);
  if (feed !== null) {
    const found = resultFromFeed(feed, resource.url);
    const warnings = resource.truncated ? [TRUNCATED] : (found.warnings ?? []);
    return runSources({
      missing: { code: "no_text", message: "The feed has no entries. Retry when it has some." },
      sources: [{ name: "feed", run: async () => ({ ...found, warnings }) }],
    })(context);
  }
  const interstitial = findServiceInterstitial(context.url.host, resource.url, text);
  if (interstitial !== null) throw interstitial;
  if (isFeedText(text.slice(0, 4_096))) throw unreadableFeedError();
  // The address looks like that of a feed, but the response is a page.
  return webPage.extract({ ...context, fetched: resource });
};

/** Reads feeds. */
export const feed: Extractor = { name: "feed", accepts: ({ type }) => type === "FEED", extract };
