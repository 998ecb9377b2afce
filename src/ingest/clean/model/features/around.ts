import { isNonContentHeading } from "../../prune/boilerplate.ts";
import { isHeadingTag, logSize, share } from "../measures.ts";
import { combineOdds, listWords } from "../odds.ts";
import type { OutlineBlock, OutlineElement } from "../outline.ts";
import type { Member } from "../repetition.ts";
import { type Add, getElement, type PageFacts } from "./facts.ts";

/** Levels above a block's element at which the text around it is measured. */
const LEVELS = [0, 1, 2, 3, 5];
/** A part of the page is the outermost element around a block with less than this share of the text. */
const MAX_PART_SHARE = 0.5;
const NEIGHBOURS = [-2, -1, 1, 2];
const WINDOW = 6;
const NONE = -1;

/** Describes the elements around a block by their text. */
export function describeElements(add: Add, block: OutlineBlock, { outline: { elements }, measures }: PageFacts): void {
  const { length, linked, prose, listed, whole } = measures;
  let up = elements[block.element] as OutlineElement;
  let level = 0;
  for (const wanted of LEVELS) {
    for (; level < wanted && up.parent >= 0; level++) up = elements[up.parent] as OutlineElement;
    const size = length(up.from, up.to);
    add(`length at ${wanted}`, logSize(size));
    add(`linked at ${wanted}`, share(linked(up.from, up.to), size));
    add(`prose at ${wanted}`, share(prose(up.from, up.to), size));
    add(`share at ${wanted}`, share(size, whole));
    add(`blocks at ${wanted}`, logSize(up.to - up.from));
    add(`images at ${wanted}`, logSize(up.images));
  }
  let part = elements[block.element] as OutlineElement;
  for (let one: OutlineElement | undefined = part; one && length(one.from, one.to) < whole * MAX_PART_SHARE; one = elements[one.parent])
    part = one;
  const size = length(part.from, part.to);
  add("part's share", share(size, whole));
  add("part linked", share(linked(part.from, part.to), size));
  add("part prose", share(prose(part.from, part.to), size));
  add("part in lists", share(listed(part.from, part.to), size));
  add("part's position", share(length(0, part.from), whole));
  add("part's depth", part.depth);
}

/** Describes blocks of the same kind, and the series that a block is in. */
export function describeRepetition(add: Add, at: number, { outline, measures, repetition }: PageFacts): void {
  const kind = repetition.kinds[at] as (typeof repetition.kinds)[number];
  const { element } = outline.blocks[at] as OutlineBlock;
  add("kind's blocks", logSize(kind.count));
  add("kind's length", logSize(kind.length / kind.count));
  add("kind linked", share(kind.linked, kind.length));
  add("kind prose", share(kind.prose, kind.length));
  add("kind's share", share(kind.length, measures.whole));
  add("kind's first", kind.first / measures.count);
  describeMember(add, "inner", at, repetition.inner[element]);
  describeMember(add, "outer", at, repetition.outer[element]);

  function describeMember(adding: Add, name: string, block: number, member: Member | undefined): void {
    const { from, to, elements = [], rank = NONE } = member?.series ?? { from: 0, to: 0 };
    const own = member && (outline.elements[member.element] as OutlineElement);
    const size = measures.length(from, to);
    adding(`${name} members`, member ? logSize(elements.length) : NONE);
    adding(`${name} index`, member ? member.index / elements.length : NONE);
    adding(`${name} length`, member ? logSize(size / elements.length) : NONE);
    adding(`${name} linked`, member ? share(measures.linked(from, to), size) : NONE);
    adding(`${name} prose`, member ? share(measures.prose(from, to), size) : NONE);
    adding(`${name} share`, member ? share(size, measures.whole) : NONE);
    adding(`${name} blocks`, member ? (to - from) / elements.length : NONE);
    adding(`${name} rank`, rank);
    adding(`${name} images`, own ? own.images : NONE);
    adding(`${name} position`, own ? (block - own.from) / Math.max(1, own.to - own.from) : NONE);
  }
}

/** Describes the blocks before and after a block. */
export function describeNeighbours(add: Add, at: number, { outline, measures }: PageFacts): void {
  const { length, linked, prose, count } = measures;
  for (const step of NEIGHBOURS) {
    const other = outline.blocks[at + step];
    add(`length of ${step}`, other ? logSize(other.text.length) : NONE);
    add(`linked of ${step}`, other ? share(other.linked, other.text.length) : NONE);
    add(`heading of ${step}`, other && isHeadingTag(getElement(outline, other).tag) ? 1 : 0);
  }
  const [from, to] = [Math.max(0, at - WINDOW), Math.min(count, at + WINDOW + 1)];
  const size = length(from, to);
  add("length near", logSize(size));
  add("linked near", share(linked(from, to), size));
  add("prose near", share(prose(from, to), size));
  add("prose before", share(prose(0, at), prose(0, count)));
  add("prose after", share(prose(at + 1, count), prose(0, count)));
}

/** Describes the heading before a block, at position `headingAt`; -1 if there is none. */
export function describeHeading(add: Add, at: number, headingAt: number, { outline, odds }: PageFacts): void {
  const heading = outline.blocks[headingAt];
  add("after heading", heading ? logSize(at - headingAt) : NONE);
  add("heading's level", heading ? Number(getElement(outline, heading).tag[1]) : 0);
  add("heading of other content", heading && isNonContentHeading(heading.text) ? 1 : 0);
  add("heading's odds", heading ? combineOdds(listWords(heading.text).map((word) => odds("word", word))) : 0);
  add("heading linked", heading ? share(heading.linked, heading.text.length) : 0);
}
