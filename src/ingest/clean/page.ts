import type { TileWarning } from "#domain/content/tile.ts";
import { parsePage, getText } from "./dom.ts";
import { addEmbedded } from "./embedded/embedded.ts";
import { getTypes, LinkedData } from "./embedded/linked-data.ts";
import { readPreloaded } from "./embedded/preloaded.ts";
import { toMarkdown } from "./markdown.ts";
import { isAffordable } from "./measure/cost.ts";
import { BudgetError, withCpuBudget } from "./measure/cpu-budget.ts";
import { type Measure, measurePage } from "./measure/measure.ts";
import { toAuthorName } from "./metadata/authors.ts";
import { type PageMetadata, readMetadata } from "./metadata/metadata.ts";
import { cleanArticle } from "./prune/clean-article.ts";
import { contentModel } from "./model/content-model.ts";
import { readHints } from "./model/hints.ts";
import type { Model } from "./model/model.ts";
import { outlinePage } from "./model/outline.ts";
import { selectBlocks } from "./model/select.ts";
import { removeNonContent, removeNoise, removeUnreadable } from "./prune/remove-noise.ts";
import { readThread } from "./thread/thread.ts";
import { assemble } from "./select/assemble.ts";
import { selectArticle } from "./select/selection.ts";
import { normaliseText, truncateText, countWords, truncationWarning, replaceInvalidCharacters } from "./text.ts";
import { THIN_WORDS, warnAboutThinPage } from "./warnings.ts";

export type HtmlPage = { readonly html: string; readonly url: string };

/** The text and metadata of a page. `publishedAt` is ISO 8601, `text` light Markdown of at most 1,000,000 code points. */
export type CleanedPage = Omit<PageMetadata, "free"> & {
  readonly text: string;
  readonly warnings: readonly TileWarning[];
  readonly wordCount: number;
};

const MAX_DEPTH = 400;
const MAX_ELEMENTS = 20_000;
const MAX_LINKS = 8_000;
/** Processor time for the DOM tree of pages whose cost was underestimated, in milliseconds. */
const MAX_TREE_MS = 5_000;
/** Longer text without a tag is copied at every step of the cleaning, and has no structure to lose. */
const MAX_TEXT_NODE_LENGTH = 400_000;
const MAX_INPUT = 8 * 1024 * 1024;
const MAX_TREE_INPUT = 3 * 1024 * 1024;

/** An article of fewer words is none. */
const MIN_WORDS = 10;
/** A page that holds this many times the words of its article is read whole. */
const MIN_HELD = 4;
const MIN_LINE_WORDS = 6;
const MAX_COUNTED = 20_000;

/** A page with punctuation only, such as the rest of a truncated tag, has no text. */
const HAS_TEXT = /[\p{L}\p{N}\p{Emoji_Presentation}]/u;

/** What a page says about itself: author, date and linked data. */
type HeadMetadata = { readonly author: string | null; readonly publishedAt: string | null; readonly linked: LinkedData };

type Article = { readonly text: string; readonly byline: string | null };

/** Returns the article as Markdown, or null if cleaning throws. */
function readArticle(html: string, url: string, measure: Measure, head: HeadMetadata, model: Model): Article | null {
  try {
    return findArticle(html, url, measure, head, model);
  } catch {
    return null;
  }
}

function findArticle(html: string, url: string, measure: Measure, head: HeadMetadata, model: Model): Article | null {
  const page = parsePage(html);
  if (process.env["OLD"] !== undefined) return findByRules(page, url, measure, head);
  removeUnreadable(page);
  const thread = process.env["THREAD"] === undefined ? null : readThread(page, head.linked);
  if (thread !== null) return { text: thread, byline: null };
  const { outline, nodes } = outlinePage(page.body);
  const kept = selectBlocks(outline, model(outline, readHints(measure, url)));
  for (const [at, list] of nodes.entries()) if (kept[at] === 0) for (const node of list) node.remove();
  if (process.env["POST"] !== undefined)
    cleanArticle(page.body, {
      titles: [measure.heading, measure.title, measure.meta.get("og:title") ?? null, ...getSiteNames(measure)],
      authors: [head.author],
      published: head.publishedAt,
      host: URL.parse(url)?.hostname ?? "",
    });
  return { text: toMarkdown(page.body), byline: null };
}

function findByRules(page: ReturnType<typeof parsePage>, url: string, measure: Measure, head: HeadMetadata): Article | null {
  removeNoise(page);
  const thread = readThread(page, head.linked);
  if (thread !== null) return { text: thread, byline: null };
  const host = URL.parse(url)?.hostname ?? "";
  const titles = [measure.heading, measure.title, measure.meta.get("og:title") ?? null];
  const selection = selectArticle(page, titles, measure.meta.get("og:description") ?? measure.meta.get("description") ?? null);
  assemble(page, selection, titles, host);
  cleanArticle(page.body, {
    titles: [selection.title, ...titles, ...getSiteNames(measure)],
    authors: [selection.byline, head.author],
    published: head.publishedAt,
    host,
  });
  return { text: toMarkdown(page.body), byline: selection.byline };
}

