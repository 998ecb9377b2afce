import { getValue, getArray, getNumber, getString } from "../../../read/json-access.ts";
import { getUrl, joinParagraphs, formatQuote } from "../../../extract/posts/post-text.ts";

const MAX_FACETS = 200;
/** A post may have 3,000 bytes; longer records are truncated. */
const MAX_BYTES = 30_000;
const MAX_EMBED_DEPTH = 2;

type Link = { readonly start: number; readonly end: number; readonly uri: string };

function readLinks(record: unknown): Link[] {
  return getArray(record, "facets")
    .slice(0, MAX_FACETS)
    .flatMap((facet) => {
      const start = getNumber(facet, "index", "byteStart");
      const end = getNumber(facet, "index", "byteEnd");
      const uri = getArray(facet, "features")
        .map((feature) => getString(feature, "uri"))
        .find((found) => found !== null);
      return start === null || end === null || !uri || !/^https?:/.test(uri) ? [] : [{ start, end, uri }];
    })
    .toSorted((a, b) => a.start - b.start);
}

/** Returns the full address of a shortened link, or the link's text with the address in brackets. */
function expandLink(shown: string, uri: string): string {
  const visible = shown.trim().replace(/(?:…|\.\.\.)$/, "");
  if (visible !== "" && uri.includes(visible)) return uri;
  return uri.toLowerCase().includes(visible.toLowerCase()) ? uri : `${shown} (${uri})`;
}

/** Formats a record's text with full links. Facets count bytes of UTF-8 (app.bsky.richtext.facet). */
function formatRecord(record: unknown): string {
  const text = getValue(record, "text");
  const bytes = Buffer.from(typeof text === "string" ? text : "", "utf8").subarray(0, MAX_BYTES);
  const parts: string[] = [];
  let index = 0;
  for (const { start, end, uri } of readLinks(record)) {
    if (start < index || end <= start || end > bytes.length) continue;
    parts.push(bytes.toString("utf8", index, start), expandLink(bytes.toString("utf8", start, end), uri));
    index = end;
  }
  parts.push(bytes.toString("utf8", index));
  return parts.join("").trim();
}

export const getName = (author: unknown): string | null => getString(author, "displayName") ?? getString(author, "handle");

/** Formats a quoted post with its text and embeds, or the name of a quoted list, feed or starter pack. */
function formatQuoted(view: unknown, depth: number): string {
  const record = getValue(view, "value");
  if (record !== undefined) {
    const shown = getArray(view, "embeds")
      .slice(0, 4)
      .map((embed) => formatEmbed(embed, depth + 1));
    return formatQuote(getName(getValue(view, "author")), joinParagraphs([formatRecord(record), ...shown]));
  }
  const name = getString(view, "displayName") ?? getString(view, "name") ?? getString(view, "record", "name");
  return name === null ? "" : formatQuote(getName(getValue(view, "creator")), joinParagraphs([name, getString(view, "description")]));
}

/** Formats an embed: descriptions of pictures and videos, a link's title, a quoted post. */
function formatEmbed(embed: unknown, depth = 0): string {
  if (depth > MAX_EMBED_DEPTH || embed === null || typeof embed !== "object") return "";
  const external = getValue(embed, "external");
  const quoted = getValue(embed, "record");
  return joinParagraphs([
    ...getArray(embed, "images")
      .slice(0, 20)
      .map((image) => getString(image, "alt")),
    getString(embed, "alt"),
    [getString(external, "title"), getString(external, "description")].filter((part) => part !== null).join("\n"),
    formatEmbed(getValue(embed, "media"), depth + 1),
    // With media the quoted record is nested one level deeper.
    quoted === undefined
      ? ""
      : formatQuoted(
          getValue(quoted, "record") !== undefined && getValue(quoted, "value") === undefined && getValue(quoted, "uri") === undefined
            ? getValue(quoted, "record")
            : quoted,
          depth,
        ),
  ]);
}

/** Formats a post: its text and its embeds. */
export const formatPost = (post: unknown): string => {
  const words = formatRecord(getValue(post, "record"));
  const address = getString(post, "embed", "external", "uri");
  // Add the link card's address unless the text contains it.
  const link = address !== null && !words.includes(address) ? address : null;
  return joinParagraphs([words, link, formatEmbed(getValue(post, "embed"))]);
};

export const hasVideo = (post: unknown): boolean =>
  getString(post, "embed", "playlist") !== null || getString(post, "embed", "media", "playlist") !== null;

/** Returns the address of the post's thumbnail, or null if it has none. */
export const getThumbnail = (post: unknown): string | null => {
  for (const embed of [getValue(post, "embed"), getValue(post, "embed", "media")]) {
    const found = getUrl(embed, "images", 0, "fullsize") ?? getUrl(embed, "thumbnail") ?? getUrl(embed, "external", "thumb");
    if (found !== null) return found;
  }
  return null;
};
