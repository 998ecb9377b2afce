import type { PageElement } from "../dom.ts";
import { type PageBlock, endsSentence } from "../prune/blocks.ts";
import { isBoilerplate } from "../prune/boilerplate.ts";
import { normaliseText } from "../text.ts";
import type { ArticleSelection } from "./selection.ts";

const MIN_SENTENCE_LENGTH = 60;
export const MIN_SHORT_SENTENCE_LENGTH = 25;
/** With this many characters of long sentences, short ones are not needed to locate the content. */
const MIN_ANCHOR_LENGTH = 300;

/** Whether a block is a sentence of at least `length` characters, or a third of that in dense scripts such as Chinese. */
export const isSentence = ({ text, linked, isDense }: PageBlock, length: number = MIN_SENTENCE_LENGTH): boolean =>
  text.length >= (isDense ? length / 3 : length) && linked < text.length * 0.5 && endsSentence(text) && !isBoilerplate(text);

/** Finds the block with the page's title, preferably an `h1`. Returns undefined if there is none. */
function findTitle(blocks: readonly PageBlock[], titles: readonly (string | null)[]): PageBlock | undefined {
  const names = titles.map((title) => normaliseText(title ?? "")).filter((name) => name.length >= 4);
  const isTitle = ({ text, linked }: PageBlock): boolean => {
    const letters = normaliseText(text);
    return (
      letters.length >= 4 &&
      linked < text.length * 0.5 &&
      names.some((name) => name === letters || (name.startsWith(letters) && letters.length >= 12))
    );
  };
  const titled = blocks.filter(isTitle);
  return titled.find(({ container }) => container.localName === "h1") ?? titled[0];
}

/** Blocks that are certainly content. `isSparse`: they are too few to separate the content from its surroundings. */
export type Anchors = { readonly blocks: ReadonlySet<PageBlock>; readonly isSparse: boolean; readonly title: PageBlock | undefined };

/** Returns the sentences of the selected article. If they are few, short sentences and the title are added. */
export function findAnchors({ blocks, selected }: ArticleSelection, titles: readonly (string | null)[]): Anchors {
  const title = findTitle(blocks, titles);
  const sentences = [...selected].filter((block) => isSentence(block));
  const isSparse = sentences.reduce((sum, { text }) => sum + text.length, 0) < MIN_ANCHOR_LENGTH;
  if (!isSparse) return { blocks: new Set(sentences), isSparse, title };
  const short = [...selected].filter((block) => isSentence(block, MIN_SHORT_SENTENCE_LENGTH));
  const anchors = new Set(title ? [...short, title] : short);
  return { blocks: anchors.size > 0 ? anchors : selected, isSparse, title };
}

/** Computes the number of characters of the blocks inside each element, for all their ancestors. */
export function measureContainers(blocks: Iterable<PageBlock>): ReadonlyMap<PageElement, number> {
  const lengths = new Map<PageElement, number>();
  for (const { container, text } of blocks)
    for (let up: PageElement | null = container; up; up = up.parentNode) lengths.set(up, (lengths.get(up) ?? 0) + text.length);
  return lengths;
}
