import { Readability } from "@mozilla/readability";
import { type PageDocument, type PageElement } from "../dom.ts";
import { type Block, blocksIn } from "../prune/blocks.ts";
import { removeNonContent } from "../prune/before.ts";
import { markParagraphs, restoreParagraphs } from "./restore.ts";
import { LEAD_MARK } from "../prune/marks.ts";
import { isNamed, LEAD_NAMES } from "../prune/names.ts";
import { normaliseText } from "../text.ts";

const MARK = "data-block";
/** Characters below which Readability looks again with fewer of its own exclusions; much that they are for is gone from the page already. */
const FULL_ARTICLE = 1_200;
/** Letters from which on a block is recognised by its text alone, whatever element holds it. */
const MIN_DISTINCT_LENGTH = 30;

const MIN_LEAD_LENGTH = 60;

/** The blocks of a page in order, and those of them that Readability takes for the article. */
export type Selection = {
  readonly blocks: readonly Block[];
  readonly selected: ReadonlySet<Block>;
  readonly title: string | null;
  readonly byline: string | null;
};

/**
 * Finds the article on a copy of the page, which Readability changes and cuts, and returns it as blocks of the page itself, so that
 * whatever else the page holds is still there to be looked at.
 */
export function selectArticle(page: PageDocument, titles: readonly (string | null)[], description: string | null): Selection {
  const blocks = blocksIn(page.body);
  blocks.forEach(({ holder }, at) => holder.setAttribute(MARK, holder.getAttribute(MARK) ?? String(at)));
  const copy = (page as unknown as { cloneNode(deep: true): PageDocument }).cloneNode(true);
  removeNonContent(copy, titles);
  const places = markParagraphs(copy, description);
  const reader = new Readability<PageElement>(copy as never, {
    serializer: (node) => node as unknown as PageElement,
    disableJSONLD: true,
    keepClasses: true,
    charThreshold: FULL_ARTICLE,
  });
  const article = parseSafely(reader);
  const restored = article?.content ? restoreParagraphs(article.content, places) : [];
  const selected = article?.content ? matchBlocks(blocks, article.content) : new Set<Block>();
  const marks = new Set(restored.map((element) => element.getAttribute(MARK)));
  for (const block of selected) if (marks.has(block.holder.getAttribute(MARK)) || isLead(block)) protect(block.holder);
  return { blocks, selected, title: article?.title ?? null, byline: article?.byline ?? null };
}

const isLead = ({ holder, text, linked }: Block): boolean =>
  text.length >= MIN_LEAD_LENGTH &&
  linked < text.length / 2 &&
  [holder, holder.parentNode].some((one) => one?.getAttribute && isNamed(one, LEAD_NAMES));

/** Null as well for a page whose broken nesting Readability stumbles over. */
function parseSafely(reader: Readability<PageElement>): ReturnType<Readability<PageElement>["parse"]> {
  try {
    return reader.parse();
  } catch {
    return null;
  }
}

/** Marks an element and the two around it, whose names say the same. */
function protect(element: PageElement): void {
  let up: PageElement | null = element;
  for (let steps = 0; steps < 3 && up?.setAttribute; steps++, up = up.parentNode) up.setAttribute(LEAD_MARK, "");
}

const markOf = (block: Block): string | null => {
  for (let up: PageElement | null = block.holder; up; up = up.parentNode) {
    const mark = up.getAttribute?.(MARK);
    if (mark !== null && mark !== undefined) return mark;
  }
  return null;
};

/**
 * The blocks whose text stands in the article, in the same element. What Readability broke up or moved into another element is
 * recognised by its beginning.
 */
function matchBlocks(blocks: readonly Block[], article: PageElement): ReadonlySet<Block> {
  const keyOf = (block: Block): string => `${markOf(block)} ${block.text}`;
  const found = blocksIn(article);
  const keys = new Set(found.map(keyOf));
  const selected = new Set(blocks.filter((block) => keys.has(keyOf(block))));
  const matched = new Set([...selected].map(keyOf));
  const beginningOf = ({ text }: Block): string => normaliseText(text).slice(0, MIN_DISTINCT_LENGTH);
  const beginnings = new Set(found.filter((block) => !matched.has(keyOf(block))).map(beginningOf));
  for (const block of blocks) {
    const beginning = beginningOf(block);
    if (beginning.length === MIN_DISTINCT_LENGTH && beginnings.has(beginning)) selected.add(block);
  }
  return selected;
}
