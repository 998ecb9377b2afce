import { type PageDocument, type PageElement, type PageNode, textOf } from "../dom.ts";
import { type Block, drop, endsSentence } from "../prune/blocks.ts";
import { isDateLine } from "../prune/date-lines.ts";
import { isAround, isHeadedAround, isHidden, isOfPage } from "./evidence.ts";
import type { Region, Zone } from "./region.ts";
import type { Selection } from "./selection.ts";
import { holdsStructure, isStructure } from "./structure.ts";

const MIN_SENTENCE_LENGTH = 60;

const levelOf = (element: PageElement): number => (/^h[1-6]$/.test(element.localName) ? Number(element.localName[1]) : 0);

const isSentence = ({ text }: Block): boolean => text.length >= MIN_SENTENCE_LENGTH && endsSentence(text);

/**
 * Cuts the page down to its content: the blocks selected, and of what stands with them everything that there is no evidence against.
 * Outside of the main part nothing is kept; beside the article, sentences, headings and structures; within it, all text.
 */
export function assemble(page: PageDocument, { blocks, selected }: Selection, region: Region, host: string): void {
  const holders = new Set<PageNode>();
  for (const { holder } of selected) for (let up: PageElement | null = holder; up && !holders.has(up); up = up.parentNode) holders.add(up);
  const lines = Map.groupBy(blocks, ({ holder }) => holder);
  const filled = new Set<PageNode>();
  for (const { holder } of blocks) for (let up: PageElement | null = holder; up && !filled.has(up); up = up.parentNode) filled.add(up);

  const isKept = (block: Block, zone: Zone): boolean => {
    if (selected.has(block)) return true;
    if (zone === "around") return false;
    return zone === "article" || isSentence(block) || levelOf(block.holder) > 0;
  };
  const visit = (element: PageElement, outer: Zone): void => {
    const zone = region.zoneOf(element, outer);
    for (const block of lines.get(element) ?? []) if (!isKept(block, zone)) drop(block);
    let skipped = 0;
    for (const child of [...element.children].filter((one) => filled.has(one))) {
      const level = levelOf(child);
      if (holders.has(child) || (level > 0 && level <= skipped)) skipped = 0;
      if (holders.has(child)) visit(child, zone);
      else if (skipped > 0) child.remove();
      else if (level > 0 && isHeadedAround(child)) {
        skipped = level;
        child.remove();
      } else judge(child, region.zoneOf(child, zone));
    }
  };
  const judge = (element: PageElement, zone: Zone): void => {
    if (zone === "around" || isAround(element, host) || isHeadedAround(element) || isHidden(element)) return element.remove();
    if (isOfPage(element, zone) && !holdsStructure(element)) return element.remove();
    if (isStructure(element) && levelOf(element) === 0) return;
    if (lines.has(element) && !(lines.get(element) ?? []).some((block) => isKept(block, zone)) && element.children.length === 0) element.remove();
    else visit(element, zone);
  };
  visit(page.body, "around");
  dropEmptyHeadings(page.body, selected);
}

/** Headings that were not selected and over which nothing is left: what they announced was no content. */
function dropEmptyHeadings(root: PageElement, selected: ReadonlySet<Block>): void {
  const chosen = new Set<PageElement>([...selected].map(({ holder }) => holder));
  const open: PageElement[] = [];
  const close = (level: number): void => {
    while (open.length > 0 && levelOf(open.at(-1) as PageElement) >= level) {
      const heading = open.pop() as PageElement;
      if (!chosen.has(heading)) heading.remove();
    }
  };
  const visit = (element: PageElement): void => {
    const level = levelOf(element);
    if (level > 0) {
      if (textOf(element) === "") return;
      close(level);
      open.push(element);
      return;
    }
    for (const node of [...element.childNodes]) {
      if (node.nodeType === 1) visit(node as PageElement);
      else if (node.nodeType === 3 && (node.textContent ?? "").trim() !== "") open.length = 0;
    }
  };
  visit(root);
  close(0);
}
