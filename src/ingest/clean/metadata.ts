import { toIsoDate } from "./dates.ts";
import type { Measure } from "./measure/measure.ts";
import { normaliseTitle, replaceInvalidCharacters, normaliseLanguageTag, truncateText } from "./text.ts";

/** A page's metadata. */
export type PageMetadata = {
  readonly title: string | null;
  readonly author: string | null;
  readonly siteName: string | null;
  readonly publishedAt: string | null;
  readonly language: string | null;
  readonly thumbnailUrl: string | null;
  readonly canonicalUrl: string | null;
  /** False if the publisher declares that readers must pay. */
  readonly free: boolean;
};

type Json = Readonly<Record<string, unknown>>;
/** Types of schema.org that describe content, and those of articles. */
const CONTENT_TYPE =
  /Article|Posting|Report|Recipe|WebPage|Product|Event|Movie|Book|Podcast|Video|Question|HowTo|CreativeWork|Review|Dataset|Course/;
const ARTICLE_TYPE = /Article|Posting|Report|Recipe|Question|HowTo|Review/;
const MAX_NODES = 500;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const getTypes = (node: Json): string => toList(node["@type"]).join(" ");

/** Parses a JSON-LD block; null if it is invalid. */
function parseBlock(source: string): unknown {
  try {
    // Line breaks inside strings are the most frequent error in JSON-LD.
    const start = source.search(/[{[]/);
    const end = Math.max(source.lastIndexOf("}"), source.lastIndexOf("]"));
    return JSON.parse(source.slice(start, end + 1).replace(/[\r\n\t]+/g, " "));
  } catch {
    return null;
  }
}

/** Finds the node that describes the page's content. An article is preferred to the page that contains it. */
function findMainNode(blocks: readonly string[]): Json {
  const nodes: Json[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > 4 || nodes.length >= MAX_NODES) return;
    for (const item of toList(value)) {
      if (!isObject(item)) continue;
      nodes.push(item);
      visit(item["@graph"], depth + 1);
      visit(item["mainEntity"], depth + 1);
    }
  };
  for (const block of blocks) visit(parseBlock(block), 0);
  return nodes.find((node) => ARTICLE_TYPE.test(getTypes(node))) ?? nodes.find((node) => CONTENT_TYPE.test(getTypes(node))) ?? {};
}

function findString(value: unknown, keys: readonly string[]): string | null {
  for (const item of toList(value)) {
    if (typeof item === "string" && item.trim() !== "") return item.trim();
    if (!isObject(item)) continue;
    for (const key of keys) {
      const inner = findString(item[key], []);
      if (inner !== null) return inner;
    }
  }
  return null;
}

/** Joins the names of people or organisations, at most ten. */
function joinNames(value: unknown): string | null {
  const found = toList(value)
    .map((item) => findString(item, ["name"]))
    .filter((name) => name !== null && !/^https?:/i.test(name));
  return found.length === 0 ? null : [...new Set(found)].slice(0, 10).join(", ");
}

function toAbsoluteUrl(address: string | null | undefined, base: string): string | null {
  if (!address) return null;
  const url = URL.parse(address.trim(), base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2048 && !url.username ? url.href : null;
}

/** Formats a text as one line of at most 300 code points without tags; null if it is empty. */
const toLine = (text: string | null | undefined): string | null => {
  const line = normaliseTitle(text?.replace(/<[^<>]{0,200}>/g, ""));
  return line === null ? null : truncateText(line, 300).text;
};

/** Removes "by" before an author's name. Returns null for technical accounts such as "admin". */
export function toAuthorName(text: string | null | undefined): string | null {
  const name = toLine(text?.replace(/^\s*(?:by|von|par|por)\s+(?=\S)/i, ""));
  return name !== null && /^(?:admin|administrator|webmaster|root|user)$/i.test(name) ? null : name;
}

/** Removes the site's name after the title, if the title starts with the page's heading. */
function removeSiteName(title: string | null, heading: string | null): string | null {
  const own = normaliseTitle(heading);
  if (title === null || own === null || own.length < 4 || !title.startsWith(own)) return title;
  return /^\s+[-–—|·•:»/]\s/.test(title.slice(own.length)) ? own : title;
}

const findFirst = <T>(candidates: readonly (T | null | undefined)[]): T | null =>
  candidates.find((one) => one !== null && one !== undefined) ?? null;

/**
 * Reads a page's metadata. Each field comes from the first source that has it: JSON-LD (schema.org), Open Graph (ogp.me), or the page
 * itself. Addresses are absolute http(s), dates ISO 8601, languages BCP 47 tags.
 */
export function readMetadata(measure: Measure, url: string): PageMetadata {
  const node = findMainNode(measure.jsonLd);
  const getMeta = (name: string): string | null => measure.meta.get(name) ?? null;
  const getPerson = (name: string): string | null => (/^https?:|^@?$/i.test(getMeta(name) ?? "") ? null : getMeta(name));
  return {
    title: findFirst([
      normaliseTitle(
        decodeHeadline(findString(node["headline"], []) ?? (ARTICLE_TYPE.test(getTypes(node)) ? findString(node["name"], []) : null)),
      ),
      removeSiteName(normaliseTitle(getMeta("og:title")), measure.heading),
      removeSiteName(normaliseTitle(getMeta("twitter:title")), measure.heading),
      removeSiteName(normaliseTitle(measure.title), measure.heading),
      normaliseTitle(measure.heading),
    ]),
    author: findFirst([
      toAuthorName(joinNames(node["author"] ?? node["creator"])),
      toAuthorName(getPerson("article:author")),
      toAuthorName(getPerson("author")),
      toAuthorName(getPerson("dc.creator")),
    ]),
    siteName: findFirst([
      toLine(findString(node["publisher"], ["name"])),
      toLine(getMeta("og:site_name")),
      toLine(getMeta("application-name")),
    ]),
    publishedAt: findFirst([
      toIsoDate(findString(node["datePublished"], ["@value"])),
      toIsoDate(getMeta("article:published_time")),
      toIsoDate(getMeta("og:article:published_time")),
      toIsoDate(getMeta("datepublished")),
      toIsoDate(getMeta("date")),
      toIsoDate(getMeta("dc.date")),
      toIsoDate(getMeta("dc.date.issued")),
      toIsoDate(getMeta("pubdate")),
      toIsoDate(measure.published),
    ]),
    language: findFirst([
      normaliseLanguageTag(findString(node["inLanguage"], ["alternateName", "name"])),
      normaliseLanguageTag(getMeta("og:locale")),
      normaliseLanguageTag(measure.language),
    ]),
    thumbnailUrl: findFirst([
      toAbsoluteUrl(findString(node["image"] ?? node["thumbnailUrl"], ["url", "contentUrl"]), url),
      toAbsoluteUrl(getMeta("og:image:secure_url"), url),
      toAbsoluteUrl(getMeta("og:image"), url),
      toAbsoluteUrl(getMeta("og:image:url"), url),
      toAbsoluteUrl(getMeta("twitter:image"), url),
      toAbsoluteUrl(getMeta("twitter:image:src"), url),
    ]),
    canonicalUrl: findFirst([toAbsoluteUrl(measure.canonical, url), toAbsoluteUrl(getMeta("og:url"), url)]),
    free: !/^false$/i.test(String(node["isAccessibleForFree"] ?? "")),
  };
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
  nbsp: " ",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
};

/** Decodes HTML entities, which publishers write into JSON strings by mistake. */
function decodeHeadline(text: string | null): string | null {
  return text === null
    ? null
    : replaceInvalidCharacters(text).replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
        if (name) return NAMED_ENTITIES[name.toLowerCase()] ?? all;
        const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
        return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : all;
      });
}
