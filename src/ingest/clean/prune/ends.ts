import { type PageElement, textOf } from "../dom.ts";
import { normaliseText } from "../text.ts";
import { type Block, blocksIn, removeBlock, isProse } from "./blocks.ts";
import { isDateLine } from "../calendar/date-lines.ts";
import { isAddress, isByline, isNonContentHeading } from "./lines.ts";

/** Lines before the first paragraph or after the last are judged only if they are at most this share of the text. */
const MAX_SHARE = 0.25;
const MAX_REST = 0.4;
const MAX_BIO_LENGTH = 450;
const MIN_NAME_LENGTH = 6;

const isHeading = ({ holder }: Block): boolean => /^h[1-6]$/.test(holder.localName);
const sizeOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

/** Elements whose lines are kept as data. */
const DATA = /^(?:blockquote|table|dl|li|pre|address|details|figure|figcaption)$/;

function isData({ holder }: Block): boolean {
  for (let up: PageElement | null = holder; up; up = up.parentNode) if (DATA.test(up.localName)) return true;
  return false;
}

const PUBLISHED =
  /\b(?:publish\w*|posted|updated?|modified|created|last|aktualisiert|veröffentlicht|publiziert|erstellt|geändert|stand|publicad[oa]|actualizad[oa]|atualizad[oa]|publié\w*|mis à jour|modifié|pubblicat[oa]|aggiornat[oa]|opublikowan[oa]|read(?:ing)?|lesezeit|lecture|leitura|ago|vor|hace|há|il y a)\b/i;

/** Whether a text contains year and day of the month of an ISO 8601 date, or of the day before or after it (other time zones). */
function saysDay(text: string, published: string): boolean {
  const numbers = new Set((text.match(/\d+/g) ?? []).map(Number));
  const at = Date.parse(published);
  const days = [-1, 0, 1].map((days) => new Date(at + days * 86_400_000));
  return !Number.isNaN(at) && days.some((day) => numbers.has(day.getUTCFullYear()) && numbers.has(day.getUTCDate()));
}

const BYLINED =
  /\b(?:categor(?:y|ies)|filed under|tags|comments|kommentare|publicad[oa]|published|posted|veröffentlicht|publié|pubblicat[oa]|opublikowan[oa])\b/i;
/** Other words in a dated line about author, category and tags. */
const MAX_WORDS_IN_BYLINE = 12;

/** Whether a date is the page's own: by its words, by matching the metadata, or by being a `time` element of its own. */
function isDateOfPage({ holder, text }: Block, published: string | null): boolean {
  if (isDateLine(text, MAX_WORDS_IN_BYLINE) && BYLINED.test(text)) return true;
  if (!isDateLine(text)) return false;
  if (published !== null && saysDay(text, published)) return true;
  const time = holder.querySelector("time");
  return PUBLISHED.test(text) || (time !== null && textOf(time) === text) || holder.parentNode?.localName === "header";
}

const isParagraph = (block: Block): boolean =>
  isProse(block) && block.text.length >= (block.isDense ? 50 : 110) && block.linked < block.text.length * 0.3;

/** The index of the trailing sections: the first heading over related pages, comments or a newsletter with no paragraph after it. */
function endOf(blocks: readonly Block[]): number {
  const whole = sizeOf(blocks);
  let rest = 0;
  let end = blocks.length;
  for (let at = blocks.length - 1; at >= 0 && rest < whole * MAX_REST; at--) {
    const block = blocks[at] as Block;
    if (isParagraph(block)) break;
    rest += block.text.length;
    if ((isHeading(block) || block.text.length < 60) && isNonContentHeading(block.text)) end = at;
  }
  return end;
}

/** Removes the sections after the article, such as related pages and comments. */
export function removeTrailingSections(root: PageElement): void {
  const blocks = blocksIn(root);
  for (const block of blocks.slice(endOf(blocks))) removeBlock(block);
}

/** Whether a line at an end of the page is its date, a byline, an address or an author's name. */
function isEndLine(block: Block, authors: readonly string[], published: string | null): boolean {
  const { text } = block;
  if (text.length > 160 || isData(block)) return false;
  if (isDateOfPage(block, published) || isByline(text) || isAddress(text)) return true;
  return text.length < 100 && authors.some((name) => normaliseText(text).startsWith(name));
}

/** Removes lines with date, author and the like before the first paragraph and after the last, and the author's biography. */
export function removeEdgeLines(root: PageElement, written: readonly (string | null)[], published: string | null): void {
  const blocks = blocksIn(root);
  const first = blocks.findIndex(isProse);
  if (first < 0) return;
  const names = written.flatMap((all) => (all ?? "").split(/,| and | und | et | y /));
  const authors = names.map(normaliseText).filter((name) => name.length >= MIN_NAME_LENGTH);
  const whole = sizeOf(blocks);
  for (const end of [blocks.slice(0, first), blocks.slice(blocks.findLastIndex(isProse) + 1)]) {
    if (sizeOf(end) < whole * MAX_SHARE) for (const block of end) if (isEndLine(block, authors, published)) removeBlock(block);
  }
  const isBio = ({ text }: Block): boolean =>
    text.length < MAX_BIO_LENGTH && authors.some((name) => normaliseText(text.slice(0, 80)).startsWith(name));
  for (const block of blocks.slice(-4)) if (isBio(block)) removeBlock(block);
}
