import type { Measure } from "../measure/measure.ts";
import { normaliseLanguageTag } from "../text.ts";
import { findString, isArticle, type LinkedData } from "../embedded/linked-data.ts";
import { findAuthor, toLine } from "./authors.ts";
import { findPublished } from "./published.ts";
import { findTitle } from "./titles.ts";

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

function toAbsoluteUrl(address: string | null | undefined, base: string): string | null {
  if (!address) return null;
  const url = URL.parse(address.trim(), base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2048 && !url.username ? url.href : null;
}

const isFree = (value: unknown): boolean => value !== false && !(typeof value === "string" && /^false$/i.test(value));

const findFirst = <T>(candidates: readonly (T | null | undefined)[]): T | null =>
  candidates.find((one) => one !== null && one !== undefined) ?? null;

/**
 * Reads a page's metadata. Each field comes from the first source that has it: JSON-LD (schema.org), Open Graph (ogp.me), or the page
 * itself. Addresses are absolute http(s), dates ISO 8601, languages BCP 47 tags.
 */
export function readMetadata(measure: Measure, linked: LinkedData, url: string): PageMetadata {
  const getMeta = (name: string): string | null => measure.meta.get(name) ?? null;
  const headings = measure.credits.filter(({ kind }) => kind === "heading").map(({ text }) => text);
  // Articles before the page that contains them.
  const nodes = linked.content.toSorted((one, other) => Number(isArticle(other)) - Number(isArticle(one)));
  const node = nodes[0] ?? {};
  const openGraphName = toLine(getMeta("og:site_name"));
  const siteName = findFirst([toLine(findString(node["publisher"], ["name"])), openGraphName, toLine(getMeta("application-name"))]);
  const headline = isArticle(node) ? findString(node["headline"] ?? node["name"], []) : null;
  const title = findTitle({
    titles: [headline, getMeta("og:title"), getMeta("twitter:title"), measure.title],
    headings,
    siteNames: [siteName, openGraphName],
    url,
  });
  return {
    title,
    author: findAuthor({ measure, linked, nodes, title, siteName: openGraphName ?? siteName }),
    siteName,
    publishedAt: findPublished(measure, nodes, title),
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
    free: isFree(node["isAccessibleForFree"]),
  };
}

/** Reads the metadata of a list of things. The authors and dates in its body are those of its items, or of their reviews. */
export function readListMetadata(measure: Measure, linked: LinkedData, url: string): PageMetadata {
  const headings = measure.credits.filter(({ kind }) => kind === "heading");
  return readMetadata({ ...measure, credits: headings, linear: "" }, linked, url);
}
