import { normaliseText } from "../../text.ts";
import { isHeadingTag, measureOutline, type Measures } from "../measures.ts";
import type { Odds } from "../odds.ts";
import type { Outline, OutlineBlock, OutlineElement } from "../outline.ts";
import { findRepetition, type Repetition } from "../repetition.ts";

/** Adds a feature of a block. The features of all blocks come in the same order; the name is for people. */
export type Add = (name: string, value: number) => unknown;

/** What the head of a page tells about its content. */
export type PageHints = {
  /** The page's heading, and the titles in its head. */
  readonly titles: readonly (string | null)[];
  readonly description: string | null;
  /** Letters of the authors' names. */
  readonly authors: readonly string[];
  /** Days that may be that of the publication. */
  readonly days: readonly Date[];
  /** Types of schema.org. */
  readonly types: readonly string[];
  readonly url: string;
};

/** What is found once for a page, before its blocks are described. */
export type PageFacts = {
  readonly outline: Outline;
  readonly odds: Odds;
  readonly hints: PageHints;
  readonly measures: Measures;
  readonly repetition: Repetition;
  /** Position of the block with the title; -1 if there is none. */
  readonly titleAt: number;
  /** Letters and digits of the beginning of each block. */
  readonly letters: readonly string[];
  readonly titles: readonly string[];
  /** Letters of the beginning of the page's description. */
  readonly description: string;
  /** Number of blocks with the same letters. */
  readonly repeats: ReadonlyMap<string, number>;
};

const MAX_LETTERS = 400;
const DESCRIPTION_LETTERS = 60;
const MIN_TITLE_LENGTH = 4;
/** A heading that is only the beginning of a title has at least this many letters. */
const MIN_PART_LENGTH = 12;

export const getElement = ({ elements }: Outline, block: OutlineBlock): OutlineElement => elements[block.element] as OutlineElement;

export function findFacts(outline: Outline, hints: PageHints, odds: Odds): PageFacts {
  const measures = measureOutline(outline);
  const letters = outline.blocks.map(({ text }) => normaliseText(text.slice(0, MAX_LETTERS)));
  const titles = hints.titles
    .map((title) => normaliseText((title ?? "").slice(0, MAX_LETTERS)))
    .filter((title) => title.length >= MIN_TITLE_LENGTH);
  const description = normaliseText((hints.description ?? "").slice(0, MAX_LETTERS)).slice(0, DESCRIPTION_LETTERS);
  const repeats = new Map<string, number>();
  for (const text of letters) repeats.set(text, (repeats.get(text) ?? 0) + 1);
  const repetition = findRepetition(outline, measures);
  return {
    outline,
    odds,
    hints,
    measures,
    repetition,
    titleAt: findTitle(outline, letters, titles),
    letters,
    titles,
    description,
    repeats,
  };
}

/** Finds the title: an `h1` that begins one of the page's titles, or another heading that is one. */
function findTitle(outline: Outline, letters: readonly string[], titles: readonly string[]): number {
  const begins = (at: number, least: number): boolean => {
    const own = letters[at] as string;
    return own.length >= least && titles.some((title) => title.startsWith(own));
  };
  const first = outline.blocks.findIndex((block, at) => getElement(outline, block).tag === "h1" && begins(at, MIN_TITLE_LENGTH));
  if (first >= 0) return first;
  return outline.blocks.findIndex(
    (block, at) => isHeadingTag(getElement(outline, block).tag) && (titles.includes(letters[at] as string) || begins(at, MIN_PART_LENGTH)),
  );
}
