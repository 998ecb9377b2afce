import type { PageDocument, PageElement } from "../dom.ts";
import { type PageBlock, removeBlock } from "../prune/blocks.ts";
import { type Anchors, findAnchors, isSentence, measureContainers, MIN_SHORT_SENTENCE_LENGTH } from "./anchors.ts";
import {
  FIGURES,
  isMetadataElement,
  isNonContent,
  isCardList,
  isFactBox,
  hasNonContentHeading,
  isNonContentLabel,
  isSiteColumn,
} from "./evidence.ts";
import { removeEmptyHeadings, getHeadingLevel } from "./headings.ts";
import { findRegion, type Region } from "./region.ts";
import type { ArticleSelection } from "./selection.ts";
import type { Placement } from "./placement.ts";
import { containsStructure, isStructureByKind, isStructureByName } from "./structure.ts";

/** An element with this share of the anchors is content, despite evidence against it. */
const MIN_ANCHOR_SHARE = 0.3;
const MIN_SPARSE_ANCHOR_SHARE = 0.5;
/** An article with at least this share of the page's text can't be distinguished from the rest of the page. */
const MIN_WHOLE_SHARE = 0.9;
/** A list after a non-content label is removed only if it has less than this share of the anchors. */
const MAX_LABELLED_SHARE = 0.1;
const MAX_LINK_LENGTH = 80;
const LIST = /^(?:ul|ol|div|table)$/;

/**
 * Removes everything from the page that is not content. In the article and the main part, all text without evidence against it is kept.
 * Outside of the main part, only anchors are kept.
 */
export function assemble(page: PageDocument, selection: ArticleSelection, titles: readonly (string | null)[], host: string): void {
  new Assembly(page, selection, titles, host).run();
  removeEmptyHeadings(page.body, selection.selected);
}

/** Whether a line is only a link. */
const isLink = ({ container, text, linked }: PageBlock): boolean =>
  linked >= text.length * 0.8 &&
  text.length < MAX_LINK_LENGTH &&
  !FIGURES.test(text) &&
  /^(?:div|p|section|span)$/.test(container.localName);

/** Whether a line is a list item that is not mostly a link. */
const isItem = ({ container, text, linked }: PageBlock): boolean =>
  linked < text.length * 0.5 && (container.localName === "li" || container.parentNode?.localName === "li");

class Assembly {
  readonly #body: PageElement;
  readonly #host: string;
  readonly #anchors: Anchors;
  readonly #region: Region;
  /** Blocks by their element, and their positions in the page. */
  readonly #lines: ReadonlyMap<PageElement, readonly PageBlock[]>;
  readonly #blocks: readonly PageBlock[];
  readonly #order: ReadonlyMap<PageBlock, number>;
  /** Characters of anchors, of selected blocks and of all blocks inside each element. */
  readonly #anchorLength: ReadonlyMap<PageElement, number>;
  readonly #selectedLength: ReadonlyMap<PageElement, number>;
  readonly #textLength: ReadonlyMap<PageElement, number>;
  readonly #firstAt: number;
  readonly #lastAt: number;
  /** Whether the article is the whole page, so that a line's position decides whether it is content. */
  readonly #isWhole: boolean;

  constructor(page: PageDocument, selection: ArticleSelection, titles: readonly (string | null)[], host: string) {
    this.#body = page.body;
    this.#host = host;
    this.#anchors = findAnchors(selection, titles);
    this.#lines = Map.groupBy(selection.blocks, ({ container }) => container);
    this.#blocks = selection.blocks;
    this.#order = new Map(selection.blocks.map((block, at) => [block, at]));
    this.#anchorLength = measureContainers(this.#anchors.blocks);
    this.#selectedLength = measureContainers(selection.selected);
    this.#textLength = measureContainers(selection.blocks);
    this.#region = findRegion(page, this.#anchorLength, this.#anchors, host);
    const { title, isSparse, blocks } = this.#anchors;
    this.#firstAt = title ? this.#getPosition(title) : 0;
    this.#lastAt = [...blocks].reduce((last, block) => Math.max(last, this.#getPosition(block)), 0);
    const getLength = (element: PageElement): number => this.#textLength.get(element) ?? 0;
    this.#isWhole = isSparse && getLength(this.#region.article) >= getLength(this.#body) * MIN_WHOLE_SHARE;
  }

