import { isHeadingTag, logSize, share } from "../measures.ts";
import type { OutlineBlock } from "../outline.ts";
import { type Add, getElement, type PageFacts } from "./facts.ts";
import { hasDate, hasPrice } from "./text.ts";

/** Types of schema.org, by the kind of page that they are typical of. */
const TYPES = [/article|blogposting|report/i, /product|offer/i, /forum|qapage|comment/i, /itemlist|collection/i];

/** Describes a page as a whole. The values are the same for all its blocks. */
export function describePage(add: Add, { outline, measures, hints, titleAt }: PageFacts): void {
  const { blocks, elements } = outline;
  const { count, whole, linked, prose, listed } = measures;
  const countBlocks = (has: (block: OutlineBlock) => boolean): number => logSize(blocks.filter(has).length);
  const countElements = (tag: string): number => logSize(elements.filter((element) => element.tag === tag || element.role === tag).length);
  add("page's blocks", logSize(count));
  add("page's length", logSize(whole));
  add("page linked", share(linked(0, count), whole));
  add("page prose", share(prose(0, count), whole));
  add("page in lists", share(listed(0, count), whole));
  add(
    "page's headings",
    countBlocks((block) => isHeadingTag(getElement(outline, block).tag)),
  );
  add("page's dates", countBlocks(hasDate));
  add("page's prices", countBlocks(hasPrice));
  add("page's code", countElements("pre"));
  add("page's mains", countElements("main"));
  add("page's articles", countElements("article"));
  add("page's title", titleAt < 0 ? -1 : titleAt / count);
  for (const type of TYPES) add(`page is ${type.source}`, hints.types.some((one) => type.test(one)) ? 1 : 0);
  add("page's path", (URL.parse(hints.url)?.pathname ?? "").split("/").filter((part) => part !== "").length);
}
