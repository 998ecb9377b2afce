import { type PageDocument, type PageElement, textOf } from "../dom.ts";
import { type Block, drop } from "../prune/blocks.ts";
import { findAnchors, isSentence, measureHolders, MIN_SHORT_SENTENCE_LENGTH } from "./anchors.ts";
import { FIGURES, isAbout, isAround, isCardList, isHeadedAround, isLabelAround, isOfPage } from "./evidence.ts";
import { findRegion, type Zone } from "./region.ts";
import type { Selection } from "./selection.ts";
import { holdsStructure, isStructure } from "./structure.ts";

/** Share of the anchors that an element must hold to be content in spite of evidence against it. */
const MIN_ANCHOR_SHARE = 0.3;
const MIN_SPARSE_SHARE = 0.5;
const MIN_WHOLE_SHARE = 0.9;

/** Share of the anchors up to which a list is taken out with the line over it that says it is something else. */
const MAX_LISTED_SHARE = 0.1;
const LIST = /^(?:ul|ol|div|table)$/;

const levelOf = (element: PageElement): number => (/^h[1-6]$/.test(element.localName) ? Number(element.localName[1]) : 0);

/**
 * Cuts the page down to its content: everything that stands with the anchors and that there is no evidence against.
 * Around the main part nothing but anchors is kept; beside the article, sentences, headings and structures; within it, all text.
 */
export function assemble(page: PageDocument, selection: Selection, titles: readonly (string | null)[], host: string): void {
  const { blocks, selected } = selection;
  const found = findAnchors(selection, titles);
  const anchors = found.blocks;
  const chosen = measureHolders(selected);
  const anchored = measureHolders(anchors);
  const filled = measureHolders(blocks);
  const region = findRegion(page, anchored, found, host);
  const lines = Map.groupBy(blocks, ({ holder }) => holder);
  const whole = anchored.get(page.body) ?? 0;

  const order = new Map(blocks.map((block, at) => [block, at]));
  const start = found.title ? (order.get(found.title) ?? 0) : 0;
  const end = Math.max(...[...anchors].map((block) => order.get(block) ?? 0));
  // Where the article is the whole page, what stands around it must be told by where it stands.
  const isUntold = found.isSparse && (filled.get(region.article) ?? 0) >= (filled.get(page.body) ?? 0) * MIN_WHOLE_SHARE;
  const isSaid = (block: Block): boolean =>
    isSentence(block, found.isSparse ? MIN_SHORT_SENTENCE_LENGTH : undefined) || levelOf(block.holder) > 0;
  const isBesideAnchor = ({ holder }: Block): boolean => holder.parentNode !== null && anchored.has(holder.parentNode);
  const isKept = (block: Block, zone: Zone): boolean => {
    if (anchors.has(block)) return true;
    if (zone === "around") return false;
    const at = order.get(block) ?? 0;
    if (zone === "article") return !isUntold || (at >= start && at <= end) || isSaid(block) || FIGURES.test(block.text);
    return isSaid(block) || (selected.has(block) && isBesideAnchor(block));
  };
  const isAgainst = (element: PageElement): boolean => isAround(element, host) || isHeadedAround(element);
  const isOfPageAlone = (element: PageElement, zone: Zone): boolean =>
    (isOfPage(element, isUntold ? "main" : zone, chosen.has(element) && !isUntold) && !holdsStructure(element)) ||
    (zone === "main" && isCardList(element));
  const visit = (element: PageElement, zone: Zone): void => {
    for (const block of lines.get(element) ?? []) if (!isKept(block, zone)) drop(block);
    let skipped = 0;
    for (const child of [...element.children].filter((one) => filled.has(one))) {
      const level = levelOf(child);
      const isAnchored = anchored.has(child);
      if (isAnchored || (level > 0 && level <= skipped)) skipped = 0;
      const inner = region.zoneOf(child, zone);
      if (isAnchored) {
        if (
          (inner !== "article" || found.isSparse) &&
          (anchored.get(child) ?? 0) < whole * (found.isSparse ? MIN_SPARSE_SHARE : MIN_ANCHOR_SHARE) &&
          isAgainst(child)
        )
          child.remove();
        else visit(child, inner);
      } else if (skipped > 0) child.remove();
      else if (isLabelAround(child)) {
        const next = child.nextElementSibling;
        if (next && LIST.test(next.localName) && (anchored.get(next) ?? 0) < whole * MAX_LISTED_SHARE) next.remove();
        child.remove();
      } else if (level > 0 && isHeadedAround(child)) {
        skipped = level;
        child.remove();
      } else judge(child, inner);
    }
  };
  const judge = (element: PageElement, zone: Zone): void => {
    if (zone === "around" || isAgainst(element) || isAbout(element) || isOfPageAlone(element, zone)) element.remove();
    else if (!isStructure(element) || levelOf(element) > 0) visit(element, zone);
  };
  visit(page.body, region.zoneOf(page.body, "around"));
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
