import { toIsoDate } from "../../../clean/dates.ts";
import { decodeEntities } from "../../../read/markup/html-text.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { getUrl, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";

export const SERVICE = "LinkedIn";

const POSTS = /^(?:SocialMediaPosting|DiscussionForumPosting|VideoObject|Article|NewsArticle|BlogPosting)$/;
const COMMENTS = { maxCount: 20, maxDepth: 1 };
const MAX_BLOCKS = 50;

const typesOf = (value: unknown): unknown[] => [getValue(value, "@type")].flat().filter((type) => typeof type === "string");

/** The page's JSON-LD entries, with lists and graphs flattened. */
export const entriesOf = (jsonLd: readonly unknown[]): unknown[] =>
  jsonLd
    .slice(0, MAX_BLOCKS)
    .flatMap((block) => (Array.isArray(block) ? (block as unknown[]).slice(0, MAX_BLOCKS) : [block]))
    .flatMap((block) => (Array.isArray(getValue(block, "@graph")) ? getArray(block, "@graph").slice(0, MAX_BLOCKS) : [block]));

const words = (value: unknown, ...path: string[]): string | null => {
  const found = getString(value, ...path);
  return found === null ? null : decodeEntities(found.slice(0, 500_000)).trim();
};

function readComment(value: unknown): Reply {
  return { author: words(value, "author", "name"), text: words(value, "text") ?? words(value, "articleBody"), below: [] };
}

/** The count of an action such as `LikeAction` (schema.org InteractionCounter). */
function countOf(entry: unknown, action: string): number | null {
  const listed = getValue(entry, "interactionStatistic");
  const counters = Array.isArray(listed) ? (listed as unknown[]) : [listed];
  const one = counters.find((counter) => {
    const type = getString(counter, "interactionType") ?? getString(counter, "interactionType", "@type") ?? "";
    return type.endsWith(action);
  });
  return getNumber(one, "userInteractionCount");
}

/** Reads a post or article from JSON-LD; null where there is none. Complete where it has the full text. */
export function resultFromEntries(jsonLd: readonly unknown[]): PartialResult | null {
  const posts = entriesOf(jsonLd).filter((entry) => typesOf(entry).some((type) => POSTS.test(String(type))));
  const post = posts.find((entry) => getString(entry, "articleBody") !== null) ?? posts[0];
  if (post === undefined) return null;
  const body = words(post, "articleBody") ?? (typesOf(post).includes("VideoObject") ? words(post, "description") : null);
  const author = words(post, "author", "name") ?? words(post, "creator", "name");
  const shared = getValue(post, "sharedContent");
  const listed = getValue(post, "comment");
  const comments = formatReplies(Array.isArray(listed) ? (listed as unknown[]) : [], readComment, COMMENTS);
  const headline = words(post, "headline") ?? words(post, "name");
  const text = joinParagraphs([body, words(shared, "headline"), getUrl(shared, "url"), body === null ? null : comments.text]);
  const isArticle = typesOf(post).some((type) => /Article$|^BlogPosting$/.test(String(type)));
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
      stats: validCounts({
        likes: countOf(post, "LikeAction"),
        comments: getNumber(post, "commentCount") ?? countOf(post, "CommentAction"),
      }),
    }),
    isComplete: body !== null,
  };
}