  run(): void {
    this.#visit(this.#body, this.#region.getPlacement(this.#body, "outside"));
  }

  #visit(element: PageElement, placement: Placement): void {
    for (const block of this.#lines.get(element) ?? []) if (!this.#isContent(block, placement)) removeBlock(block);
    let skippedLevel = 0;
    for (const child of [...element.children].filter((one) => this.#textLength.has(one))) {
      const level = getHeadingLevel(child);
      const inner = this.#region.getPlacement(child, placement);
      if (this.#anchorLength.has(child) || (level > 0 && level <= skippedLevel)) skippedLevel = 0;
      if (this.#anchorLength.has(child)) this.#judgeAnchored(child, inner);
      else if (skippedLevel > 0) child.remove();
      else if (isNonContentLabel(child)) this.#removeLabelled(child);
      else if (level > 0 && hasNonContentHeading(child)) {
        skippedLevel = level;
        child.remove();
      } else this.#judge(child, inner);
    }
  }

  #judgeAnchored(element: PageElement, placement: Placement): void {
    const { isSparse } = this.#anchors;
    const minShare = isSparse ? MIN_SPARSE_ANCHOR_SHARE : MIN_ANCHOR_SHARE;
    if ((placement !== "article" || isSparse) && this.#computeAnchorShare(element) < minShare && this.#hasEvidenceAgainst(element))
      element.remove();
    else this.#visit(element, placement);
  }

  #judge(element: PageElement, placement: Placement): void {
    if (placement !== "outside" && isFactBox(element)) this.#visit(element, "article");
    else if (
      placement === "outside" ||
      this.#hasEvidenceAgainst(element) ||
      isMetadataElement(element) ||
      this.#isSideElement(element, placement)
    )
      element.remove();
    else if (getHeadingLevel(element) > 0 || !isStructureByKind(element))
      this.#visit(element, isStructureByName(element) ? "article" : placement);
  }

  /** Removes a label and the list after it, both of which are not content. */
  #removeLabelled(label: PageElement): void {
    const next = label.nextElementSibling;
    if (next && LIST.test(next.localName) && this.#computeAnchorShare(next) < MAX_LABELLED_SHARE) next.remove();
    label.remove();
  }

  #hasEvidenceAgainst(element: PageElement): boolean {
    return isNonContent(element, this.#host) || hasNonContentHeading(element);
  }

  #isSideElement(element: PageElement, placement: Placement): boolean {
    if (placement === "main" && isCardList(element)) return true;
    const isSelected = this.#selectedLength.has(element) && !this.#isWhole;
    return isSiteColumn(element, this.#isWhole ? "main" : placement, isSelected) && !containsStructure(element);
  }

  #isContent(block: PageBlock, placement: Placement): boolean {
    if (this.#anchors.blocks.has(block)) return true;
    if (placement === "outside") return false;
    if (placement === "main" && isLink(block)) return false;
    if (!this.#isWhole) return true;
    const isText =
      isSentence(block, this.#anchors.isSparse ? MIN_SHORT_SENTENCE_LENGTH : undefined) || getHeadingLevel(block.container) > 0;
    if (isText) return true;
    const at = this.#getPosition(block);
    return (at >= this.#firstAt && at <= this.#lastAt) || FIGURES.test(block.text) || this.#followsHeading(at) || isItem(block);
  }

  /** Whether a line directly follows a heading. */
  #followsHeading(at: number): boolean {
    const before = this.#blocks[at - 1];
    return before !== undefined && getHeadingLevel(before.container) > 0;
  }

  #getPosition(block: PageBlock): number {
    return this.#order.get(block) ?? 0;
  }

  #computeAnchorShare(element: PageElement): number {
    return (this.#anchorLength.get(element) ?? 0) / Math.max(1, this.#anchorLength.get(this.#body) ?? 0);
  }
}
