import { toIsoDate } from "../../../clean/dates.ts";
import { decodeEntities } from "../../../read/markup/html-text.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { getUrl, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";

export const SERVICE = "LinkedIn";

const POSTS = /^(?:SocialMediaPosting|DiscussionForumPosting|VideoObject|Article|NewsArticle|BlogPosting)$/;
const COMMENTS = { maxCount: 20, maxDepth: 1 };
const MAX_BLOCKS = 50;

const getTypes = (value: unknown): unknown[] => [getValue(value, "@type")].flat().filter((type) => typeof type === "string");

/** Lists the page's JSON-LD entries, with lists and graphs flattened. */
export const listJsonLdEntries = (jsonLd: readonly unknown[]): unknown[] =>
  jsonLd
    .slice(0, MAX_BLOCKS)
    .flatMap((block) => (Array.isArray(block) ? (block as unknown[]).slice(0, MAX_BLOCKS) : [block]))
    .flatMap((block) => (Array.isArray(getValue(block, "@graph")) ? getArray(block, "@graph").slice(0, MAX_BLOCKS) : [block]));

/** Returns the string at a path, with decoded HTML entities; null if there is none. */
const getDecoded = (value: unknown, ...path: string[]): string | null => {
  const found = getString(value, ...path);
  return found === null ? null : decodeEntities(found.slice(0, 500_000)).trim();
};

function readComment(value: unknown): Reply {
  return { author: getDecoded(value, "author", "name"), text: getDecoded(value, "text") ?? getDecoded(value, "articleBody"), below: [] };
}

/** Returns the count of an action such as `LikeAction` (schema.org InteractionCounter). */
function getCount(entry: unknown, action: string): number | null {
  const listed = getValue(entry, "interactionStatistic");
  const counters = Array.isArray(listed) ? (listed as unknown[]) : [listed];
  const one = counters.find((counter) => {
    const type = getString(counter, "interactionType") ?? getString(counter, "interactionType", "@type") ?? "";
    return type.endsWith(action);
  });
  return getNumber(one, "userInteractionCount");
}

/** Reads a post or article from JSON-LD. Returns null if there is none. The result is complete if it has the full text. */
export function resultFromEntries(jsonLd: readonly unknown[]): PartialResult | null {
  const posts = listJsonLdEntries(jsonLd).filter((entry) => getTypes(entry).some((type) => POSTS.test(String(type))));
  const post = posts.find((entry) => getString(entry, "articleBody") !== null) ?? posts[0];
  if (post === undefined) return null;
  const body = getDecoded(post, "articleBody") ?? (getTypes(post).includes("VideoObject") ? getDecoded(post, "description") : null);
  const author = getDecoded(post, "author", "name") ?? getDecoded(post, "creator", "name");
  const shared = getValue(post, "sharedContent");
  const listed = getValue(post, "comment");
  const comments = formatReplies(Array.isArray(listed) ? (listed as unknown[]) : [], readComment, COMMENTS);
  const headline = getDecoded(post, "headline") ?? getDecoded(post, "name");
  const text = joinParagraphs([body, getDecoded(shared, "headline"), getUrl(shared, "url"), body === null ? null : comments.text]);
  const isArticle = getTypes(post).some((type) => /Article$|^BlogPosting$/.test(String(type)));
  return {
    title: isArticle && headline !== null ? headline : buildTitle(author, SERVICE, body ?? headline ?? ""),
    text: text || null,
    metadata: omitEmpty({
      author,
      authorUrl: getUrl(post, "author", "url") ?? getUrl(post, "creator", "url"),
      siteName: SERVICE,
      publishedAt: toIsoDate(getString(post, "datePublished") ?? getString(post, "uploadDate")),
      thumbnailUrl: getUrl(post, "image", "url") ?? getUrl(post, "image") ?? getUrl(post, "thumbnailUrl"),
      canonicalUrl: getUrl(post, "@id") ?? getUrl(post, "url"),
      stats: keepValidCounts({
        likes: getCount(post, "LikeAction"),
        comments: getNumber(post, "commentCount") ?? getCount(post, "CommentAction"),
      }),
    }),
    isComplete: body !== null,
  };
}
