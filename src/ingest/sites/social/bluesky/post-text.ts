import { getValue, getArray, getNumber, getString } from "../../../read/json-access.ts";
import { getUrl, joinParagraphs, formatQuote } from "../../../extract/posts/post-text.ts";

const MAX_FACETS = 200;
/** A post may have 3,000 bytes; records that break that rule are cut. */
const MAX_BYTES = 30_000;
const DEPTH = 2;

type Link = { readonly start: number; readonly end: number; readonly uri: string };

function linksOf(record: unknown): Link[] {
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

/** An address in place of its shortened form; behind the words where words stand for it. */
function spelledOut(shown: string, uri: string): string {
  const bare = shown.trim().replace(/(?:…|\.\.\.)$/, "");
  if (bare !== "" && uri.includes(bare)) return uri;
  return uri.toLowerCase().includes(bare.toLowerCase()) ? uri : `${shown} (${uri})`;
}

/** A record's text, its links spelled out; facets count bytes of UTF-8 (app.bsky.richtext.facet). */
function textOfRecord(record: unknown): string {
  const text = getValue(record, "text");
  const bytes = Buffer.from(typeof text === "string" ? text : "", "utf8").subarray(0, MAX_BYTES);
  const parts: string[] = [];
  let place = 0;
  for (const { start, end, uri } of linksOf(record)) {
    if (start < place || end <= start || end > bytes.length) continue;
    parts.push(bytes.toString("utf8", place, start), spelledOut(bytes.toString("utf8", start, end), uri));
    place = end;
  }
  parts.push(bytes.toString("utf8", place));
  return parts.join("").trim();
}

export const nameOf = (author: unknown): string | null => getString(author, "displayName") ?? getString(author, "handle");

/** What a quoted thing says: a post with its own words and what it shows, or the name of a list, feed or pack. */
function textOfQuoted(view: unknown, depth: number): string {
  const record = getValue(view, "value");
  if (record !== undefined) {
    const shown = getArray(view, "embeds")
      .slice(0, 4)
      .map((embed) => textOfEmbed(embed, depth + 1));
    return formatQuote(nameOf(getValue(view, "author")), joinParagraphs([textOfRecord(record), ...shown]));
  }
  const name = getString(view, "displayName") ?? getString(view, "name") ?? getString(view, "record", "name");
  return name === null ? "" : formatQuote(nameOf(getValue(view, "creator")), joinParagraphs([name, getString(view, "description")]));
}

/** What is attached to a post: descriptions of pictures and videos, a linked page's title, a quoted post. */
function textOfEmbed(embed: unknown, depth = 0): string {
  if (depth > DEPTH || embed === null || typeof embed !== "object") return "";
  const external = getValue(embed, "external");
  const quoted = getValue(embed, "record");
  return joinParagraphs([
    ...getArray(embed, "images")
      .slice(0, 20)
      .map((image) => getString(image, "alt")),
    getString(embed, "alt"),
    [getString(external, "title"), getString(external, "description")].filter((part) => part !== null).join("\n"),
    textOfEmbed(getValue(embed, "media"), depth + 1),
    // With media beside it the quoted record stands one level deeper.
    quoted === undefined
      ? ""
      : textOfQuoted(
          getValue(quoted, "record") !== undefined && getValue(quoted, "value") === undefined && getValue(quoted, "uri") === undefined
            ? getValue(quoted, "record")
            : quoted,
          depth,
        ),
  ]);
}

/** A post view's own words and what is attached to it. */
export const textOfPost = (post: unknown): string => {
  const words = textOfRecord(getValue(post, "record"));
  const address = getString(post, "embed", "external", "uri");
  // A card's address is told unless the words name it.
  const link = address !== null && !words.includes(address) ? address : null;
  return joinParagraphs([words, link, textOfEmbed(getValue(post, "embed"))]);
};

export const hasVideo = (post: unknown): boolean =>
  getString(post, "embed", "playlist") !== null || getString(post, "embed", "media", "playlist") !== null;

/** A picture that stands for the post. */
export const pictureOf = (post: unknown): string | null => {
  for (const embed of [getValue(post, "embed"), getValue(post, "embed", "media")]) {
    const found = getUrl(embed, "images", 0, "fullsize") ?? getUrl(embed, "thumbnail") ?? getUrl(embed, "external", "thumb");
    if (found !== null) return found;
  }
  return null;
};
