import type { PageDocument, PageElement } from "../dom.ts";
import { type Block, removeBlock } from "../prune/blocks.ts";
import { type Anchors, findAnchors, isSentence, measureHolders, MIN_SHORT_SENTENCE_LENGTH } from "./anchors.ts";
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
import { removeEmptyHeadings, levelOf } from "./headings.ts";
import { findRegion, type Region } from "./region.ts";
import type { Selection } from "./selection.ts";
import type { Zone } from "./zone.ts";
import { containsStructure, isStructureByKind, isStructureByName } from "./structure.ts";

/** Share of the anchors that an element must hold to be content in spite of evidence against it. */
const MIN_ANCHOR_SHARE = 0.3;
const MIN_SPARSE_ANCHOR_SHARE = 0.5;
/** Share of the page's text from which on the article can't be told from what stands around it. */
const MIN_WHOLE_SHARE = 0.9;
/** Share of the anchors up to which a list is taken out with the line over it that says it is something else. */
const MAX_LISTED_SHARE = 0.1;
const MAX_LINK_LENGTH = 80;
const LIST = /^(?:ul|ol|div|table)$/;

/**
 * Cuts the page down to its content: everything that stands with the anchors and that there is no evidence against.
 * Around the main part nothing but anchors is kept; beside the article, sentences, headings and structures; within it, all text.
 */
export function assemble(page: PageDocument, selection: Selection, titles: readonly (string | null)[], host: string): void {
  new Assembly(page, selection, titles, host).run();
  removeEmptyHeadings(page.body, selection.selected);
}

/** Whether a line is nothing but a way to another page. */
const isLink = ({ holder, text, linked }: Block): boolean =>
  linked >= text.length * 0.8 && text.length < MAX_LINK_LENGTH && !FIGURES.test(text) && /^(?:div|p|section|span)$/.test(holder.localName);

/** Whether a line is an item of a list, and leads nowhere. */
const isItem = ({ holder, text, linked }: Block): boolean =>
  linked < text.length * 0.5 && (holder.localName === "li" || holder.parentNode?.localName === "li");

class Assembly {
  readonly #body: PageElement;
  readonly #host: string;
  readonly #anchors: Anchors;
  readonly #region: Region;
  /** Blocks by the element that holds them, and their places in the page. */
  readonly #lines: ReadonlyMap<PageElement, readonly Block[]>;
  readonly #blocks: readonly Block[];
  readonly #order: ReadonlyMap<Block, number>;
  /** Characters of anchors, of selected blocks and of all blocks inside each element. */
  readonly #anchored: ReadonlyMap<PageElement, number>;
  readonly #selected: ReadonlyMap<PageElement, number>;
  readonly #filled: ReadonlyMap<PageElement, number>;
  readonly #firstAt: number;
  readonly #lastAt: number;
  /** Whether the article is the whole page, so that what stands around it must be told by its place. */
  readonly #isWhole: boolean;

  constructor(page: PageDocument, selection: Selection, titles: readonly (string | null)[], host: string) {
    this.#body = page.body;
    this.#host = host;
    this.#anchors = findAnchors(selection, titles);
    this.#lines = Map.groupBy(selection.blocks, ({ holder }) => holder);
    this.#blocks = selection.blocks;
    this.#order = new Map(selection.blocks.map((block, at) => [block, at]));
    this.#anchored = measureHolders(this.#anchors.blocks);
    this.#selected = measureHolders(selection.selected);
    this.#filled = measureHolders(selection.blocks);
    this.#region = findRegion(page, this.#anchored, this.#anchors, host);
    const { title, isSparse, blocks } = this.#anchors;
    this.#firstAt = title ? this.#placeOf(title) : 0;
    this.#lastAt = [...blocks].reduce((last, block) => Math.max(last, this.#placeOf(block)), 0);
    const lengthOf = (element: PageElement): number => this.#filled.get(element) ?? 0;
    this.#isWhole = isSparse && lengthOf(this.#region.article) >= lengthOf(this.#body) * MIN_WHOLE_SHARE;
  }

  run(): void {
    this.#visit(this.#body, this.#region.zoneOf(this.#body, "outside"));
  }

  #visit(element: PageElement, zone: Zone): void {
    for (const block of this.#lines.get(element) ?? []) if (!this.#isKept(block, zone)) removeBlock(block);
    let skippedLevel = 0;
    for (const child of [...element.children].filter((one) => this.#filled.has(one))) {
      const level = levelOf(child);
      const inner = this.#region.zoneOf(child, zone);
      if (this.#anchored.has(child) || (level > 0 && level <= skippedLevel)) skippedLevel = 0;
      if (this.#anchored.has(child)) this.#judgeAnchored(child, inner);
      else if (skippedLevel > 0) child.remove();
      else if (isNonContentLabel(child)) this.#removeLabelled(child);
      else if (level > 0 && hasNonContentHeading(child)) {
        skippedLevel = level;
        child.remove();
      } else this.#judge(child, inner);
    }
  }

  #judgeAnchored(element: PageElement, zone: Zone): void {
    const { isSparse } = this.#anchors;
    const minShare = isSparse ? MIN_SPARSE_ANCHOR_SHARE : MIN_ANCHOR_SHARE;
    if ((zone !== "article" || isSparse) && this.#anchorShare(element) < minShare && this.#isAgainst(element)) element.remove();
    else this.#visit(element, zone);
  }

  #judge(element: PageElement, zone: Zone): void {
    if (zone !== "outside" && isFactBox(element)) this.#visit(element, "article");
    else if (zone === "outside" || this.#isAgainst(element) || isMetadataElement(element) || this.#isBeside(element, zone))
      element.remove();
    else if (levelOf(element) > 0 || !isStructureByKind(element)) this.#visit(element, isStructureByName(element) ? "article" : zone);
  }

  /** Removes a line that says that what follows it is not content, and the list that follows it. */
  #removeLabelled(label: PageElement): void {
    const next = label.nextElementSibling;
    if (next && LIST.test(next.localName) && this.#anchorShare(next) < MAX_LISTED_SHARE) next.remove();
    label.remove();
  }

  #isAgainst(element: PageElement): boolean {
    return isNonContent(element, this.#host) || hasNonContentHeading(element);
  }

  #isBeside(element: PageElement, zone: Zone): boolean {
    if (zone === "main" && isCardList(element)) return true;
    const isSelected = this.#selected.has(element) && !this.#isWhole;
    return isSiteColumn(element, this.#isWhole ? "main" : zone, isSelected) && !containsStructure(element);
  }

  #isKept(block: Block, zone: Zone): boolean {
    if (this.#anchors.blocks.has(block)) return true;
    if (zone === "outside") return false;
    if (zone === "main" && isLink(block)) return false;
    if (!this.#isWhole) return true;
    const isSaid = isSentence(block, this.#anchors.isSparse ? MIN_SHORT_SENTENCE_LENGTH : undefined) || levelOf(block.holder) > 0;
    if (isSaid) return true;
    const at = this.#placeOf(block);
    return (at >= this.#firstAt && at <= this.#lastAt) || FIGURES.test(block.text) || this.#isHeaded(at) || isItem(block);
  }

  /** Whether a line is all or the beginning of what stands under a heading. */
  #isHeaded(at: number): boolean {
    const before = this.#blocks[at - 1];
    return before !== undefined && levelOf(before.holder) > 0;
  }

  #placeOf(block: Block): number {
    return this.#order.get(block) ?? 0;
  }

  #anchorShare(element: PageElement): number {
    return (this.#anchored.get(element) ?? 0) / Math.max(1, this.#anchored.get(this.#body) ?? 0);
  }
}
