import type { IngestError } from "#domain/content/job.ts";
import { isoDate } from "../../../clean/dates.ts";
import { at, known, listAt, numberAt, statsOf, textAt } from "../../../read/tree.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { isPrivate, notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { encodePathPart, getUrl, joinParagraphs, formatQuote, buildTitle } from "../../../extract/posts/post-text.ts";
import { addressOf, languageOf, NO_SPEECH, NO_WORDS, SERVICE } from "./syndication.ts";

const ORIGIN = "https://api.fxtwitter.com";
const MAX_BLOCKS = 5_000;

const mapError =
  (what: string) =>
  (status: number): IngestError | null =>
    status === 401 ? isPrivate(what) : status === 404 ? notFound(what) : null;

const MARKS: Readonly<Record<string, string>> = {
  "header-one": "# ",
  "header-two": "## ",
  "header-three": "### ",
  "unordered-list-item": "- ",
  "ordered-list-item": "- ",
  blockquote: "> ",
};

/** An article's body: blocks of Draft.js, each a paragraph, a heading or an item of a list. */
function articleOf(tweet: unknown): string {
  const blocks = listAt(tweet, "article", "content", "blocks")
    .slice(0, MAX_BLOCKS)
    .map((block) => {
      const text = textAt(block, "text");
      const type = textAt(block, "type") ?? "";
      return text === null ? null : `${Object.hasOwn(MARKS, type) ? MARKS[type] : ""}${text}`;
    });
  return joinParagraphs(blocks).replace(/^(- .*)\n\n(?=- )/gm, "$1\n") || (textAt(tweet, "article", "preview_text") ?? "");
}

function ownText(tweet: unknown): string {
  const media = listAt(tweet, "media", "all").length > 0 ? listAt(tweet, "media", "all") : listAt(tweet, "media", "photos");
  return joinParagraphs([
    textAt(tweet, "text"),
    articleOf(tweet),
    ...media.slice(0, 20).map((one) => textAt(one, "altText")),
    listAt(tweet, "poll", "choices")
      .slice(0, 10)
      .map((choice) => textAt(choice, "label"))
      .filter((label) => label !== null)
      .map((label) => `- ${label}`)
      .join("\n"),
  ]);
}

/** A post by the service api.fxtwitter.com (FxEmbed), which tells long posts and articles whole. */
export async function fetchFxPost(context: ExtractContext): Promise<PartialResult> {
  const id = context.kind.id ?? "";
  const response = await fetchJson(context, { service: SERVICE, url: `${ORIGIN}/i/status/${id}`, mapError: mapError("This post") });
  const tweet = at(response, "tweet");
  const refused = mapError("This post")(numberAt(response, "code") ?? 0);
  if (refused !== null) throw refused;
  const author = textAt(tweet, "author", "name");
  const name = textAt(tweet, "author", "screen_name");
  if (author === null) throw sourceChanged(SERVICE);
  const quoted = at(tweet, "quote");
  const words = joinParagraphs([ownText(tweet), formatQuote(textAt(quoted, "author", "name"), ownText(quoted))]);
  const seconds = numberAt(tweet, "created_timestamp");
  const warnings = [...(listAt(tweet, "media", "videos").length > 0 ? [NO_SPEECH] : []), ...(words === "" ? [NO_WORDS] : [])];
  return {
    title: textAt(tweet, "article", "title") ?? buildTitle(author, SERVICE, words),
    text: words,
    metadata: known({
      author,
      authorUrl: name === null ? null : `https://x.com/${encodePathPart(name)}`,
      siteName: SERVICE,
      publishedAt: isoDate(seconds === null ? textAt(tweet, "created_at") : String(seconds)),
      thumbnailUrl: getUrl(tweet, "media", "photos", 0, "url") ?? getUrl(tweet, "media", "videos", 0, "thumbnail_url"),
      language: languageOf(textAt(tweet, "lang")),
      canonicalUrl: addressOf(name, id),
      stats: statsOf({
        views: numberAt(tweet, "views"),
        likes: numberAt(tweet, "likes"),
        comments: numberAt(tweet, "replies"),
        shares: numberAt(tweet, "retweets"),
      }),
    }),
    ...(warnings.length === 0 ? {} : { warnings }),
    isComplete: true,
  };
}

/** What an account says of itself, by the same service. */
export async function fetchFxProfile(context: ExtractContext): Promise<PartialResult> {
  const url = `${ORIGIN}/${encodePathPart(context.kind.id ?? "")}`;
  const response = await fetchJson(context, { service: SERVICE, url, mapError: mapError("This account") });
  const user = at(response, "user");
  const author = textAt(user, "name");
  if (author === null) throw sourceChanged(SERVICE);
  return {
    title: author,
    text: joinParagraphs([textAt(user, "description"), textAt(user, "location")]),
    metadata: known({
      author,
      authorUrl: `https://x.com/${encodePathPart(textAt(user, "screen_name") ?? context.kind.id ?? "")}`,
      siteName: SERVICE,
      thumbnailUrl: getUrl(user, "avatar_url"),
      stats: statsOf({ followers: numberAt(user, "followers"), posts: numberAt(user, "tweets") }),
    }),
  };
}
