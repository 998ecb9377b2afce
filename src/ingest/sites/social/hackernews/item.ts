import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import { chain, type PartialResult, type Step } from "../../../extract/sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFound, sourceChanged } from "../../../extract/errors.ts";
import { type Reply, writeReplies } from "../../../extract/posts/replies.ts";
import { asPathPart, paragraphs, titleOf } from "../../../extract/posts/post-text.ts";

const SERVICE = "Hacker News";
const FIREBASE = "https://hacker-news.firebaseio.com/v0/item";
const COMMENTS = { most: 100, depth: 4 };
const CUT = { code: "truncated", message: "Only some of the comments were kept: the first, and the replies nearest to the post." };
/** Calls made for comments where each is asked for by itself. */
const KIDS = 20;
const MAX_CHARACTERS = 50_000;
const DEAD = /^\[(?:flagged|dead|deleted)\]$/;

const addressOf = (id: string): string => `https://news.ycombinator.com/item?id=${id}`;

const wordsOf = (html: string | null): string | null => {
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

function findingOf(item: Item, replies: { readonly text: string; readonly isCut: boolean }): PartialResult {
  const target = item.url !== null && /^https?:\/\//.test(item.url) ? item.url : null;
  const options = item.options.filter((option) => option !== null).map((option) => `- ${option}`);
  return {
    title: item.title ?? titleOf(item.author, SERVICE, item.text ?? ""),
    text: paragraphs([target, item.text, options.join("\n"), replies.text]),
    metadata: omitEmpty({
      author: item.author,
      authorUrl: item.author === null ? null : `https://news.ycombinator.com/user?id=${asPathPart(item.author)}`,
      siteName: SERVICE,
      publishedAt: toIsoDate(item.date),
      canonicalUrl: addressOf(item.id),
      stats: validCounts({ points: item.points, comments: item.comments }),
    }),
    ...(replies.isCut ? { warnings: [CUT] } : {}),
    isWhole: true,
  };
}

const readChild = (value: unknown): Reply | null =>
  value === null || typeof value !== "object"
    ? null
    : { author: getString(value, "author"), text: wordsOf(getString(value, "text")), below: getArray(value, "children") };

/** The item and everything below it in one answer (hn.algolia.com/api). */
const algolia: Step = {
  name: "Algolia",
  take: async (context) => {
    const id = context.kind.id ?? "";
    const answer = await fetchJson(context, { service: SERVICE, url: `https://hn.algolia.com/api/v1/items/${id}` });
    if (String(getValue(answer, "id")) !== id) throw sourceChanged(SERVICE);
    const item: Item = {
      id,
      author: getString(answer, "author"),
      title: getString(answer, "title"),
      url: getString(answer, "url"),
      text: wordsOf(getString(answer, "text")),
      date: getString(answer, "created_at"),
      points: getNumber(answer, "points"),
      comments: null,
      options: getArray(answer, "options")
        .slice(0, 50)
        .map((option) => wordsOf(getString(option, "text"))),
    };
    if (item.author === null && item.title === null && item.text === null) return null;
    return findingOf(item, writeReplies(getArray(answer, "children"), readChild, COMMENTS));
  },
};

const askItem = (context: ExtractContext, id: string): Promise<unknown> =>
  fetchJson(context, { service: SERVICE, url: `${FIREBASE}/${id}.json` });

const idsAt = (item: unknown, key: string): string[] =>
  getArray(item, key)
    .slice(0, 1_000)
    .filter((id) => Number.isSafeInteger(id))
    .map(String);

/** Several items at once; those that can't be had are left out. */
async function askItems(context: ExtractContext, ids: readonly string[]): Promise<unknown[]> {
  const answers = await Promise.all(
    ids.map((id) =>
      askItem(context, id).catch((error: unknown) => {
        if (error instanceof IngestError) return null;
        throw error;
      }),
    ),
  );
  return answers.filter((answer) => answer !== null);
}

const readKid = (value: unknown): Reply | null =>
  value === null || typeof value !== "object" || getValue(value, "dead") === true
    ? null
    : { author: getString(value, "by"), text: getValue(value, "deleted") === true ? null : wordsOf(getString(value, "text")), below: [] };

/** The item and the first comments on it, each by a call of its own (github.com/HackerNews/API). */
const firebase: Step = {
  name: "Firebase",
  take: async (context) => {
    const id = context.kind.id ?? "";
    const answer = await askItem(context, id);
    if (answer === null || getValue(answer, "deleted") === true) throw notFound("This item");
    if (String(getValue(answer, "id")) !== id) throw sourceChanged(SERVICE);
    const kids = idsAt(answer, "kids");
    const comments = await askItems(context, kids.slice(0, KIDS));
    const options = await askItems(context, idsAt(answer, "parts").slice(0, KIDS));
    const written = writeReplies(comments, readKid, COMMENTS);
    const isCut = written.isCut || kids.length > KIDS || comments.some((comment) => getArray(comment, "kids").length > 0);
    const seconds = getNumber(answer, "time");
    const item: Item = {
      id,
      author: getString(answer, "by"),
      title: getString(answer, "title"),
      url: getString(answer, "url"),
      text: wordsOf(getString(answer, "text")),
      date: seconds === null ? null : String(seconds),
      points: getNumber(answer, "score"),
      comments: getNumber(answer, "descendants"),
      options: options.map((option) => wordsOf(getString(option, "text"))),
    };
    return findingOf(item, { text: written.text, isCut });
  },
};

/** A story, a question, a poll, a job or a comment, with the talk below it. */
export const hackerNewsItem: Extractor = {
  name: "hackernews-item",
  accepts: ({ type, subtype, id }) => type === "HACKERNEWS" && subtype === "ITEM" && id !== undefined,
  extract: chain({
    missing: { code: "truncated", message: "Only part of this item could be had. Retry later, or paste the rest." },
    steps: [algolia, firebase],
  }),
};
