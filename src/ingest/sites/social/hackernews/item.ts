import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { encodePathPart, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";

const SERVICE = "Hacker News";
const FIREBASE = "https://hacker-news.firebaseio.com/v0/item";
const COMMENTS = { maxCount: 100, maxDepth: 4 };
const TRUNCATED = { code: "truncated", message: "Only some of the comments were kept: the first, and the replies nearest to the post." };
/** Maximum number of comments that are fetched individually. */
const MAX_CHILD_CALLS = 20;
const MAX_CHARACTERS = 50_000;
const DEAD = /^\[(?:flagged|dead|deleted)\]$/;

const buildAddress = (id: string): string => `https://news.ycombinator.com/item?id=${id}`;

const toText = (html: string | null): string | null => {
  const text = htmlToText((html ?? "").slice(0, MAX_CHARACTERS));
  return text === "" || DEAD.test(text) ? null : text;
};

/** An item, converted from the response of either API. */
type Item = {
  readonly id: string;
  readonly author: string | null;
  readonly title: string | null;
  readonly url: string | null;
  readonly text: string | null;
  readonly date: string | null;
  readonly points: number | null;
  readonly comments: number | null;
  readonly options: readonly (string | null)[];
};

function resultFrom(item: Item, replies: { readonly text: string; readonly isTruncated: boolean }): PartialResult {
  const target = item.url !== null && /^https?:\/\//.test(item.url) ? item.url : null;
  const options = item.options.filter((option) => option !== null).map((option) => `- ${option}`);
  return {
    title: item.title ?? buildTitle(item.author, SERVICE, item.text ?? ""),
    text: joinParagraphs([target, item.text, options.join("\n"), replies.text]),
    metadata: omitEmpty({
      author: item.author,
      authorUrl: item.author === null ? null : `https://news.ycombinator.com/user?id=${encodePathPart(item.author)}`,
      siteName: SERVICE,
      publishedAt: toIsoDate(item.date),
      canonicalUrl: buildAddress(item.id),
      stats: keepValidCounts({ points: item.points, comments: item.comments }),
    }),
    ...(replies.isTruncated ? { warnings: [TRUNCATED] } : {}),
    isComplete: true,
  };
}

const readAlgoliaComment = (value: unknown): Reply | null =>
  value === null || typeof value !== "object"
    ? null
    : { author: getString(value, "author"), text: toText(getString(value, "text")), below: getArray(value, "children") };

/** The item and all comments in one response (hn.algolia.com/api). */
const algolia: ContentSource = {
  name: "Algolia",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const response = await fetchJson(context, { service: SERVICE, url: `https://hn.algolia.com/api/v1/items/${id}` });
    if (String(getValue(response, "id")) !== id) throw sourceChangedError(SERVICE);
    const item: Item = {
      id,
      author: getString(response, "author"),
      title: getString(response, "title"),
      url: getString(response, "url"),
      text: toText(getString(response, "text")),
      date: getString(response, "created_at"),
      points: getNumber(response, "points"),
      comments: null,
      options: getArray(response, "options")
        .slice(0, 50)
        .map((option) => toText(getString(option, "text"))),
    };
    if (item.author === null && item.title === null && item.text === null) return null;
    return resultFrom(item, formatReplies(getArray(response, "children"), readAlgoliaComment, COMMENTS));
  },
};

const fetchItem = (context: ExtractContext, id: string): Promise<unknown> =>
  fetchJson(context, { service: SERVICE, url: `${FIREBASE}/${id}.json` });

const getIds = (item: unknown, key: string): string[] =>
  getArray(item, key)
    .slice(0, 1_000)
    .filter((id) => Number.isSafeInteger(id))
    .map(String);

/** Fetches items in parallel. Those that fail are left out. */
async function fetchItems(context: ExtractContext, ids: readonly string[]): Promise<unknown[]> {
  const responses = await Promise.all(
    ids.map((id) =>
      fetchItem(context, id).catch((error: unknown) => {
        if (error instanceof IngestError) return null;
        throw error;
      }),
    ),
  );
  return responses.filter((response) => response !== null);
}

const readFirebaseComment = (value: unknown): Reply | null =>
  value === null || typeof value !== "object" || getValue(value, "dead") === true
    ? null
    : { author: getString(value, "by"), text: getValue(value, "deleted") === true ? null : toText(getString(value, "text")), below: [] };

/** The item and its first comments, one call each (github.com/HackerNews/API). */
const firebase: ContentSource = {
  name: "Firebase",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const response = await fetchItem(context, id);
    if (response === null || getValue(response, "deleted") === true) throw notFoundError("This item");
    if (String(getValue(response, "id")) !== id) throw sourceChangedError(SERVICE);
    const kids = getIds(response, "kids");
    const comments = await fetchItems(context, kids.slice(0, MAX_CHILD_CALLS));
    const options = await fetchItems(context, getIds(response, "parts").slice(0, MAX_CHILD_CALLS));
    const replies = formatReplies(comments, readFirebaseComment, COMMENTS);
    const isTruncated =
      replies.isTruncated || kids.length > MAX_CHILD_CALLS || comments.some((comment) => getArray(comment, "kids").length > 0);
    const seconds = getNumber(response, "time");
    const item: Item = {
      id,
      author: getString(response, "by"),
      title: getString(response, "title"),
      url: getString(response, "url"),
      text: toText(getString(response, "text")),
      date: seconds === null ? null : String(seconds),
      points: getNumber(response, "score"),
      comments: getNumber(response, "descendants"),
      options: options.map((option) => toText(getString(option, "text"))),
    };
    return resultFrom(item, { text: replies.text, isTruncated });
  },
};

/** A story, question, poll, job or comment, with its comments. */
export const itemReader: SiteReader = {
  name: "item",
  subtypes: ["ITEM"],
  missing: { code: "truncated", message: "Only part of this item could be read. Retry later, or paste the rest." },
  sources: [algolia, firebase],
};
