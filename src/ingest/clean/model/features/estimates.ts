import { checkBudget } from "../../measure/cpu-budget.ts";
import { accumulate, isHeadingTag, logSize, share, type Sum } from "../measures.ts";
import type { Outline, OutlineBlock, OutlineElement } from "../outline.ts";
import type { Member, Repetition } from "../repetition.ts";
import { PAGE_TYPES } from "../../type/page-type.ts";
import { type Add, getElement, type PageFacts } from "./facts.ts";

const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];
const LEVELS = [0, 1, 2, 3, 5, 7];
/** The main part is the innermost element with this share of what is expected to be content. */
const MAIN_SHARE = 0.7;
const NONE = -1;

/** Sums over the first estimates of a page. */
type Expectation = {
  readonly count: number;
  readonly length: Sum;
  /** Characters that are expected to be content. */
  readonly content: Sum;
  readonly all: number;
  readonly main: OutlineElement | undefined;
};

function findExpectation({ elements, blocks }: Outline, estimates: Float32Array): Expectation {
  const getLength = (at: number): number => (blocks[at] as OutlineBlock).text.length;
  const length = accumulate(blocks.length, getLength);
  const content = accumulate(blocks.length, (at) => getLength(at) * (estimates[at] as number));
  const all = Math.max(1, content(0, blocks.length));
  const main = elements.findLast(({ from, to }) => content(from, to) >= all * MAIN_SHARE);
  return { count: blocks.length, length, content, all, main };
}

/** What was estimated of a page: the probability of each type, and for each block that of being content. */
export type Estimated = { readonly facts: PageFacts; readonly types: readonly number[]; readonly estimates: Float32Array };

/**
 * Describes each block by the first estimates of the probability that blocks are content: its own, and those of the blocks around it, of
 * its kind, and of the page. Yields one row for each block.
 */
export function* describeEstimates({ facts, types, estimates }: Estimated): Generator<number[]> {
  const { outline, repetition } = facts;
  const expectation = findExpectation(outline, estimates);
  const page = describePageEstimates(outline, estimates, expectation);
  const kinds = sumKinds(repetition, outline, estimates);
  let headingAt = -1;
  for (const [at, block] of outline.blocks.entries()) {
    if (isHeadingTag(getElement(outline, block).tag)) headingAt = at;
    const row: number[] = [];
    const add: Add = (_name, value) => row.push(value);
    checkBudget();
    add("estimate", estimates[at] as number);
    for (const step of NEIGHBOURS) add(`estimate of ${step}`, estimates[at + step] ?? NONE);
    add("heading's estimate", estimates[headingAt] ?? NONE);
    describeRanges(add, at, outline, expectation, repetition.outer[block.element]);
    const kind = kinds.get(repetition.kinds[at] as object) as { content: number; length: number };
    add("kind's mean", share(kind.content, kind.length));
    add("kind's content", share(kind.content, expectation.all));
    for (const [name, value] of page) add(name, value);
    for (const [which, type] of PAGE_TYPES.entries()) add(`page is ${type}`, types[which] as number);
    yield row;
  }
}

function describeRanges(add: Add, at: number, outline: Outline, expectation: Expectation, outer: Member | undefined): void {
  const { count, length, content, all, main } = expectation;
  const mean = (from: number, to: number): number => (to <= from ? NONE : content(from, to) / Math.max(1, length(from, to)));
  add("mean before", mean(Math.max(0, at - 5), at));
  add("mean after", mean(at + 1, Math.min(count, at + 6)));
  add("mean near", mean(Math.max(0, at - 20), Math.min(count, at + 21)));
  add("content before", content(0, at) / all);
  let up = getElement(outline, outline.blocks[at] as OutlineBlock);
  let level = 0;
  for (const wanted of LEVELS) {
    for (; level < wanted && up.parent >= 0; level++) up = outline.elements[up.parent] as OutlineElement;
    add(`mean at ${wanted}`, mean(up.from, up.to));
    add(`content at ${wanted}`, content(up.from, up.to) / all);
  }
  add("outer mean", outer ? mean(outer.series.from, outer.series.to) : NONE);
  add("outer content", outer ? content(outer.series.from, outer.series.to) / all : NONE);
  add("beside main", main ? logSize(Math.max(0, at - main.to + 1)) - logSize(Math.max(0, main.from - at)) : 0);
  add("main's mean", main ? mean(main.from, main.to) : NONE);
}

function describePageEstimates(
  outline: Outline,
  estimates: Float32Array,
  { count, length, content, all, main }: Expectation,
): Map<string, number> {
  const sorted = Float32Array.from(estimates).sort();
  const linked = outline.blocks.reduce((sum, block, at) => sum + block.linked * (estimates[at] as number), 0);
  return new Map([
    ["page's mean", share(content(0, count), length(0, count))],
    ["page's median", sorted[Math.floor(count / 2)] ?? NONE],
    ["page's ninth decile", sorted[Math.floor(count * 0.9)] ?? NONE],
    ["page's greatest", sorted.at(-1) ?? NONE],
    ["page's content", logSize(all)],
    ["content linked", linked / all],
    ["main's depth", main?.depth ?? NONE],
  ]);
}

function sumKinds(
  { kinds }: Repetition,
  { blocks }: Outline,
  estimates: Float32Array,
): ReadonlyMap<object, { content: number; length: number }> {
  const sums = new Map<object, { content: number; length: number }>();
  for (const [at, kind] of kinds.entries()) {
    const sum = sums.get(kind) ?? { content: 0, length: 0 };
    sums.set(kind, sum);
    const { length } = (blocks[at] as OutlineBlock).text;
    sum.content += length * (estimates[at] as number);
    sum.length += length;
  }
  return sums;
}
