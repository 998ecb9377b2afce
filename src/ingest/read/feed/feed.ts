import { parseFeed } from "feedsmith";
import { toIsoDate } from "../../clean/dates.ts";
import { replaceInvalidCharacters } from "../../clean/text.ts";
import { truncateFeed, repairFeed } from "./repair.ts";
import { feedTitleToText, feedToText } from "./feed-text.ts";
import { getValue, getArray, getNumber, getString } from "../json-access.ts";

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

type FeedNode = { readonly value: unknown };

/** The first string at one of the paths. The parser returns Atom text as an object with a `value`. */
function firstString({ value }: FeedNode, ...paths: readonly (readonly (string | number)[])[]): string | null {
  for (const path of paths) {
    const found = getString(value, ...path) ?? getString(value, ...path, "value");
    if (found !== null) return replaceInvalidCharacters(found);
  }
  return null;
}

/** As `firstString`, converted from HTML to text. Atom content of type `text` and JSON Feed's `content_text` are plain text already. */
function firstPlainText(node: FeedNode, ...paths: readonly (readonly (string | number)[])[]): string {
  for (const path of paths) {
    const found = firstString(node, path);
    if (found === null) continue;
    const isPlain = path[0] === "content_text" || getString(node.value, ...path, "type") === "text";
    const text = isPlain ? found : feedToText(found);
    if (text !== "") return text;
  }
  return "";
}

const titleOf = (node: FeedNode): string | null => {
  const title = firstString(node, ["title"], ["itunes", "title"]);
  // Atom's titles are plain text unless they say otherwise (RFC 4287, 3.1.1).
  const isPlain = getValue(node.value, "title", "value") !== undefined && !/html/i.test(getString(node.value, "title", "type") ?? "");
  return title === null ? null : feedTitleToText(title, isPlain) || null;
};

/** The address of the feed or entry as a web page. Atom has several links: `alternate` is preferred, feed-related ones are ignored. */
function linkOf(value: unknown): string | null {
  const links = [...getArray(value, "links"), ...getArray(value, "atom", "links")];
  const alternate =
    links.find((link) => (getString(link, "rel") ?? "alternate") === "alternate") ??
    links.find((link) => !/^(?:self|hub|enclosure|edit|next|first|last|search|replies|license)$/i.test(getString(link, "rel") ?? ""));
  const permanent = getValue(value, "guid", "isPermaLink") === false ? null : getString(value, "guid", "value");
  return (
    getString(value, "link") ??
    getString(value, "url") ??
    getString(value, "home_page_url") ??
    getString(alternate, "href") ??
    (/^https?:\/\//i.test(permanent ?? "") ? permanent : null)
  );
}

function enclosureOf(value: unknown): FeedItem["enclosure"] {
  const files = [
    ...getArray(value, "enclosures"),
    ...getArray(value, "attachments"),
    ...getArray(value, "links").filter((link) => getString(link, "rel") === "enclosure"),
    ...getArray(value, "media", "contents"),
  ].flatMap((file) => {
    const url = getString(file, "url") ?? getString(file, "href");
    return url === null ? [] : [{ url, type: getString(file, "type") ?? getString(file, "mime_type") }];
  });
  return files.find(({ type }) => /^(?:audio|video)\//i.test(type ?? "")) ?? files[0] ?? null;
}

const authorOf = (node: FeedNode): string | null =>
  firstString(
    node,
    ["authors", 0, "name"],
    ["dc", "creators", 0],
    ["itunes", "author"],
    ["authors", 0],
    ["author", "name"],
    ["managingEditor", "name"],
    ["managingEditor"],
  );

/** The time zone names of RFC 822; other zones are numeric. */
const ZONES: Readonly<Record<string, string>> = {
  EST: "-0500",
  EDT: "-0400",
  CST: "-0600",
  CDT: "-0500",
  MST: "-0700",
  MDT: "-0600",
  PST: "-0800",
  PDT: "-0700",
};

function dateOf(node: FeedNode): string | null {
  const date = firstString(
    node,
    ["pubDate"],
    ["published"],
    ["date_published"],
    ["dc", "dates", 0],
    ["dcterms", "created", 0],
    ["updated"],
    ["date_modified"],
  );
  return toIsoDate(date?.replace(/\b([ECMP][SD]T)$/, (zone) => ZONES[zone] ?? zone));
}

function itemOf(value: unknown): FeedItem {
  const node = { value };
  const seconds = getNumber(value, "itunes", "duration") ?? getNumber(value, "attachments", 0, "duration_in_seconds");
  return {
    id: firstString(node, ["guid", "value"], ["guid"], ["id"], ["rdf", "about"]),
    title: titleOf(node),
    url: linkOf(value),
    author: authorOf(node),
    publishedAt: dateOf(node),
    text: firstPlainText(
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
    thumbnailUrl: firstString(
      node,
      ["itunes", "image"],
      ["media", "groups", 0, "thumbnails", 0, "url"],
      ["media", "thumbnails", 0, "url"],
      ["image"],
    ),
    enclosure: enclosureOf(value),
    transcripts: getArray(value, "podcast", "transcripts").flatMap((entry) => {
      const url = getString(entry, "url");
      return url === null ? [] : [{ url, type: getString(entry, "type"), language: getString(entry, "language") }];
    }),
  };
}

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
    title: titleOf(node),
    description: firstPlainText(node, ["description"], ["subtitle"], ["itunes", "summary"], ["tagline"]) || null,
    author: authorOf(node),
    language: firstString(node, ["language"], ["lang"], ["xml", "lang"], ["dc", "languages", 0]),
    url: linkOf(feed),
    thumbnailUrl: firstString(node, ["itunes", "image"], ["image", "url"], ["icon"], ["logo"]),
    items: entries.slice(0, MAX_ITEMS).map(itemOf),
    total: truncated?.total ?? entries.length,
  };
}
