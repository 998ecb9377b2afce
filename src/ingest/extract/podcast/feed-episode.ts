import { IngestError } from "#domain/content/job.ts";
import type { FeedItem, ParsedFeed } from "../../read/feed/feed.ts";
import { omitEmpty } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchText } from "../fetch/request.ts";
import { sourceChangedError } from "../sources/errors.ts";
import { FEED_ACCEPT } from "../feeds/feed-result.ts";
import type { EpisodeReference } from "./directory.ts";
import { fetchTranscript } from "./transcript-file.ts";

/** Feeds of daily shows with long notes reach 20 MB. Their newest entries come first, so the start is enough. */
const MAX_BYTES = 16 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** The timeout of a source that reads such a feed and then a transcript. */
export const FEED_TIMEOUT_MS = 18_000;

const NO_TRANSCRIPT = {
  code: "no_transcript",
  message: "The show publishes no transcript of this episode; only its notes were kept. Paste a transcript, or configure speech to text.",
};

/** Fetches a show's feed. Throws `IngestError` for an error status, or `source_changed` if it is not a feed. */
export async function fetchShowFeed(
  context: ExtractContext,
  address: string,
): Promise<{ readonly feed: ParsedFeed; readonly url: string }> {
  const { text, resource } = await fetchText(context, {
    service: URL.parse(address)?.host ?? "The podcast's host",
    url: address,
    accept: FEED_ACCEPT,
    maxBytes: MAX_BYTES,
  });
  const feed = await context.reader.feed(text, context.signal);
  if (feed === null) throw sourceChangedError("The podcast's feed");
  return { feed, url: resource.url };
}

/** Normalises a name for comparison: letters and digits in lower case. */
export const normaliseName = (title: string | null): string =>
  (title ?? "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Removes tracking prefixes and the query from the address of an audio file, for comparison. */
const toFileKey = (address: string | null): string =>
  (address ?? "")
    .slice(0, 2_000)
    .replace(/[?#].*$/s, "")
    .replace(/^.*\/\/?([\w-]+(?:\.[\w-]+)+\/)/s, "$1");

/** Finds the entry by guid, then by audio file, then by title and date. Returns undefined if none matches. */
export function matchItem(items: readonly FeedItem[], reference: EpisodeReference): FeedItem | undefined {
  const byGuid = reference.guid === null ? undefined : items.find(({ id }) => id === reference.guid);
  const audio = toFileKey(reference.audio);
  const byFile = audio === "" ? undefined : items.find(({ enclosure }) => enclosure !== null && toFileKey(enclosure.url) === audio);
  if (byGuid ?? byFile) return byGuid ?? byFile;
  const title = normaliseName(reference.title);
  const named = title === "" ? [] : items.filter((item) => normaliseName(item.title) === title);
  const published = Date.parse(reference.publishedAt ?? "");
  if (named.length < 2 || Number.isNaN(published)) return named[0];
  const distance = ({ publishedAt }: FeedItem): number => Math.abs(Date.parse(publishedAt ?? "") - published) || 0;
  return named.toSorted((a, b) => distance(a) - distance(b)).find((item) => distance(item) < 30 * DAY_MS) ?? named[0];
}

/** Returns an episode from its feed, with its transcript if the show publishes one. */
export async function resultFromItem(context: ExtractContext, item: FeedItem, feed: ParsedFeed, base: string): Promise<PartialResult> {
  const about: PartialResult = {
    title: item.title,
    text: item.text,
    metadata: omitEmpty({
      author: feed.title ?? feed.author,
      authorUrl: feed.url,
      publishedAt: item.publishedAt,
      durationSeconds: item.durationSeconds,
      thumbnailUrl: item.thumbnailUrl ?? feed.thumbnailUrl,
      language: feed.language,
      canonicalUrl: item.url,
    }),
  };
  if (item.transcripts.length === 0) return { ...about, warnings: [NO_TRANSCRIPT], isComplete: true };
  try {
    const found = await fetchTranscript(context, item.transcripts, feed.language, base);
    if (found === null) return about;
    const { cues, text, language } = found;
    return {
      ...about,
      cues,
      text: [item.text, text].filter((part) => part !== "").join("\n\n"),
      metadata: { ...about.metadata, ...omitEmpty({ language: language ?? feed.language }) },
      isComplete: true,
    };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    return { ...about, error };
  }
}
