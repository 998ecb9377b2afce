import type { TileWarning } from "#domain/content/tile.ts";
import type { FeedItem, ParsedFeed } from "../../read/feed/feed.ts";

const MAX_ENTRIES = 100;
/** Below the maximum length of a tile's text, so that entries are kept whole. */
const MAX_CHARACTERS = 900_000;

/** Newest first; entries without a date follow in the order of the feed. */
export const newestFirst = (items: readonly FeedItem[]): FeedItem[] =>
  items.toSorted((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""));

/** Formats seconds as `1:02:03` or `2:03`. */
export function formatDuration(seconds: number | null): string | null {
  if (seconds === null || seconds <= 0) return null;
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

function entryOf(item: FeedItem, feedAuthor: string | null): string {
  const about = [item.author === feedAuthor ? null : item.author, item.publishedAt?.slice(0, 10), formatDuration(item.durationSeconds)]
    .filter(Boolean)
    .join(" · ");
  const words = item.text === item.title ? "" : item.text;
  return [item.title === null ? (item.url === null ? "" : `## ${item.url}`) : `## ${item.title}`, about, words]
    .filter(Boolean)
    .join("\n\n");
}

/** Formats a feed's description and its newest entries, as many as fit, with a warning where some do not. */
export function formatFeed(feed: ParsedFeed): { readonly text: string; readonly warnings: readonly TileWarning[] } {
  const parts: string[] = feed.description === null || feed.description === feed.title ? [] : [feed.description];
  let length = parts[0]?.length ?? 0;
  let count = 0;
  for (const item of newestFirst(feed.items)) {
    const entry = entryOf(item, feed.author);
    if (count >= MAX_ENTRIES || (count > 0 && length + entry.length > MAX_CHARACTERS)) break;
    count++;
    if (entry === "") continue;
    parts.push(entry);
    length += entry.length + 2;
  }
  const message = `The feed has ${feed.total} entries; only the newest ${count} were kept.`;
  return { text: parts.join("\n\n"), warnings: count < feed.total ? [{ code: "truncated", message }] : [] };
}
