import type { TileWarning } from "#domain/content/tile.ts";
import { parsePage, textOf } from "./dom.ts";
import { toMarkdown } from "./markdown.ts";
import { isAffordable } from "./measure/cost.ts";
import { BudgetError, withCpuBudget } from "./measure/cpu-budget.ts";
import { type Measure, measurePage } from "./measure/measure.ts";
import { authorOf, readMetadata } from "./metadata.ts";
import { cleanArticle } from "./prune/after.ts";
import { removeNonContent, removeNoise } from "./prune/before.ts";
import { assemble } from "./select/assemble.ts";
import { selectArticle } from "./select/selection.ts";
import { normaliseText, truncateText, countWords, truncationWarning, replaceInvalidCharacters } from "./text.ts";
import { warnAboutThinPage } from "./warnings.ts";

export type HtmlPage = { readonly html: string; readonly url: string };

/** A page as its words; `publishedAt` is ISO 8601, `text` light Markdown of at most 1,000,000 code points. */
export type CleanedPage = {
  readonly title: string | null;
  readonly text: string;
  readonly author: string | null;
  readonly siteName: string | null;
  readonly publishedAt: string | null;
  readonly language: string | null;
  readonly thumbnailUrl: string | null;
  readonly canonicalUrl: string | null;
  readonly warnings: readonly TileWarning[];
  readonly wordCount: number;
};

const MAX_DEPTH = 400;
const MAX_ELEMENTS = 20_000;
const MAX_LINKS = 8_000;
/** Processor time for the tree of a page of any other shape that takes long, in milliseconds. */
const MAX_TREE_MS = 5_000;
/** Text without a tag is copied whole at every step of the reading; this much has no structure to lose. */
const MAX_PIECE = 400_000;
const MAX_INPUT = 8 * 1024 * 1024;
const MAX_TREE_INPUT = 3 * 1024 * 1024;

/** Marks alone, such as what is left of a tag that was cut, are no words. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Emoji_Presentation}]/u;

/** What the page's head says of the article. */
type Said = { readonly author: string | null; readonly publishedAt: string | null };

type Article = { readonly text: string; readonly byline: string | null };

/** The article as Markdown; null when Readability finds none worth the name, or stumbles over the page. */
function readArticle(html: string, url: string, measure: Measure, said: Said): Article | null {
  try {
    return findArticle(html, url, measure, said);
  } catch {
    return null;
  }
}

function findArticle(html: string, url: string, measure: Measure, said: Said): Article | null {
  const page = parsePage(html);
  removeNoise(page);
  const host = URL.parse(url)?.hostname ?? "";
  const titles = [measure.heading, measure.title, measure.meta.get("og:title") ?? null];
  const selection = selectArticle(page, titles, measure.meta.get("og:description") ?? measure.meta.get("description") ?? null);
  assemble(page, selection, titles, host);
  cleanArticle(page.body, {
    titles: [selection.title, ...titles, ...siteNames(measure)],
    authors: [selection.byline, said.author],
    published: said.publishedAt,
    host,
  });
  return { text: toMarkdown(page.body), byline: selection.byline };
}

/** What the page calls its site: parts of its title that are not its heading. */
function siteNames({ title, heading, meta }: Measure): readonly string[] {
  const parts = (title ?? "").replace(/\s+/g, " ").split(/ [-–—|·:»] /);
  const others = parts.length > 1 && heading !== null ? parts.filter((part) => normaliseText(part) !== normaliseText(heading)) : [];
  return [meta.get("og:site_name") ?? "", ...others].filter((name) => normaliseText(name).length >= 4);
}

function readBody(html: string): string {
  const page = parsePage(html);
  removeNoise(page);
  removeNonContent(page, []);
  return textOf(page.documentElement) === "" ? "" : toMarkdown(page.documentElement);
}

const canBuildTree = (measure: Measure): boolean =>
  measure.depth <= MAX_DEPTH &&
  measure.elements <= MAX_ELEMENTS &&
  measure.links <= MAX_LINKS &&
  isAffordable(measure.cost) &&
  measure.longestText <= MAX_PIECE;

/** A tree is only built of pages whose measure promises that it ends soon; the others are read in a line. */
function readText(html: string, url: string, measure: Measure, said: Said): Article {
  const tree = canBuildTree(measure) && html.length <= MAX_TREE_INPUT;
  if (!tree) return { text: measure.linear, byline: null };
  try {
    return withCpuBudget(MAX_TREE_MS, () => readTree(html, url, measure, said));
  } catch (error) {
    // The tree that the parser makes of broken tags can be deeper than its measure told.
    if (error instanceof RangeError || error instanceof BudgetError) return { text: measure.linear, byline: null };
    throw error;
  }
}

function readTree(html: string, url: string, measure: Measure, said: Said): Article {
  const article = readArticle(html, url, measure, said);
  if (article && countWords(article.text.slice(0, 2_000)) >= 10) return article;
  const body = readBody(html);
  return { text: body === "" ? measure.linear : body, byline: article?.byline ?? null };
}

/**
 * A page's words and what it says of itself. Its time is bounded by the page's measure, not by its nesting; it
 * never throws for what a page holds, and an empty text means that there were no words.
 */
export function cleanPage(page: HtmlPage): CleanedPage {
  // HTML has no NUL: its parsers drop them, and megabytes of them need not be carried along.
  const html = replaceInvalidCharacters(page.html.slice(0, MAX_INPUT).replaceAll("\u0000", ""));
  const measure = measurePage(html);
  const { free, ...said } = readMetadata(measure, page.url);
  const article = readText(html, page.url, measure, said);
  const metadata = { ...said, author: said.author ?? authorOf(article.byline) };
  const capped = truncateText(SAYS_SOMETHING.test(article.text) ? replaceInvalidCharacters(article.text) : "");
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
