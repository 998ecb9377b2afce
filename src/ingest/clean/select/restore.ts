import { type PageDocument, type PageElement, getText } from "../dom.ts";
import { type PageBlock, listBlocks, endsSentence } from "../prune/blocks.ts";
import { isBoilerplate } from "../prune/boilerplate.ts";
import { isNamed, LEAD_NAMES } from "../prune/names.ts";
import { normaliseText } from "../text.ts";

const INDEX_ATTRIBUTE = "data-at";
const MIN_LENGTH = 40;
const MIN_SENTENCE_LENGTH = 60;
/** A lead of this length belongs to the text; a shorter one usually repeats the title. */
const MIN_LEAD_LENGTH = 160;
const MAX_LEAD_LENGTH = 800;
const MAX_LINK_SHARE = 0.3;
const PREFIX_LENGTH = 60;

/** A paragraph of the page before the article was selected. */
type Paragraph = {
  readonly element: PageElement;
  readonly text: string;
  readonly isLinked: boolean;
  /** Names and classes of the element and its two closest ancestors, which identify the kind of container. */
  readonly containerKey: string;
  readonly isLead: boolean;
};

/** The page's paragraphs in order, and the number of them before its first heading. */
export type Paragraphs = { readonly all: readonly Paragraph[]; readonly heading: number };

const toContainerName = (element: PageElement | null): string =>
  element === null ? "" : `${element.localName}.${(element.getAttribute("class") ?? "").slice(0, 300).replace(/\d+/g, "").trim()}`;

function repeatsDescription(text: string, description: string): boolean {
  if (description.length <= MIN_LENGTH || text.length <= MIN_LENGTH) return false;
  return text.startsWith(description.slice(0, PREFIX_LENGTH)) || description.startsWith(text.slice(0, PREFIX_LENGTH));
}

function toParagraph({ container, text, linked }: PageBlock, description: string): Paragraph {
  const around = container.parentNode;
  const isLead =
    isNamed(container, LEAD_NAMES) ||
    (around !== null && isNamed(around, LEAD_NAMES)) ||
    repeatsDescription(normaliseText(text), description);
  const containerKey = [container, around, around?.parentNode ?? null].map(toContainerName).join(">");
  return { element: container, text, isLinked: linked >= text.length * MAX_LINK_SHARE, containerKey, isLead };
}

/** Marks the page's paragraphs, to find those that are missing from the selected article. `description` is from the page's metadata. */
export function markParagraphs(page: PageDocument, description: string | null): Paragraphs {
  const normalisedDescription = normaliseText(description ?? "");
  const lengths = new Map<PageElement, number>();
  const getLength = (element: PageElement): number => {
    const length = lengths.get(element) ?? getText(element).length;
    lengths.set(element, length);
    return length;
  };
  const all: Paragraph[] = [];
  let heading = -1;
  for (const block of listBlocks(page.body)) {
    if (heading < 0 && block.container.localName === "h1") heading = all.length;
    // Text that shares its element with other blocks can't be moved alone.
    if (block.text.length < MIN_LENGTH || getLength(block.container) > block.text.length + 5) continue;
    block.container.setAttribute(INDEX_ATTRIBUTE, String(all.length));
    all.push(toParagraph(block, normalisedDescription));
  }
  return { all, heading };
}

const isSentence = ({ text, isLinked }: Paragraph): boolean =>
  text.length >= MIN_SENTENCE_LENGTH && !isLinked && endsSentence(text) && !isBoilerplate(text);

const isLongLead = ({ text, isLinked, isLead }: Paragraph): boolean =>
  isLead && !isLinked && text.length >= MIN_LEAD_LENGTH && text.length < MAX_LEAD_LENGTH;

/**
 * Restores paragraphs that are missing from the selected article: the lead between the page's heading and the article, and paragraphs
 * whose containers are of the same kind as those of selected paragraphs.
 */
export function restoreParagraphs(root: PageElement, { all, heading }: Paragraphs): readonly PageElement[] {
  const restored: PageElement[] = [];
  const kept = new Map<number, PageElement>();
  for (const element of root.querySelectorAll(`[${INDEX_ATTRIBUTE}]`)) kept.set(Number(element.getAttribute(INDEX_ATTRIBUTE)), element);
  const containerKeys = new Set<string>();
  const texts = new Set<string>();
  for (const at of kept.keys()) {
    const paragraph = all[at];
    if (!paragraph) continue;
    texts.add(paragraph.text);
    if (isSentence(paragraph) && /\.\S/.test(paragraph.containerKey)) containerKeys.add(paragraph.containerKey);
  }
  const first = kept.keys().next().value ?? 0;
  let previous: PageElement | null = null;
  for (const [at, paragraph] of all.entries()) {
    const keptElement = kept.get(at);
    if (keptElement) previous = keptElement;
    if (keptElement || texts.has(paragraph.text)) continue;
    const isLead = at >= heading && at < first && isLongLead(paragraph);
    if (!isLead && !(isSentence(paragraph) && containerKeys.has(paragraph.containerKey))) continue;
    texts.add(paragraph.text);
    restored.push(paragraph.element);
    if (previous) previous.after(paragraph.element);
    else kept.get(first)?.before(paragraph.element);
    previous = paragraph.element;
  }
  return restored;
}
