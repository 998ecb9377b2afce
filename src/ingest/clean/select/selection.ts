import { Readability } from "@mozilla/readability";
import { type PageDocument, type PageElement } from "../dom.ts";
import { type PageBlock, listBlocks } from "../prune/blocks.ts";
import { removeNonContent } from "../prune/remove-noise.ts";
import { markParagraphs, restoreParagraphs } from "./restore.ts";
import { LEAD_MARK } from "../prune/lead-mark.ts";
import { isNamed, LEAD_NAMES } from "../prune/names.ts";
import { normaliseText } from "../text.ts";

const BLOCK_ATTRIBUTE = "data-block";
/** For articles below this length, Readability retries with fewer exclusions. Most of the excluded elements have been removed already. */
const MIN_ARTICLE_LENGTH = 1_200;
/** A prefix of this many letters identifies a block in any element. */
const MIN_PREFIX_LENGTH = 30;

const MIN_LEAD_LENGTH = 60;

/** The blocks of a page in order, and those that Readability selects as the article. */
export type ArticleSelection = {
  readonly blocks: readonly PageBlock[];
  readonly selected: ReadonlySet<PageBlock>;
  readonly title: string | null;
  readonly byline: string | null;
};

/**
 * Selects the article with Readability, on a copy of the page because Readability modifies its input. Returns the selected blocks of the
 * original page; `assemble` decides about its other content.
 */
export function selectArticle(page: PageDocument, titles: readonly (string | null)[], description: string | null): ArticleSelection {
  const blocks = listBlocks(page.body);
  blocks.forEach(({ container }, at) => container.setAttribute(BLOCK_ATTRIBUTE, container.getAttribute(BLOCK_ATTRIBUTE) ?? String(at)));
  const copy = (page as unknown as { cloneNode(deep: true): PageDocument }).cloneNode(true);
  removeNonContent(copy, titles);
  const paragraphs = markParagraphs(copy, description);
  const reader = new Readability<PageElement>(copy as never, {
    serializer: (node) => node as unknown as PageElement,
    disableJSONLD: true,
    keepClasses: true,
    charThreshold: MIN_ARTICLE_LENGTH,
  });
  const article = parseSafely(reader);
  const restored = article?.content ? restoreParagraphs(article.content, paragraphs) : [];
  const selected = article?.content ? matchBlocks(blocks, article.content) : new Set<PageBlock>();
  const marks = new Set(restored.map((element) => element.getAttribute(BLOCK_ATTRIBUTE)));
  for (const block of selected) if (marks.has(block.container.getAttribute(BLOCK_ATTRIBUTE)) || isLead(block)) markAsLead(block.container);
  return { blocks, selected, title: article?.title ?? null, byline: article?.byline ?? null };
}

const isLead = ({ container, text, linked }: PageBlock): boolean =>
  text.length >= MIN_LEAD_LENGTH &&
  linked < text.length / 2 &&
  [container, container.parentNode].some((one) => one?.getAttribute && isNamed(one, LEAD_NAMES));

/** Returns null if there is no article, or if Readability throws, as for some pages with invalid nesting. */
function parseSafely(reader: Readability<PageElement>): ReturnType<Readability<PageElement>["parse"]> {
  try {
    return reader.parse();
  } catch {
    return null;
  }
}

/** Marks an element and its two closest ancestors, which often have similar names. */
function markAsLead(element: PageElement): void {
  let up: PageElement | null = element;
  for (let steps = 0; steps < 3 && up?.setAttribute; steps++, up = up.parentNode) up.setAttribute(LEAD_MARK, "");
}

const findBlockId = (block: PageBlock): string | null => {
  for (let up: PageElement | null = block.container; up; up = up.parentNode) {
    const mark = up.getAttribute?.(BLOCK_ATTRIBUTE);
    if (mark !== null && mark !== undefined) return mark;
  }
  return null;
};

/**
 * Returns the blocks that are in the article, by their text and element. Blocks that Readability split or moved to another element are
 * matched by the start of their text.
 */
function matchBlocks(blocks: readonly PageBlock[], article: PageElement): ReadonlySet<PageBlock> {
  const toKey = (block: PageBlock): string => `${findBlockId(block)} ${block.text}`;
  const found = listBlocks(article);
  const keys = new Set(found.map(toKey));
  const selected = new Set(blocks.filter((block) => keys.has(toKey(block))));
  const matched = new Set([...selected].map(toKey));
  const toPrefix = ({ text }: PageBlock): string => normaliseText(text).slice(0, MIN_PREFIX_LENGTH);
  const prefixes = new Set(found.filter((block) => !matched.has(toKey(block))).map(toPrefix));
  for (const block of blocks) {
    const prefix = toPrefix(block);
    if (prefix.length === MIN_PREFIX_LENGTH && prefixes.has(prefix)) selected.add(block);
  }
  return selected;
}