/** Returns the names of the site: `og:site_name`, and the parts of the page's title that are not its heading. */
function getSiteNames({ title, heading, meta }: Measure): readonly string[] {
  const parts = (title ?? "").replace(/\s+/g, " ").split(/ [-–—|·:»] /);
  const others = parts.length > 1 && heading !== null ? parts.filter((part) => normaliseText(part) !== normaliseText(heading)) : [];
  return [meta.get("og:site_name") ?? "", ...others].filter((name) => normaliseText(name).length >= 4);
}

function readBody(html: string): string {
  const page = parsePage(html);
  removeNoise(page);
  removeNonContent(page, []);
  return getText(page.documentElement) === "" ? "" : toMarkdown(page.documentElement);
}

const canBuildTree = (measure: Measure): boolean =>
  measure.depth <= MAX_DEPTH &&
  measure.elements <= MAX_ELEMENTS &&
  measure.links <= MAX_LINKS &&
  isAffordable(measure.cost) &&
  measure.longestText <= MAX_TEXT_NODE_LENGTH;

/** Builds a DOM tree only if its estimated cost is low; other pages are read as linear text. */
function readText(html: string, url: string, measure: Measure, head: HeadMetadata, model: Model): Article {
  const tree = canBuildTree(measure) && html.length <= MAX_TREE_INPUT;
  if (!tree) return { text: measure.linear, byline: null };
  try {
    return withCpuBudget(MAX_TREE_MS, () => readTree(html, url, measure, head, model));
  } catch (error) {
    // The parser may build a deeper tree from invalid tags than was measured.
    if (error instanceof RangeError || error instanceof BudgetError) return { text: measure.linear, byline: null };
    throw error;
  }
}

/** Counts the words of a text without its repetitions and its short lines: a menu is not more content. */
function countHeldWords(text: string): number {
  const lines = new Set(text.slice(0, MAX_COUNTED).split("\n"));
  return [...lines].map(countWords).reduce((sum, words) => sum + (words >= MIN_LINE_WORDS ? words : 0), 0);
}

/** Whether a page says that it is about one article or video, of which it may show only a few words. */
const isOneWork = (measure: Measure, linked: LinkedData): boolean =>
  (measure.meta.get("og:type") ?? "").startsWith("video") ||
  linked.content.some((node) => /Article|BlogPosting|Video/.test(getTypes(node)));

/** Reads the article, or the whole body if the article is only a few words of a page that holds far more, such as a list or a thread. */
function readTree(html: string, url: string, measure: Measure, head: HeadMetadata, model: Model): Article {
  const article = readArticle(html, url, measure, head, model);
  const words = article === null ? 0 : countWords(article.text.slice(0, 2_000));
  if (article && (words >= THIN_WORDS || (words >= MIN_WORDS && isOneWork(measure, head.linked)))) return article;
  const body = readBody(html);
  if (article && words >= MIN_WORDS && countHeldWords(body) < Math.max(THIN_WORDS, MIN_HELD * words)) return article;
  return { text: body === "" ? measure.linear : body, byline: article?.byline ?? null };
}

/**
 * Prepares a page for the parsers. They drop NUL characters, so there is no need to process megabytes of them. They read a section of
 * character data up to its own end, or the page's; in HTML it is a comment that ends with the next tag.
 */
const toParsable = (html: string): string => replaceInvalidCharacters(html.replaceAll("\u0000", "").replaceAll("<![CDATA[", "<! [CDATA["));

/**
 * Reads a page's content and metadata. The time is bounded for any nesting. Never throws because of a page's content; the text is empty
 * if there is none.
 */
export function cleanPage(page: HtmlPage, model: Model = contentModel): CleanedPage {
  const html = toParsable(page.html.slice(0, MAX_INPUT));
  const measure = measurePage(html);
  const linked = new LinkedData(measure.jsonLd, readPreloaded(measure.preloaded));
  const { free, ...head } = readMetadata(measure, linked, page.url);
  const article = readText(html, page.url, measure, { ...head, linked }, model);
  const text = addEmbedded(article.text, linked);
  const metadata = { ...head, author: head.author ?? toAuthorName(article.byline) };
  const capped = truncateText(HAS_TEXT.test(text) ? replaceInvalidCharacters(text) : "");
  const wordCount = countWords(capped.text);
  const cut = capped.truncated || page.html.length > MAX_INPUT;
  return {
    ...metadata,
    text: capped.text,
    wordCount,
    warnings: [
      ...warnAboutThinPage({ text: capped.text, words: wordCount, title: metadata.title, free, measure }),
      ...(cut ? [truncationWarning("page")] : []),
    ],
  };
}
