import { parseFeed } from "feedsmith";
import { getArray, getNumber, getString, getValue } from "../json-access.ts";
import { getAuthor, getDate, findEnclosure, findPlainText, findString, findLink, getTitle } from "./fields.ts";
import { repairFeed, truncateFeed } from "./repair.ts";

/** An entry of a feed. Missing values are null or empty. */
export type FeedItem = {
  readonly id: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly author: string | null;
  /** ISO 8601. */
  readonly publishedAt: string | null;
  /** The entry's content as plain text with paragraphs, or its summary if it has no content. */
  readonly text: string;
  readonly durationSeconds: number | null;
  readonly thumbnailUrl: string | null;
  /** The audio or video file of an episode, or the first file of any type. */
  readonly enclosure: { readonly url: string; readonly type: string | null } | null;
  /** `podcast:transcript` files, in the feed's order. */
  readonly transcripts: readonly { readonly url: string; readonly type: string | null; readonly language: string | null }[];
};

export type ParsedFeed = {
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly language: string | null;
  /** The website of the feed. */
  readonly url: string | null;
  readonly thumbnailUrl: string | null;
  /** In the order of the feed, at most 2,000. */
  readonly items: readonly FeedItem[];
  /** Number of entries in the feed, including those beyond the limit. */
  readonly total: number;
};

/** Feeds with more entries are archives. */
const MAX_ITEMS = 2_000;

function toFeedItem(value: unknown): FeedItem {
  const node = { value };
  const seconds = getNumber(value, "itunes", "duration") ?? getNumber(value, "attachments", 0, "duration_in_seconds");
  return {
    id: findString(node, ["guid", "value"], ["guid"], ["id"], ["rdf", "about"]),
    title: getTitle(node),
    url: findLink(value),
    author: getAuthor(node),
    publishedAt: getDate(node),
    text: findPlainText(
      node,
      ["content", "encoded"],
      ["content"],
      ["content_html"],
      ["content_text"],
      ["description"],
      ["summary"],
      ["itunes", "summary"],
      ["media", "groups", 0, "description"],
      ["media", "description"],
    ),
    durationSeconds: seconds !== null && seconds > 0 ? seconds : null,
    thumbnailUrl: findString(
      node,
      ["itunes", "image"],
      ["media", "groups", 0, "thumbnails", 0, "url"],
      ["media", "thumbnails", 0, "url"],
      ["image"],
    ),
    enclosure: findEnclosure(value),
    transcripts: getArray(value, "podcast", "transcripts").flatMap((entry) => {
      const url = getString(entry, "url");
      return url === null ? [] : [{ url, type: getString(entry, "type"), language: getString(entry, "language") }];
    }),
  };
}

/** Parses a feed. Returns null if it is invalid. */
function tryParse(text: string): unknown {
  try {
    return (parseFeed(text) as { feed: unknown }).feed;
  } catch {
    return null;
  }
}

/**
 * Reads RSS 0.9 to 2.0, Atom, RDF and JSON Feed. Returns null if the text is none of them. A feed that is truncated or surrounded by
 * other text is read up to its last complete entry. Entities that a feed declares are never expanded.
 */
export function readFeed(text: string): ParsedFeed | null {
  const input = text.replace(/^\uFEFF/, "").trim();
  const truncated = truncateFeed(input, MAX_ITEMS);
  const complete = truncated?.text ?? input;
  let feed = tryParse(complete);
  if (feed === null) {
    const repaired = repairFeed(complete);
    feed = repaired === null ? null : tryParse(repaired);
  }
  if (feed === null || typeof feed !== "object") return null;
  const node = { value: feed };
  const entries = getValue(feed, "entries") === undefined ? getArray(feed, "items") : getArray(feed, "entries");
  return {
    title: getTitle(node),
    description: findPlainText(node, ["description"], ["subtitle"], ["itunes", "summary"], ["tagline"]) || null,
    author: getAuthor(node),
    language: findString(node, ["language"], ["lang"], ["xml", "lang"], ["dc", "languages", 0]),
    url: findLink(feed),
    thumbnailUrl: findString(node, ["itunes", "image"], ["image", "url"], ["icon"], ["logo"]),
    items: entries.slice(0, MAX_ITEMS).map(toFeedItem),
    total: truncated?.total ?? entries.length,
  };
}
