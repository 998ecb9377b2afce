import { NON_CONTENT_NAMES } from "../../prune/names.ts";
import { isHeadingTag, measureOutline } from "../measures.ts";
import type { Outline, OutlineBlock, OutlineElement } from "../outline.ts";
import { findRepetition } from "../repetition.ts";

const MIN_CARDS = 4;
/** Share of the elements of a series that are cards: the others may be advertisements. */
const MIN_CARD_SHARE = 0.8;
/** What more of the cards have, and no figure in it, is a label or the name of a button. */
const MAX_LABEL_SHARE = 0.5;
/** Rows of tables repeat their cells, and are kept or not as a whole. */
const ROW = "tr";
const SITE_PART = /^(?:nav|header|footer|aside)$/;

/**
 * Keeps the cards of a page that lists things, whatever their probability: pages with an introduction have them too. A label that many cards
 * have is kept only if it was already, and the same line once in a card.
 */
export function keepCards(outline: Outline, titleAt: number, kept: Uint8Array): void {
  const cards = findCards(outline, titleAt).map(({ from, to }) =>
    [...outline.blocks.slice(from, to).entries()].map(([at, { text }]) => ({ at: from + at, text })),
  );
  const counts = new Map<string, number>();
  for (const card of cards) for (const text of new Set(card.map((block) => block.text))) counts.set(text, (counts.get(text) ?? 0) + 1);
  const isLabel = (text: string): boolean => !/\d/.test(text) && (counts.get(text) ?? 0) > cards.length * MAX_LABEL_SHARE;
  for (const card of cards) {
    const seen = new Set<string>();
    for (const { at, text } of card) {
      if (seen.has(text)) kept[at] = 0;
      else if (!isLabel(text)) kept[at] = 1;
      seen.add(text);
    }
  }
}

/**
 * Finds the cards of a page: the elements of the longest series after the title, outside of menus and the like, of which most have a link or
 * a heading, and more than one line or a picture.
 */
function findCards(outline: Outline, titleAt: number): readonly OutlineElement[] {
  const measures = measureOutline(outline);
  const series = new Set(findRepetition(outline, measures).outer.flatMap((member) => member?.series ?? []));
  const longest = [...series].toSorted((one, other) => measures.length(other.from, other.to) - measures.length(one.from, one.to));
  for (const { elements, from } of longest) {
    if (elements.length < MIN_CARDS || from <= titleAt || isInSitePart(outline, elements[0] as number)) continue;
    const cards = elements.map((at) => outline.elements[at] as OutlineElement).filter((element) => isCard(outline, element));
    if (cards.length >= Math.max(MIN_CARDS, elements.length * MIN_CARD_SHARE)) return cards;
  }
  return [];
}

function isCard({ elements, blocks }: Outline, { tag, from, to, images }: OutlineElement): boolean {
  if (tag === ROW) return false;
  const isTitled = ({ element, links, linked }: OutlineBlock): boolean =>
    links > 0 || linked > 0 || isHeadingTag((elements[element] as OutlineElement).tag);
  return (to - from > 1 || (to > from && images > 0)) && blocks.slice(from, to).some(isTitled);
}

function isInSitePart({ elements }: Outline, element: number): boolean {
  for (let up = elements[element]; up; up = elements[up.parent])
    if (SITE_PART.test(up.tag) || up.names.some((name) => NON_CONTENT_NAMES.has(name))) return true;
  return false;
}
