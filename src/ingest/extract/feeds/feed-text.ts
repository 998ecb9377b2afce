import type { TileWarning } from "#domain/content/tile.ts";
import type { FeedItem, ParsedFeed } from "../../read/feed/feed.ts";
import { formatTimestamp } from "../../read/timestamps.ts";

const MAX_ENTRIES = 100;
/** Below the maximum length of a tile's text, so that entries are kept whole. */
const MAX_CHARACTERS = 900_000;

/** Sorts entries, the newest first. Entries without a date follow in the order of the feed. */
export const sortNewestFirst = (items: readonly FeedItem[]): FeedItem[] =>
  items.toSorted((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""));

/** Formats a duration, rounded to seconds, as `1:02:03` or `2:03`. Returns null if it is unknown or 0. */
export const formatDuration = (seconds: number | null): string | null =>
  seconds === null || seconds <= 0 ? null : formatTimestamp(Math.round(seconds));

/** Formats an entry: its title as a heading, then author, date and duration in one line, then its text. */
function formatEntry(item: FeedItem, feedAuthor: string | null): string {
  const details = [item.author === feedAuthor ? null : item.author, item.publishedAt?.slice(0, 10), formatDuration(item.durationSeconds)]
    .filter(Boolean)
    .join(" · ");
  const text = item.text === item.title ? "" : item.text;
  const name = item.title ?? item.url;
  return [name === null ? "" : `## ${name}`, details, text].filter(Boolean).join("\n\n");
}

/** Formats a feed's description and its newest entries. If not all entries fit, a warning says how many were kept. */
export function formatFeed(feed: ParsedFeed): { readonly text: string; readonly warnings: readonly TileWarning[] } {
  const parts: string[] = feed.description === null || feed.description === feed.title ? [] : [feed.description];
  let length = parts[0]?.length ?? 0;
  let count = 0;
  for (const item of sortNewestFirst(feed.items)) {
    const entry = formatEntry(item, feed.author);
    if (count >= MAX_ENTRIES || (count > 0 && length + entry.length > MAX_CHARACTERS)) break;
    count++;
    if (entry === "") continue;
    parts.push(entry);
    length += entry.length + 2;
  }
  const message = `The feed has ${feed.total} entries; only the newest ${count} were kept.`;
  return { text: parts.join("\n\n"), warnings: count < feed.total ? [{ code: "truncated", message }] : [] };
}
