import { type PageElement, getText } from "../dom.ts";
import { normaliseText } from "../text.ts";
import { type PageBlock, listBlocks, removeBlock, isProse } from "./blocks.ts";
import { isDateLine } from "../calendar/date-lines.ts";
import { isAddress, isByline, isNonContentHeading } from "./boilerplate.ts";

/** Lines before the first paragraph or after the last are removed only if they are less than this share of the text. */
const MAX_EDGE_SHARE = 0.25;
/** Maximum share of the text that is removed as trailing sections. */
const MAX_TRAILING_SHARE = 0.4;
const MAX_BIO_LENGTH = 450;
const MIN_NAME_LENGTH = 6;

const isHeading = ({ container }: PageBlock): boolean => /^h[1-6]$/.test(container.localName);
const sumLengths = (blocks: readonly PageBlock[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

/** Elements whose lines are data and therefore kept. */
const DATA_ELEMENT = /^(?:blockquote|table|dl|li|pre|address|details|figure|figcaption)$/;

function isData({ container }: PageBlock): boolean {
  for (let up: PageElement | null = container; up; up = up.parentNode) if (DATA_ELEMENT.test(up.localName)) return true;
  return false;
}

const PUBLISHED =
  /\b(?:publish\w*|posted|updated?|modified|created|last|aktualisiert|veröffentlicht|publiziert|erstellt|geändert|stand|publicad[oa]|actualizad[oa]|atualizad[oa]|publié\w*|mis à jour|modifié|pubblicat[oa]|aggiornat[oa]|opublikowan[oa]|read(?:ing)?|lesezeit|lecture|leitura|ago|vor|hace|há|il y a)\b/i;

/** Whether a text contains the year and the day of the month of an ISO 8601 date, or of the day before or after it (other time zones). */
function mentionsDay(text: string, published: string): boolean {
  const numbers = new Set((text.match(/\d+/g) ?? []).map(Number));
  const at = Date.parse(published);
  const days = [-1, 0, 1].map((days) => new Date(at + days * 86_400_000));
  return !Number.isNaN(at) && days.some((day) => numbers.has(day.getUTCFullYear()) && numbers.has(day.getUTCDate()));
}

const BYLINED =
  /\b(?:categor(?:y|ies)|filed under|tags|comments|kommentare|publicad[oa]|published|posted|veröffentlicht|publié|pubblicat[oa]|opublikowan[oa])\b/i;
/** Other words in a dated line about author, category and tags. */
const MAX_WORDS_IN_BYLINE = 12;

/** Whether a line with a date is about the page itself: by its words, by the page's metadata, or because it is a `time` element alone. */
function isDateOfPage({ container, text }: PageBlock, published: string | null): boolean {
  if (isDateLine(text, MAX_WORDS_IN_BYLINE) && BYLINED.test(text)) return true;
  if (!isDateLine(text)) return false;
  if (published !== null && mentionsDay(text, published)) return true;
  const time = container.querySelector("time");
  return PUBLISHED.test(text) || (time !== null && getText(time) === text) || container.parentNode?.localName === "header";
}

const isParagraph = (block: PageBlock): boolean =>
  isProse(block) && block.text.length >= (block.isDense ? 50 : 110) && block.linked < block.text.length * 0.3;

/** Returns the index of the first trailing section: a heading of related pages, comments or a newsletter without paragraphs after it. */
function findTrailingSections(blocks: readonly PageBlock[]): number {
  const whole = sumLengths(blocks);
  let rest = 0;
  let end = blocks.length;
  for (let at = blocks.length - 1; at >= 0 && rest < whole * MAX_TRAILING_SHARE; at--) {
    const block = blocks[at] as PageBlock;
    if (isParagraph(block)) break;
    rest += block.text.length;
    if ((isHeading(block) || block.text.length < 60) && isNonContentHeading(block.text)) end = at;
  }
  return end;
}

/** Removes the sections after the article, such as related pages and comments. */
export function removeTrailingSections(root: PageElement): void {
  const blocks = listBlocks(root);
  for (const block of blocks.slice(findTrailingSections(blocks))) removeBlock(block);
}

/** Whether a line at an edge of the article is its date, a byline, an address or an author's name. */
function isMetadataLine(block: PageBlock, authors: readonly string[], published: string | null): boolean {
  const { text } = block;
  if (text.length > 160 || isData(block)) return false;
  if (isDateOfPage(block, published) || isByline(text) || isAddress(text)) return true;
  return text.length < 100 && authors.some((name) => normaliseText(text).startsWith(name));
}

/** Removes lines with the date or author before the first paragraph and after the last, and the author's biography. */
export function removeEdgeLines(root: PageElement, authorNames: readonly (string | null)[], published: string | null): void {
  const blocks = listBlocks(root);
  const first = blocks.findIndex(isProse);
  if (first < 0) return;
  const names = authorNames.flatMap((all) => (all ?? "").split(/,| and | und | et | y /));
  const authors = names.map(normaliseText).filter((name) => name.length >= MIN_NAME_LENGTH);
  const whole = sumLengths(blocks);
  for (const edge of [blocks.slice(0, first), blocks.slice(blocks.findLastIndex(isProse) + 1)]) {
    if (sumLengths(edge) < whole * MAX_EDGE_SHARE)
      for (const block of edge) if (isMetadataLine(block, authors, published)) removeBlock(block);
  }
  const isBio = ({ text }: PageBlock): boolean =>
    text.length < MAX_BIO_LENGTH && authors.some((name) => normaliseText(text.slice(0, 80)).startsWith(name));
  for (const block of blocks.slice(-4)) if (isBio(block)) removeBlock(block);
}
