import { toIsoDate } from "./dates.ts";
import type { Measure } from "./measure/measure.ts";
import { truncateText, normaliseTitle, replaceInvalidCharacters } from "./text.ts";

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
const WORK =
  /Article|Posting|Report|Recipe|WebPage|Product|Event|Movie|Book|Podcast|Video|Question|HowTo|CreativeWork|Review|Dataset|Course/;
const ARTICLE = /Article|Posting|Report|Recipe|Question|HowTo|Review/;
const MAX_NODES = 500;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const typeOf = (node: Json): string => listOf(node["@type"]).join(" ");

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

/** The node that describes the page's content; articles are preferred to the page that contains them. */
function mainNode(blocks: readonly string[]): Json {
  const nodes: Json[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > 4 || nodes.length >= MAX_NODES) return;
    for (const item of listOf(value)) {
      if (!isObject(item)) continue;
      nodes.push(item);
      visit(item["@graph"], depth + 1);
      visit(item["mainEntity"], depth + 1);
    }
  };
  for (const block of blocks) visit(parseBlock(block), 0);
  return nodes.find((node) => ARTICLE.test(typeOf(node))) ?? nodes.find((node) => WORK.test(typeOf(node))) ?? {};
}

function stringIn(value: unknown, keys: readonly string[]): string | null {
  for (const item of listOf(value)) {
    if (typeof item === "string" && item.trim() !== "") return item.trim();
    if (!isObject(item)) continue;
    for (const key of keys) {
      const inner = stringIn(item[key], []);
      if (inner !== null) return inner;
    }
  }
  return null;
}

function names(value: unknown): string | null {
  const found = listOf(value)
    .map((item) => stringIn(item, ["name"]))
    .filter((name) => name !== null && !/^https?:/i.test(name));
  return found.length === 0 ? null : [...new Set(found)].slice(0, 10).join(", ");
}

function absolute(address: string | null | undefined, base: string): string | null {
  if (!address) return null;
  const url = URL.parse(address.trim(), base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2048 && !url.username ? url.href : null;
}

function languageTag(tag: string | null | undefined): string | null {
  try {
    return Intl.getCanonicalLocales((tag ?? "").trim().replaceAll("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}

const line = (text: string | null | undefined): string | null => {
  const tidy = normaliseTitle(text?.replace(/<[^<>]{0,200}>/g, ""));
  return tidy === null ? null : truncateText(tidy, 300).text;
};
/** The author's name without "by". Returns null for technical accounts such as "admin". */
export function authorOf(text: string | null | undefined): string | null {
  const name = line(text?.replace(/^\s*(?:by|von|par|por)\s+(?=\S)/i, ""));
  return name !== null && /^(?:admin|administrator|webmaster|root|user)$/i.test(name) ? null : name;
}

/** Removes the site's name after the title, if the title starts with the page's heading. */
function ownTitle(title: string | null, heading: string | null): string | null {
  const own = normaliseTitle(heading);
  if (title === null || own === null || own.length < 4 || !title.startsWith(own)) return title;
  return /^\s+[-–—|·•:»/]\s/.test(title.slice(own.length)) ? own : title;
}

const firstOf = <T>(candidates: readonly (T | null | undefined)[]): T | null =>
  candidates.find((one) => one !== null && one !== undefined) ?? null;

/**
 * Reads a page's metadata. Each field comes from the first source that has it: JSON-LD (schema.org), Open Graph (ogp.me), or the page
 * itself. Addresses are absolute http(s), dates ISO 8601, languages BCP 47 tags.
 */
export function readMetadata(measure: Measure, url: string): PageMetadata {
  const node = mainNode(measure.jsonLd);
  const meta = (name: string): string | null => measure.meta.get(name) ?? null;
  const person = (name: string): string | null => (/^https?:|^@?$/i.test(meta(name) ?? "") ? null : meta(name));
  return {
    title: firstOf([
      normaliseTitle(decodeHeadline(stringIn(node["headline"], []) ?? (ARTICLE.test(typeOf(node)) ? stringIn(node["name"], []) : null))),
      ownTitle(normaliseTitle(meta("og:title")), measure.heading),
      ownTitle(normaliseTitle(meta("twitter:title")), measure.heading),
      ownTitle(normaliseTitle(measure.title), measure.heading),
      normaliseTitle(measure.heading),
    ]),
    author: firstOf([
      authorOf(names(node["author"] ?? node["creator"])),
      authorOf(person("article:author")),
      authorOf(person("author")),
      authorOf(person("dc.creator")),
    ]),
    siteName: firstOf([line(stringIn(node["publisher"], ["name"])), line(meta("og:site_name")), line(meta("application-name"))]),
    publishedAt: firstOf([
      toIsoDate(stringIn(node["datePublished"], ["@value"])),
      toIsoDate(meta("article:published_time")),
      toIsoDate(meta("og:article:published_time")),
      toIsoDate(meta("datepublished")),
      toIsoDate(meta("date")),
      toIsoDate(meta("dc.date")),
      toIsoDate(meta("dc.date.issued")),
      toIsoDate(meta("pubdate")),
      toIsoDate(measure.published),
    ]),
    language: firstOf([
      languageTag(stringIn(node["inLanguage"], ["alternateName", "name"])),
      languageTag(meta("og:locale")),
      languageTag(measure.language),
    ]),
    thumbnailUrl: firstOf([
      absolute(stringIn(node["image"] ?? node["thumbnailUrl"], ["url", "contentUrl"]), url),
      absolute(meta("og:image:secure_url"), url),
      absolute(meta("og:image"), url),
      absolute(meta("og:image:url"), url),
      absolute(meta("twitter:image"), url),
      absolute(meta("twitter:image:src"), url),
    ]),
    canonicalUrl: firstOf([absolute(measure.canonical, url), absolute(meta("og:url"), url)]),
    free: !/^false$/i.test(String(node["isAccessibleForFree"] ?? "")),
  };
}

/** Decodes HTML entities, which publishers write into JSON strings by mistake. */
function decodeHeadline(text: string | null): string | null {
  const NAMED: Readonly<Record<string, string>> = {
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
  return text === null
    ? null
    : replaceInvalidCharacters(text).replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
        if (name) return NAMED[name.toLowerCase()] ?? all;
        const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
        return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : all;
      });
}
