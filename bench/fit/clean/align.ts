import { WORD } from "#ingest/clean/text.ts";

/** Splits a text into words in lower case. */
export const splitWords = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** Runs of this many words that occur once in both texts anchor the alignment; shorter ones are used between anchors. */
const ANCHOR_WORDS = 5;
/** Ranges whose lengths have a smaller product are aligned exactly. */
const MAX_EXACT = 250_000;

type Range = { readonly from: number; readonly to: number };
type Pair = readonly [number, number];

/** Both texts, and which of their words are aligned. */
type Alignment = {
  readonly page: readonly string[];
  readonly truth: readonly string[];
  readonly aligned: Uint8Array;
  readonly used: Uint8Array;
};

/**
 * Aligns the words of a page with those of its true text, and returns for each word of the page 1 if it is part of the true text. Words are
 * aligned in order ("patience" alignment: unique runs first); after that, runs of what is left in any order.
 */
export function alignWords(page: readonly string[], truth: readonly string[]): Uint8Array {
  const alignment = { page, truth, aligned: new Uint8Array(page.length), used: new Uint8Array(truth.length) };
  alignRanges(alignment, { from: 0, to: page.length }, { from: 0, to: truth.length }, ANCHOR_WORDS);
  alignMoved(alignment);
  return alignment.aligned;
}

function alignRanges(alignment: Alignment, page: Range, truth: Range, size: number): void {
  if (page.from >= page.to || truth.from >= truth.to || size === 0) return;
  if (size <= 2 && (page.to - page.from) * (truth.to - truth.from) <= MAX_EXACT) return alignExactly(alignment, page, truth);
  const places = findUnique(alignment.truth, truth, size);
  const pairs: Pair[] = [];
  for (const [run, at] of findUnique(alignment.page, page, size)) {
    const other = places.get(run);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  let [a, b] = [page.from, truth.from];
  for (const [at, other] of selectChain(pairs)) {
    if (at < a || other < b) continue;
    let [endA, endB] = [at, other];
    while (endA < page.to && endB < truth.to && alignment.page[endA] === alignment.truth[endB]) markAligned(alignment, endA++, endB++);
    alignRanges(alignment, { from: a, to: at }, { from: b, to: other }, size - 1);
    [a, b] = [endA, endB];
  }
  alignRanges(alignment, { from: a, to: page.to }, { from: b, to: truth.to }, size - 1);
}

function markAligned({ aligned, used }: Alignment, page: number, truth: number): void {
  aligned[page] = 1;
  used[truth] = 1;
}

/** Finds the runs of `size` words and their positions; -1 for those that occur more than once. */
function findUnique(words: readonly string[], { from, to }: Range, size: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let at = from; at + size <= to; at++) {
    const run = words.slice(at, at + size).join(" ");
    found.set(run, found.has(run) ? -1 : at);
  }
  return found;
}

/** Returns the longest sequence of pairs, which are sorted by their first member, whose second members increase. */
function selectChain(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, [, second]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as Pair)[1] < second) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const chain: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) chain.push(pairs[at] as Pair);
  return chain.reverse();
}

/** Aligns by the longest common subsequence. */
function alignExactly(alignment: Alignment, page: Range, truth: Range): void {
  const [rows, columns] = [page.to - page.from, truth.to - truth.from];
  const lengths = new Uint16Array((rows + 1) * (columns + 1));
  const get = (row: number, column: number): number => lengths[row * (columns + 1) + column] as number;
  const isSame = (row: number, column: number): boolean => alignment.page[page.from + row] === alignment.truth[truth.from + column];
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      lengths[row * (columns + 1) + column] = isSame(row, column)
        ? get(row + 1, column + 1) + 1
        : Math.max(get(row + 1, column), get(row, column + 1));
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (isSame(row, column)) markAligned(alignment, page.from + row++, truth.from + column++);
    else if (get(row + 1, column) >= get(row, column + 1)) row++;
    else column++;
  }
}

/** Aligns runs of words that are left in both texts, in any order. */
function alignMoved(alignment: Alignment): void {
  const { page, truth, aligned, used } = alignment;
  const isFree = (marks: Uint8Array, from: number): boolean => marks.subarray(from, from + ANCHOR_WORDS).every((mark) => mark === 0);
  const places = new Map<string, number[]>();
  for (let at = 0; at + ANCHOR_WORDS <= truth.length; at++) {
    if (!isFree(used, at)) continue;
    const run = truth.slice(at, at + ANCHOR_WORDS).join(" ");
    places.set(run, [...(places.get(run) ?? []), at]);
  }
  for (let at = 0; at + ANCHOR_WORDS <= page.length; at++) {
    if (!isFree(aligned, at)) continue;
    const other = places.get(page.slice(at, at + ANCHOR_WORDS).join(" "))?.find((place) => isFree(used, place));
    if (other === undefined) continue;
    const isNext = (step: number): boolean =>
      page[at + step] === truth[other + step] && aligned[at + step] === 0 && used[other + step] === 0;
    for (let step = 0; isNext(step); step++) markAligned(alignment, at + step, other + step);
  }
}
