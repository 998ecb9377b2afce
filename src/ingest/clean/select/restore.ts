import { type PageDocument, type PageElement, textOf } from "../dom.ts";
import { type Block, blocksIn, endsSentence } from "../prune/blocks.ts";
import { isBoilerplate } from "../prune/lines.ts";
import { isNamed, LEAD_NAMES } from "../prune/names.ts";
import { normaliseText } from "../text.ts";

const MARK = "data-at";
const SHORTEST = 40;
const MIN_SENTENCE_LENGTH = 60;
/** A lead of a paragraph's length belongs to the text; a shorter one says the title again. */
const MIN_LEAD_LENGTH = 160;
const MAX_LEAD_LENGTH = 800;
const MAX_LINKED = 0.3;
const SAME_BEGINNING = 60;

/** A paragraph of the page, as it stood before the article was looked for. */
type Paragraph = {
  readonly element: PageElement;
  readonly text: string;
  readonly isLinked: boolean;
  /** The element and the two around it with their classes: where the page keeps text of this kind. */
  readonly name: string;
  readonly isLead: boolean;
};

/** The page's paragraphs in order, and how many of them stand before its first heading. */
export type Paragraphs = { readonly all: readonly Paragraph[]; readonly heading: number };

const nameOf = (element: PageElement | null): string =>
  element === null ? "" : `${element.localName}.${(element.getAttribute("class") ?? "").slice(0, 300).replace(/\d+/g, "").trim()}`;

function isSaid(text: string, description: string): boolean {
  if (description.length <= SHORTEST || text.length <= SHORTEST) return false;
  return text.startsWith(description.slice(0, SAME_BEGINNING)) || description.startsWith(text.slice(0, SAME_BEGINNING));
}

function placeOf({ holder, text, linked }: Block, description: string): Paragraph {
  const around = holder.parentNode;
  const isLead =
    isNamed(holder, LEAD_NAMES) || (around !== null && isNamed(around, LEAD_NAMES)) || isSaid(normaliseText(text), description);
  const name = [holder, around, around?.parentNode ?? null].map(nameOf).join(">");
  return { element: holder, text, isLinked: linked >= text.length * MAX_LINKED, name, isLead };
}

/** Marks the page's paragraphs, so that those which the search for the article drops can be told; `description` is the page's own. */
export function markParagraphs(page: PageDocument, description: string | null): Paragraphs {
  const said = normaliseText(description ?? "");
  const lengths = new Map<PageElement, number>();
  const lengthOf = (element: PageElement): number => {
    const length = lengths.get(element) ?? textOf(element).length;
    lengths.set(element, length);
    return length;
  };
  const all: Paragraph[] = [];
  let heading = -1;
  for (const block of blocksIn(page.body)) {
    if (heading < 0 && block.holder.localName === "h1") heading = all.length;
    // Text that shares its element with other blocks can't be moved without them.
    if (block.text.length < SHORTEST || lengthOf(block.holder) > block.text.length + 5) continue;
    block.holder.setAttribute(MARK, String(all.length));
    all.push(placeOf(block, said));
  }
  return { all, heading };
}

const isSentence = ({ text, isLinked }: Paragraph): boolean =>
  text.length >= MIN_SENTENCE_LENGTH && !isLinked && endsSentence(text) && !isBoilerplate(text);

const opens = ({ text, isLinked, isLead }: Paragraph): boolean =>
  isLead && !isLinked && text.length >= MIN_LEAD_LENGTH && text.length < MAX_LEAD_LENGTH;

/**
 * Puts back what the search for the article dropped: the lead between the page's heading and the article, and paragraphs
 * that stand in the same places as some that it kept.
 */
export function restoreParagraphs(root: PageElement, { all, heading }: Paragraphs): readonly PageElement[] {
  const restored: PageElement[] = [];
  const kept = new Map<number, PageElement>();
  for (const element of root.querySelectorAll(`[${MARK}]`)) kept.set(Number(element.getAttribute(MARK)), element);
  const names = new Set<string>();
  const texts = new Set<string>();
  for (const at of kept.keys()) {
    const place = all[at];
    if (!place) continue;
    texts.add(place.text);
    if (isSentence(place) && /\.\S/.test(place.name)) names.add(place.name);
  }
  const first = kept.keys().next().value ?? 0;
  let before: PageElement | null = null;
  for (const [at, place] of all.entries()) {
    const here = kept.get(at);
    if (here) before = here;
    if (here || texts.has(place.text)) continue;
    const isLead = at >= heading && at < first && opens(place);
    if (!isLead && !(isSentence(place) && names.has(place.name))) continue;
    texts.add(place.text);
    restored.push(place.element);
    if (before) before.after(place.element);
    else kept.get(first)?.before(place.element);
    before = place.element;
  }
  return restored;
}
