import { parsePage, type PageDocument } from "./dom.ts";
import type { LinkedData } from "./embedded/linked-data.ts";
import { toMarkdown } from "./markdown.ts";
import type { PageHints } from "./model/features/facts.ts";
import type { Model } from "./model/model.ts";
import { outlinePage } from "./model/outline.ts";
import { selectBlocks } from "./model/select.ts";
import { removeUnreadable } from "./prune/remove-unreadable.ts";
import { removeRepeats } from "./prune/repeats.ts";
import { readThread } from "./thread/thread.ts";

/** What is known of a page before its content is read. */
export type KnownPage = { readonly hints: PageHints; readonly linked: LinkedData };

/** Reads the main content of a page as Markdown: the posts of a thread, or the blocks that the model takes for content. */
export function readContent(html: string, { hints, linked }: KnownPage, model: Model): string {
  const page = parsePage(html);
  removeUnreadable(page);
  const thread = process.env["THREAD"] === undefined ? null : readThread(page, linked);
  if (thread !== null) return thread;
  keepContent(page, hints, model);
  return toMarkdown(page.body);
}

/** Removes the blocks that are not content. */
function keepContent({ body }: PageDocument, hints: PageHints, model: Model): void {
  const { outline, nodes } = outlinePage(body);
  const kept = selectBlocks(outline, model(outline, hints));
  for (const [at, list] of nodes.entries()) if (kept[at] === 0) for (const node of list) node.remove();
  if (process.env["REP"] !== "0") removeRepeats(body);
}
