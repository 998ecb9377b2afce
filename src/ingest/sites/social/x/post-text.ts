import { decodeEntities } from "../../../read/markup/html-text.ts";
import { getValue, getArray, getString } from "../../../read/json-access.ts";
import { joinParagraphs, formatQuote } from "../../../extract/posts/post-text.ts";

/** Long posts have at most 25,000 characters. */
const MAX_CHARACTERS = 100_000;
const SHORT_LINK = /https?:\/\/t\.co\/\w+/g;

/** Removes the mentions at the start of a reply, which X does not display. */
function stripMentions(text: string, tweet: unknown): string {
  const start = getValue(tweet, "display_text_range", 0);
  if (typeof start !== "number" || start <= 0) return text;
  const points = Array.from(text);
  return /^(?:@\w{1,20}\s+)+$/.test(points.slice(0, start).join("")) ? points.slice(start).join("") : text;
}

/** Maps short links to their targets; an empty target removes the link (the post's own pictures, and the post that it quotes). */
function mapShortLinks(tweet: unknown): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  const quoted = getString(tweet, "quoted_tweet", "id_str");
  for (const link of getArray(tweet, "entities", "urls").slice(0, 200)) {
    const url = getString(link, "url");
    const expanded = getString(link, "expanded_url");
    if (url === null || expanded === null) continue;
    targets.set(
      url,
      quoted !== null && new RegExp(`/status/${quoted.slice(0, 25).replace(/\D/g, "")}(?:\\D|$)`).test(expanded) ? "" : expanded,
    );
  }
  for (const media of [...getArray(tweet, "entities", "media"), ...getArray(tweet, "mediaDetails")].slice(0, 200)) {
    const url = getString(media, "url");
    if (url !== null) targets.set(url, "");
  }
  return targets;
}

/** Whether only the start of a long post was returned. */
export const isTruncated = (tweet: unknown): boolean =>
  getValue(tweet, "note_tweet") !== undefined && getValue(tweet, "note_tweet") !== null;

/** Formats the text of a syndicated post, with the links of `entities` and decoded HTML entities. */
function ownText(tweet: unknown): string {
  const text = stripMentions((getString(tweet, "text") ?? "").slice(0, MAX_CHARACTERS), tweet);
  const targets = mapShortLinks(tweet);
  // The link at the end of a truncated post leads to the post itself.
  const whole = isTruncated(tweet) ? text.replace(/\s?https?:\/\/t\.co\/\w+$/, (link) => (targets.has(link.trim()) ? link : "")) : text;
  return decodeEntities(whole)
    .replace(SHORT_LINK, (link) => targets.get(link) ?? link)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** Formats a card: the options of a poll, or a link's title and description. */
function formatCard(tweet: unknown): string {
  const value = (name: string): string | null => getString(tweet, "card", "binding_values", name, "string_value");
  const choices = [1, 2, 3, 4].map((index) => value(`choice${index}_label`)).filter((label) => label !== null);
  if (choices.length > 0) return choices.map((label) => `- ${label}`).join("\n");
  return joinParagraphs([value("title"), value("description")]).replace("\n\n", "\n");
}

/** Formats a post: its text, article preview, picture descriptions, card, and quoted post. */
export function formatTweet(tweet: unknown): string {
  const quoted = getValue(tweet, "quoted_tweet");
  const alts = getArray(tweet, "mediaDetails").map((media) => getString(media, "ext_alt_text"));
  return joinParagraphs([
    ownText(tweet),
    getString(tweet, "article", "title"),
    getString(tweet, "article", "preview_text"),
    ...alts.slice(0, 20),
    formatCard(tweet),
    formatQuote(getString(quoted, "user", "name"), ownText(quoted)),
  ]);
}

/** Formats the post that this one replies to, as a quote. */
export const formatParent = (tweet: unknown): string =>
  formatQuote(getString(tweet, "parent", "user", "name"), ownText(getValue(tweet, "parent")));
