import { toIsoDate } from "../../clean/dates.ts";
import { replaceInvalidCharacters } from "../../clean/text.ts";
import { getArray, getString, getValue } from "../json-access.ts";
import { feedTitleToText, feedToText } from "./feed-text.ts";

/** A feed or an entry, as the parser returns it. */
export type FeedNode = { readonly value: unknown };

/** Returns the first string at one of the paths, or null. The parser returns Atom text as an object with a `value`. */
export function findString({ value }: FeedNode, ...paths: readonly (readonly (string | number)[])[]): string | null {
  for (const path of paths) {
    const found = getString(value, ...path) ?? getString(value, ...path, "value");
    if (found !== null) return replaceInvalidCharacters(found);
  }
  return null;
}

/**
 * Returns the first text at one of the paths, converted from HTML; empty if there is none. Atom content of type `text` and JSON Feed's
 * `content_text` are plain text.
 */
export function findPlainText(node: FeedNode, ...paths: readonly (readonly (string | number)[])[]): string {
  for (const path of paths) {
    const found = findString(node, path);
    if (found === null) continue;
    const isPlain = path[0] === "content_text" || getString(node.value, ...path, "type") === "text";
    const text = isPlain ? found : feedToText(found);
    if (text !== "") return text;
  }
  return "";
}

export const getTitle = (node: FeedNode): string | null => {
  const title = findString(node, ["title"], ["itunes", "title"]);
  // Atom's titles are plain text by default (RFC 4287, 3.1.1).
  const isPlain = getValue(node.value, "title", "value") !== undefined && !/html/i.test(getString(node.value, "title", "type") ?? "");
  return title === null ? null : feedTitleToText(title, isPlain) || null;
};

/** Returns the address of a feed or entry as a web page. Of Atom's links, `alternate` is preferred, and feed-related ones are ignored. */
export function findLink(value: unknown): string | null {
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

/** Finds the first audio or video file of an entry, or else its first file of any type. */
export function findEnclosure(value: unknown): { readonly url: string; readonly type: string | null } | null {
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

export const getAuthor = (node: FeedNode): string | null =>
  findString(
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

export function getDate(node: FeedNode): string | null {
  const date = findString(
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
