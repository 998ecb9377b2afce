import { IngestError } from "#domain/content/job.ts";
import { isoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { at, known, listAt, numberAt, statsOf, textAt } from "../../../read/tree.ts";
import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import { runSources, type PartialResult, type Source } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { type Reply, formatReplies } from "../../../extract/posts/replies.ts";
import { encodePathPart, joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";

const SERVICE = "Hacker News";
const FIREBASE = "https://hacker-news.firebaseio.com/v0/item";
const COMMENTS = { maxCount: 100, maxDepth: 4 };
const CUT = { code: "truncated", message: "Only some of the comments were kept: the first, and the replies nearest to the post." };
/** Calls made for comments where each is asked for by itself. */
const KIDS = 20;
const MAX_CHARACTERS = 50_000;
const DEAD = /^\[(?:flagged|dead|deleted)\]$/;

const addressOf = (id: string): string => `https://news.ycombinator.com/item?id=${id}`;

const textOf = (html: string | null): string | null => {
  const text = htmlToText((html ?? "").slice(0, MAX_CHARACTERS));
  return text === "" || DEAD.test(text) ? null : text;
};

/** What both services tell of an item, under names of their own. */
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
    metadata: known({
      author: item.author,
      authorUrl: item.author === null ? null : `https://news.ycombinator.com/user?id=${encodePathPart(item.author)}`,
      siteName: SERVICE,
      publishedAt: isoDate(item.date),
      canonicalUrl: addressOf(item.id),
      stats: statsOf({ points: item.points, comments: item.comments }),
    }),
    ...(replies.isTruncated ? { warnings: [CUT] } : {}),
    isComplete: true,
  };
}

const readChild = (value: unknown): Reply | null =>
  value === null || typeof value !== "object"
    ? null
    : { author: textAt(value, "author"), text: textOf(textAt(value, "text")), below: listAt(value, "children") };

/** The item and everything below it in one answer (hn.algolia.com/api). */
const algolia: Source = {
  name: "Algolia",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const response = await fetchJson(context, { service: SERVICE, url: `https://hn.algolia.com/api/v1/items/${id}` });
    if (String(at(response, "id")) !== id) throw sourceChanged(SERVICE);
    const item: Item = {
      id,
      author: textAt(response, "author"),
      title: textAt(response, "title"),
      url: textAt(response, "url"),
      text: textOf(textAt(response, "text")),
      date: textAt(response, "created_at"),
      points: numberAt(response, "points"),
      comments: null,
      options: listAt(response, "options")
        .slice(0, 50)
        .map((option) => textOf(textAt(option, "text"))),
    };
    if (item.author === null && item.title === null && item.text === null) return null;
    return resultFrom(item, formatReplies(listAt(response, "children"), readChild, COMMENTS));
  },
};

const fetchItem = (context: ExtractContext, id: string): Promise<unknown> =>
  fetchJson(context, { service: SERVICE, url: `${FIREBASE}/${id}.json` });

const idsAt = (item: unknown, key: string): string[] =>
  listAt(item, key)
    .slice(0, 1_000)
    .filter((id) => Number.isSafeInteger(id))
    .map(String);

/** Several items at once; those that can't be had are left out. */
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

const readKid = (value: unknown): Reply | null =>
  value === null || typeof value !== "object" || at(value, "dead") === true
    ? null
    : { author: textAt(value, "by"), text: at(value, "deleted") === true ? null : textOf(textAt(value, "text")), below: [] };

/** The item and the first comments on it, each by a call of its own (github.com/HackerNews/API). */
const firebase: Source = {
  name: "Firebase",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const response = await fetchItem(context, id);
    if (response === null || at(response, "deleted") === true) throw notFound("This item");
    if (String(at(response, "id")) !== id) throw sourceChanged(SERVICE);
    const kids = idsAt(response, "kids");
    const comments = await fetchItems(context, kids.slice(0, KIDS));
    const options = await fetchItems(context, idsAt(response, "parts").slice(0, KIDS));
    const written = formatReplies(comments, readKid, COMMENTS);
    const isTruncated = written.isTruncated || kids.length > KIDS || comments.some((comment) => listAt(comment, "kids").length > 0);
    const seconds = numberAt(response, "time");
    const item: Item = {
      id,
      author: textAt(response, "by"),
      title: textAt(response, "title"),
      url: textAt(response, "url"),
      text: textOf(textAt(response, "text")),
      date: seconds === null ? null : String(seconds),
      points: numberAt(response, "score"),
      comments: numberAt(response, "descendants"),
      options: options.map((option) => textOf(textAt(option, "text"))),
    };
    return resultFrom(item, { text: written.text, isTruncated });
  },
};

/** A story, a question, a poll, a job or a comment, with the talk below it. */
export const hackerNewsItem: Extractor = {
  name: "hackernews-item",
  accepts: ({ type, subtype, id }) => type === "HACKERNEWS" && subtype === "ITEM" && id !== undefined,
  extract: runSources({
    missing: { code: "truncated", message: "Only part of this item could be had. Retry later, or paste the rest." },
    sources: [algolia, firebase],
  }),
};
