import type { TileWarning } from "#domain/content/tile.ts";
import { type Content, type KnownPage, readContent } from "./content.ts";
import { addEmbedded } from "./embedded/embedded.ts";
import { LinkedData } from "./embedded/linked-data.ts";
import { addPrice } from "./embedded/prices.ts";
import { readState } from "./embedded/state.ts";
import { readPreloaded } from "./embedded/preloaded.ts";
import { isAffordable } from "./measure/cost.ts";
import { withCpuBudget } from "./measure/cpu-budget.ts";
import { type Measure, measurePage } from "./measure/measure.ts";
import { type PageMetadata, readListMetadata, readMetadata } from "./metadata/metadata.ts";
import { contentModel } from "./model/content-model.ts";
import { readHints } from "./model/hints.ts";
import type { Model } from "./model/model.ts";
import type { PageType } from "./type/page-type.ts";
import { countWords, removeBreakMarks, replaceInvalidCharacters, truncateText, truncationWarning } from "./text.ts";
import { warnAboutThinPage } from "./warnings.ts";

export type HtmlPage = { readonly html: string; readonly url: string };

/** The text and metadata of a page. `publishedAt` is ISO 8601, `text` light Markdown of at most 1,000,000 code points. */
export type CleanedPage = Omit<PageMetadata, "free"> & {
  readonly text: string;
  /** Null if the page was read without its structure. */
  readonly pageType: PageType | null;
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

/** A page with punctuation only, such as the rest of a truncated tag, has no text. */
const HAS_TEXT = /[\p{L}\p{N}\p{Emoji_Presentation}]/u;

const canBuildTree = (measure: Measure): boolean =>
  measure.depth <= MAX_DEPTH &&
  measure.elements <= MAX_ELEMENTS &&
  measure.links <= MAX_LINKS &&
  isAffordable(measure.cost) &&
  measure.longestText <= MAX_TEXT_NODE_LENGTH;

/** Reads the content from a DOM tree if building one costs little and there is any; the page's linear text otherwise. Never throws. */
function readText(
  html: string,
  measure: Measure,
  known: KnownPage,
  model: Model,
): Omit<Content, "type"> & { readonly type: PageType | null } {
  const linear = { text: measure.linear, type: null, isList: false };
  if (!canBuildTree(measure) || html.length > MAX_TREE_INPUT) return linear;
  try {
    const content = withCpuBudget(MAX_TREE_MS, () => readContent(html, known, model));
    return HAS_TEXT.test(content.text) ? content : linear;
  } catch {
    // The parser may build a deeper tree from invalid tags than was measured, or throw because of them.
    return linear;
  }
}

/**
 * Prepares a page for the parsers. They drop NUL characters, so there is no need to process megabytes of them. They read a section of
 * character data up to its own end, or the page's; in HTML it is a comment that ends with the next tag. Marks about line breaks are no text.
 */
const toParsable = (html: string): string =>
  replaceInvalidCharacters(removeBreakMarks(html).replaceAll("\u0000", "").replaceAll("<![CDATA[", "<! [CDATA["));

/**
 * Reads a page's content and metadata. The time is bounded for any nesting. Never throws because of a page's content; the text is empty
 * if there is none.
 */
export function cleanPage(page: HtmlPage, model: Model = contentModel): CleanedPage {
  const html = toParsable(page.html.slice(0, MAX_INPUT));
  const measure = measurePage(html);
  const linked = new LinkedData(measure.jsonLd, readPreloaded(measure.preloaded));
  const known = readMetadata(measure, linked, page.url);
  const hints = readHints(measure, known, page.url);
  const content = readText(html, measure, { title: known.title, hints, linked }, model);
  const { free, ...metadata } = content.isList ? readListMetadata(measure, linked, page.url) : known;
  const embedded = addEmbedded(content.text, linked, () => readState(html, [known.title, ...hints.titles]));
  const isPriced = content.type !== "product" || embedded !== content.text;
  const text = isPriced ? embedded : addPrice(embedded, linked, measure.meta);
  const capped = truncateText(HAS_TEXT.test(text) ? replaceInvalidCharacters(text) : "");
  const wordCount = countWords(capped.text);
  const cut = capped.truncated || page.html.length > MAX_INPUT;
  return {
    ...metadata,
    text: capped.text,
    pageType: content.type,
    wordCount,
    warnings: [
      ...warnAboutThinPage({ text: capped.text, words: wordCount, title: metadata.title, free, measure }),
      ...(cut ? [truncationWarning("page")] : []),
    ],
  };
}
