import { parseFeed } from "feedsmith";
import { toIsoDate } from "../../clean/dates.ts";
import { replaceInvalidCharacters } from "../../clean/text.ts";
import { cutFeed, mendFeed } from "./mend.ts";
import { feedTitle, feedWords } from "./words.ts";
import { getValue, getArray, getNumber, getString } from "../json-access.ts";

/** An entry of a feed; what the feed does not tell is null or empty. */
export type FeedItem = {
  readonly id: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly author: string | null;
  /** ISO 8601. */
  readonly publishedAt: string | null;
  /** The entry's words as plain text with paragraphs: its whole content, else its summary. */
  readonly text: string;
  readonly durationSeconds: number | null;
  readonly thumbnailUrl: string | null;
  /** The sound or video file of an episode, else the first file of any kind. */
  readonly enclosure: { readonly url: string; readonly type: string | null } | null;
  /** `podcast:transcript` files, as they are listed. */
  readonly transcripts: readonly { readonly url: string; readonly type: string | null; readonly language: string | null }[];
};

export type ParsedFeed = {
  readonly title: string | null;
  readonly description: string | null;
  readonly author: string | null;
  readonly language: string | null;
  /** The page people see. */
  readonly url: string | null;
  readonly thumbnailUrl: string | null;
  /** In the order of the feed, at most 2,000. */
  readonly items: readonly FeedItem[];
  /** How many entries the feed has. */
  readonly total: number;
};

/** Entries kept; a feed of more is an archive. */
const MAX_ITEMS = 2_000;

type Source = { readonly value: unknown };

/** The first text that stands at one of the paths; Atom's texts are objects with a value. */
function firstText({ value }: Source, ...paths: readonly (readonly (string | number)[])[]): string | null {
  for (const path of paths) {
    const found = getString(value, ...path) ?? getString(value, ...path, "value");
    if (found !== null) return replaceInvalidCharacters(found);
  }
  return null;
}

/** As `firstText`, as plain words; what Atom calls text, and JSON Feed's `content_text`, holds no markup. */
function firstWords(source: Source, ...paths: readonly (readonly (string | number)[])[]): string {
  for (const path of paths) {
    const found = firstText(source, path);
    if (found === null) continue;
    const isPlain = path[0] === "content_text" || getString(source.value, ...path, "type") === "text";
    const words = isPlain ? found : feedWords(found);
    if (words !== "") return words;
  }
  return "";
}

const titleOf = (source: Source): string | null => {
  const title = firstText(source, ["title"], ["itunes", "title"]);
  // Atom's titles are plain text unless they say otherwise (RFC 4287, 3.1.1).
  const isPlain = getValue(source.value, "title", "value") !== undefined && !/html/i.test(getString(source.value, "title", "type") ?? "");
  return title === null ? null : feedTitle(title, isPlain) || null;
};

/** The address of Atom's alternate link, else of any that is not the entry itself. */
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

const authorOf = (source: Source): string | null =>
  firstText(
    source,
    ["authors", 0, "name"],
    ["dc", "creators", 0],
    ["itunes", "author"],
    ["authors", 0],
    ["author", "name"],
    ["managingEditor", "name"],
    ["managingEditor"],
  );

/** The zones that RFC 822 names; all others are written as numbers. */
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

function dateOf(source: Source): string | null {
  const written = firstText(
    source,
    ["pubDate"],
    ["published"],
    ["date_published"],
    ["dc", "dates", 0],
    ["dcterms", "created", 0],
    ["updated"],
    ["date_modified"],
  );
  return toIsoDate(written?.replace(/\b([ECMP][SD]T)$/, (zone) => ZONES[zone] ?? zone));
}

function itemOf(value: unknown): FeedItem {
  const source = { value };
  const seconds = getNumber(value, "itunes", "duration") ?? getNumber(value, "attachments", 0, "duration_in_seconds");
  return {
    id: firstText(source, ["guid", "value"], ["guid"], ["id"], ["rdf", "about"]),
    title: titleOf(source),
    url: linkOf(value),
    author: authorOf(source),
    publishedAt: dateOf(source),
    text: firstWords(
      source,
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
    thumbnailUrl: firstText(
      source,
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

function parsed(text: string): unknown {
  try {
    return (parseFeed(text) as { feed: unknown }).feed;
  } catch {
    return null;
  }
}

/**
 * Reads RSS 0.9 to 2.0, Atom, RDF and JSON Feed; null where the text is none of them. A feed that was cut, or has something
 * else before or behind it, is read as far as its entries are whole. Entities that a feed declares for itself are never put in.
 */
export function readFeed(text: string): ParsedFeed | null {
  const given = text.replace(/^\uFEFF/, "").trim();
  const cut = cutFeed(given, MAX_ITEMS);
  const whole = cut?.text ?? given;
  let feed = parsed(whole);
  if (feed === null) {
    const mended = mendFeed(whole);
    feed = mended === null ? null : parsed(mended);
  }
  if (feed === null || typeof feed !== "object") return null;
  const source = { value: feed };
  const entries = getValue(feed, "entries") === undefined ? getArray(feed, "items") : getArray(feed, "entries");
  return {
    title: titleOf(source),
    description: firstWords(source, ["description"], ["subtitle"], ["itunes", "summary"], ["tagline"]) || null,
    author: authorOf(source),
    language: firstText(source, ["language"], ["lang"], ["xml", "lang"], ["dc", "languages", 0]),
    url: linkOf(feed),
    thumbnailUrl: firstText(source, ["itunes", "image"], ["image", "url"], ["icon"], ["logo"]),
    items: entries.slice(0, MAX_ITEMS).map(itemOf),
    total: cut?.total ?? entries.length,
  };
}
