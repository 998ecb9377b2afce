import type { PageElement } from "../dom.ts";
import { type Block, endsSentence } from "../prune/blocks.ts";
import { isBoilerplate } from "../prune/lines.ts";
import { normaliseText } from "../text.ts";
import type { Selection } from "./selection.ts";

const MIN_SENTENCE_LENGTH = 60;
export const MIN_SHORT_SENTENCE_LENGTH = 25;
/** Characters of sentences from which on shorter ones are not needed to tell where the content stands. */
const ENOUGH_LENGTH = 300;

/** Whether a block reads as a sentence of its own, of at least `length` characters (a third of that in scripts of few, meaningful characters). */
export const isSentence = ({ text, linked, isDense }: Block, length: number = MIN_SENTENCE_LENGTH): boolean =>
  text.length >= (isDense ? length / 3 : length) && linked < text.length * 0.5 && endsSentence(text) && !isBoilerplate(text);

/** The block that says the title of the page, as its heading or in the place of one; undefined where none does. */
function findTitle(blocks: readonly Block[], titles: readonly (string | null)[]): Block | undefined {
  const names = titles.map((title) => normaliseText(title ?? "")).filter((name) => name.length >= 4);
  const isTitle = ({ text, linked }: Block): boolean => {
    const letters = normaliseText(text);
    return (
      letters.length >= 4 &&
      linked < text.length * 0.5 &&
      names.some((name) => name === letters || (name.startsWith(letters) && letters.length >= 12))
    );
  };
  const titled = blocks.filter(isTitle);
  return titled.find(({ holder }) => holder.localName === "h1") ?? titled[0];
}

/** Blocks that tell where the content stands; `isSparse` where they are too few to tell it from what stands beside them. */
export type Anchors = { readonly blocks: ReadonlySet<Block>; readonly isSparse: boolean; readonly title: Block | undefined };

/** Sentences of what was selected, and where these are few also short ones and the title. */
export function findAnchors({ blocks, selected }: Selection, titles: readonly (string | null)[]): Anchors {
  const title = findTitle(blocks, titles);
  const sentences = [...selected].filter((block) => isSentence(block));
  const isSparse = sentences.reduce((sum, { text }) => sum + text.length, 0) < ENOUGH_LENGTH;
  if (!isSparse) return { blocks: new Set(sentences), isSparse, title };
  const short = [...selected].filter((block) => isSentence(block, MIN_SHORT_SENTENCE_LENGTH));
  const anchors = new Set(title ? [...short, title] : short);
  return { blocks: anchors.size > 0 ? anchors : selected, isSparse, title };
}

/** Characters of the blocks inside each element that holds any. */
export function measureHolders(blocks: Iterable<Block>): ReadonlyMap<PageElement, number> {
  const lengths = new Map<PageElement, number>();
  for (const { holder, text } of blocks)
    for (let up: PageElement | null = holder; up; up = up.parentNode) lengths.set(up, (lengths.get(up) ?? 0) + text.length);
  return lengths;
}
