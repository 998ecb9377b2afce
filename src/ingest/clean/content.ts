import { parsePage, removeNodes } from "./dom.ts";
import type { LinkedData } from "./embedded/linked-data.ts";
import { toMarkdown } from "./markdown.ts";
import { keepCards } from "./model/select/cards.ts";
import type { PageHints } from "./model/features/facts.ts";
import type { Model } from "./model/model.ts";
import { outlinePage } from "./model/outline.ts";
import { selectBlocks } from "./model/select/blocks.ts";
import { removeUnreadable } from "./prune/remove-unreadable.ts";
import { removeRepeats } from "./prune/repeats.ts";
import { normaliseText } from "./text.ts";
import { readThread } from "./thread/thread.ts";
import { chooseType, type PageType, sumTypes } from "./type/page-type.ts";

/** What is known of a page before its content is read. `title` is that of its tile. */
export type KnownPage = { readonly title: string | null; readonly hints: PageHints; readonly linked: LinkedData };

/**
 * The main content of a page as Markdown, and the most likely type of the page. `isList` says that it is more likely than not a list of one
 * of several types, even if the most likely single type is another.
 */
export type Content = { readonly text: string; readonly type: PageType; readonly isList: boolean };

/** Lists of things with an author and a date each are no threads. */
const LISTS: ReadonlySet<PageType> = new Set(["product", "collection", "listing"]);
/** Pages whose content is cards. */
const CATALOGUES: ReadonlySet<PageType> = new Set(["collection", "listing"]);
/** A page is of one of several types if that is more likely than not. */
const MIN_CERTAINTY = 0.5;
const ARTICLES: ReadonlySet<PageType> = new Set(["article"]);
/** A page that is so likely an article has an author and a date of its own, and perhaps teasers or comments with theirs. */
const MIN_ARTICLE_CERTAINTY = 0.9;

/** Whether a heading is the title, or begins with it, or begins it. The heading of a section is not. */
function isTitle(heading: string | undefined, title: string | null): boolean {
  const [own, whole] = [normaliseText(heading ?? ""), normaliseText(title ?? "")];
  return own !== "" && whole !== "" && (own.startsWith(whole) || whole.startsWith(own));
}

/** Reads the posts of a thread, or the blocks of any other page that the model takes for content. */
export function readContent(html: string, { title, hints, linked }: KnownPage, model: Model): Content {
  const page = parsePage(html);
  removeUnreadable(page);
  const outlined = outlinePage(page.body);
  const { outline, nodes } = outlined;
  const { types, titleAt, probabilities } = model(outline, hints);
  const type = chooseType(types);
  const isList = sumTypes(types, LISTS) >= MIN_CERTAINTY;
  const isArticle = sumTypes(types, ARTICLES) >= MIN_ARTICLE_CERTAINTY;
  const thread = isList || isArticle ? null : readThread(page.body, outlined, linked);
  if (thread !== null) return { text: thread, type: "forum", isList };
  const kept = selectBlocks(outline, probabilities, titleAt);
  if (CATALOGUES.has(type)) keepCards(outline, titleAt, kept);
  // An article has its title in its metadata. Of a thread, the title may be the question.
  if (type === "article" && isTitle(outline.blocks[titleAt]?.text, title)) kept[titleAt] = 0;
  removeRepeats(outline, kept);
  for (const [at, list] of nodes.entries()) if (kept[at] === 0) removeNodes(list);
  return { text: toMarkdown(page.body), type, isList };
}
