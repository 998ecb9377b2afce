import type { Measures } from "./measures.ts";
import type { Outline, OutlineElement } from "./outline.ts";

/** Blocks of the same kind: their elements and those around them have the same tags and classes. */
export type BlockKind = { count: number; length: number; linked: number; prose: number; readonly first: number };

/** Elements of the same kind in the same parent, such as the cards of a listing or the posts of a thread. */
export type Series = {
  readonly elements: readonly number[];
  /** Their blocks. */
  readonly from: number;
  readonly to: number;
  /** 0 for the longest series of the page, 1 for the second, and so on. */
  rank: number;
};

/** An element as a member of a series. */
export type Member = { readonly series: Series; readonly element: number; readonly index: number };

export type Repetition = {
  /** The kind of each block. */
  readonly kinds: readonly BlockKind[];
  /** For each element, the innermost and the outermost member of a series that it is in. */
  readonly inner: readonly (Member | undefined)[];
  readonly outer: readonly (Member | undefined)[];
};

const KIND_LEVELS = 3;
const MIN_SERIES = 3;

/** Finds what repeats in a page. */
export function findRepetition(outline: Outline, measures: Measures): Repetition {
  const members = findMembers(outline.elements, measures);
  const inner: (Member | undefined)[] = [];
  const outer: (Member | undefined)[] = [];
  for (const [at, { parent }] of outline.elements.entries()) {
    inner.push(members.get(at) ?? inner[parent]);
    outer.push(outer[parent] ?? members.get(at));
  }
  return { kinds: findKinds(outline, measures), inner, outer };
}

function findKinds({ elements, blocks }: Outline, { length, linked, prose }: Measures): BlockKind[] {
  const keys = elements.map((element) => {
    const signatures: string[] = [];
    for (let up: OutlineElement | undefined = element; up && signatures.length < KIND_LEVELS; up = elements[up.parent])
      signatures.push(up.signature);
    return signatures.join("<");
  });
  const kinds = new Map<string, BlockKind>();
  return blocks.map(({ element }, at) => {
    const key = keys[element] as string;
    const kind = kinds.get(key) ?? { count: 0, length: 0, linked: 0, prose: 0, first: at };
    kinds.set(key, kind);
    kind.count++;
    kind.length += length(at, at + 1);
    kind.linked += linked(at, at + 1);
    kind.prose += prose(at, at + 1);
    return kind;
  });
}

function findMembers(elements: readonly OutlineElement[], { length }: Measures): ReadonlyMap<number, Member> {
  const siblings = new Map<string, number[]>();
  for (const [at, { parent, signature, from, to }] of elements.entries()) {
    if (from === to || parent < 0) continue;
    const key = `${parent} ${signature}`;
    const list = siblings.get(key);
    if (list) list.push(at);
    else siblings.set(key, [at]);
  }
  const all: Series[] = [];
  for (const list of siblings.values()) {
    if (list.length < MIN_SERIES) continue;
    const [first, last] = [elements[list[0] as number] as OutlineElement, elements[list.at(-1) as number] as OutlineElement];
    all.push({ elements: list, from: first.from, to: last.to, rank: 0 });
  }
  all.sort((a, b) => length(b.from, b.to) - length(a.from, a.to));
  const members = new Map<number, Member>();
  for (const [rank, series] of all.entries()) {
    series.rank = rank;
    for (const [index, element] of series.elements.entries()) members.set(element, { series, element, index });
  }
  return members;
}
