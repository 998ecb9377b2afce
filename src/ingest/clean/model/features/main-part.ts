import { isHeadingTag, logSize, share } from "../measures.ts";
import type { OutlineBlock, OutlineElement } from "../outline.ts";
import { type Add, getElement, type PageFacts } from "./facts.ts";

const MIN_LENGTH = 25;
const MAX_LINKED = 0.5;
const MAX_LENGTH_POINTS = 3;
const POINT_LENGTH = 100;
/** A paragraph counts in the elements above its own, less with each level. */
const WEIGHTS = [1, 0.5, 0.25, 0.125];
const NONE = -1;

/** How likely each element holds the main text, between 0 and 1, and the most likely one. */
export type MainPart = { readonly scores: Float32Array; readonly main: number };

/** Scores elements by the paragraphs in them and by how little is linked, as Readability does (Arc90 2009, Mozilla). */
export function findMainPart({ outline: { elements, blocks }, measures }: Pick<PageFacts, "outline" | "measures">): MainPart {
  const scores = new Float32Array(elements.length);
  for (const { text, linked, element } of blocks) {
    const own = elements[element] as OutlineElement;
    if (text.length < MIN_LENGTH || linked > text.length * MAX_LINKED || isHeadingTag(own.tag) || own.isHidden) continue;
    const points = 1 + (text.match(/[,،、，]/g)?.length ?? 0) + Math.min(MAX_LENGTH_POINTS, text.length / POINT_LENGTH);
    let up = own.tag === "div" || own.tag === "td" ? element : own.parent;
    for (const weight of WEIGHTS) {
      if (up < 0) break;
      scores[up] = (scores[up] as number) + points * weight;
      up = (elements[up] as OutlineElement).parent;
    }
  }
  let main = -1;
  for (const [at, { from, to }] of elements.entries()) {
    scores[at] = (scores[at] as number) * (1 - share(measures.linked(from, to), measures.length(from, to)));
    if ((scores[at] as number) > (scores[main] ?? 0)) main = at;
  }
  const most = scores[main] ?? 0;
  if (most > 0) for (const at of scores.keys()) scores[at] = (scores[at] as number) / most;
  return { scores, main };
}

/** Describes a block by the part of the page that most likely holds the main text. */
export function describeMainPart(add: Add, at: number, { outline, measures }: PageFacts, { scores, main }: MainPart): void {
  const { elements, blocks } = outline;
  const { element } = blocks[at] as OutlineBlock;
  let [best, level, isInside] = [0, 0, false];
  for (let up = element; up >= 0; up = (elements[up] as OutlineElement).parent) {
    best = Math.max(best, scores[up] as number);
    if (up === main) isInside = true;
    if (!isInside) level++;
  }
  const part = elements[main];
  add("score of a part around", best);
  add("score of its element", scores[element] as number);
  add("score above", scores[getElement(outline, blocks[at] as OutlineBlock).parent] ?? 0);
  add("in main part", isInside ? 1 : 0);
  add("levels below main part", isInside ? level : NONE);
  add("distance to main part", part ? logSize(Math.max(0, at - part.to + 1)) - logSize(Math.max(0, part.from - at)) : 0);
  add("main part's share", part ? share(measures.length(part.from, part.to), measures.whole) : NONE);
}
