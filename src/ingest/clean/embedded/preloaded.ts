import { isObject, type Json, parseJson, toList } from "./json.ts";

const MAX_POSTS = 1_000;

/** Returns the topics in the state that Discourse writes into a page for its scripts, as linked data; none if it is of another form. */
export function readPreloaded(state: string | null): readonly Json[] {
  const entries = state === null ? null : parseJson(state);
  if (!isObject(entries)) return [];
  return Object.entries(entries)
    .filter(([key, value]) => key.startsWith("topic_") && typeof value === "string")
    .flatMap(([, value]) => toThread(parseJson(value as string)));
}

function toThread(topic: unknown): Json[] {
  if (!isObject(topic) || !isObject(topic["post_stream"])) return [];
  const [first, ...replies] = toList(topic["post_stream"]["posts"]).filter(isObject).slice(0, MAX_POSTS).map(toPost);
  return first ? [{ ...first, "@type": "DiscussionForumPosting", headline: topic["title"], comment: replies }] : [];
}

const toPost = ({ username, created_at: datePublished, cooked }: Json): Json => ({
  "@type": "Comment",
  author: { name: username },
  datePublished,
  text: cooked,
});
