import { formatDecimal } from "../../output/numbers.ts";
import type { KeptTable } from "./marks.ts";

/** A part out of a whole. */
export type Share = { readonly part: number; readonly whole: number };

/** The quality of the text that a reader extracts from a page. */
export type PageScore = {
  readonly facts: Share;
  readonly rows: Share;
  readonly captions: Share;
  /** The boilerplate that was included. */
  readonly boilerplate: Share;
  readonly missing: readonly string[];
  readonly included: readonly string[];
};

export type Expected = {
  readonly facts: readonly string[];
  readonly tables: readonly KeptTable[];
  readonly boilerplate: readonly string[];
};

/** The maximum number of characters between a caption and its table. */
const MAX_CAPTION_DISTANCE = 60;

/**
 * Removes differences between readers that do not matter: case, white space, forms of quotes, and the marks of Markdown
 * (links, bars, emphasis, backticks, headings, backslash escapes).
 */
export const normaliseText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u00ad\u200b-\u200f\ufeff]/g, "")
    .replace(/!?\[([^[\]\n]*)\]\([^()\n]*\)/g, "$1")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .replace(/[*_`\\#>~]/g, "")
    .replace(/[|\s]+/g, " ")
    .trim();

/** Whether a text contains the cells in order, at least `gap` characters apart. Text and cells are normalised. */
export function containsCells(text: string, cells: readonly string[], gap: number): boolean {
  let from = 0;
  return cells.every((cell) => {
    const at = text.indexOf(cell, from);
    from = at + cell.length + gap;
    return at >= 0;
  });
}

/** Counts the rows on a line of their own: all their cells, in order, without another row of the table. */
function countRows(lines: readonly string[], rows: readonly (readonly string[])[]): number {
  const linesByRow = rows.map((cells) => new Set(lines.flatMap((line, at) => (containsCells(line, cells, 1) ? [at] : []))));
  return linesByRow.filter((at, row) =>
    [...at].some((line) =>
      linesByRow.every((others, other) => other === row || rows[other]?.join() === rows[row]?.join() || !others.has(line)),
    ),
  ).length;
}

/** Whether a caption is right before the first row of its table or right after the last one. */
function isBesideTable(text: string, caption: string, rows: readonly (readonly string[])[]): boolean {
  const [first = [], last = []] = [rows[0], rows.at(-1)];
  const reach = (cells: readonly string[]): number => cells.join(" ").length + MAX_CAPTION_DISTANCE;
  for (let at = text.indexOf(caption); at >= 0; at = text.indexOf(caption, at + 1)) {
    const end = at + caption.length;
    if (containsCells(text.slice(end, end + reach(first)), first, 0)) return true;
    if (containsCells(text.slice(Math.max(0, at - reach(last)), at), last, 0)) return true;
  }
  return false;
}

/** Compares a reader's text of a page with what it must contain and must not contain. */
export function scoreText(text: string, { facts, tables, boilerplate }: Expected): PageScore {
  const whole = normaliseText(text);
  const lines = text.split("\n").map(normaliseText);
  const normalised = tables.map(({ caption, rows }) => ({
    caption: caption === null ? null : normaliseText(caption),
    rows: rows.map((cells) => cells.map(normaliseText)),
  }));
  const captioned = normalised.filter(({ caption }) => caption !== null);
  const missing = facts.filter((fact) => !whole.includes(normaliseText(fact)));
  const included = boilerplate.filter((piece) => whole.includes(normaliseText(piece)));
  return {
    facts: { part: facts.length - missing.length, whole: facts.length },
    rows: sumShares(normalised.map(({ rows }) => ({ part: countRows(lines, rows), whole: rows.length }))),
    captions: {
      part: captioned.filter(({ caption, rows }) => isBesideTable(whole, caption ?? "", rows)).length,
      whole: captioned.length,
    },
    boilerplate: { part: included.length, whole: boilerplate.length },
    missing,
    included,
  };
}

/** Adds up parts and wholes. */
export const sumShares = (shares: readonly Share[]): Share =>
  shares.reduce((sum, { part, whole }) => ({ part: sum.part + part, whole: sum.whole + whole }), { part: 0, whole: 0 });

/** From 0 to 1; NaN without a whole. */
export const toNumber = ({ part, whole }: Share): number => part / whole;

/** Formats a share as a number from 0 to 1; a dash without a whole. */
export const formatShare = (share: Share): string => (share.whole === 0 ? "–" : formatDecimal(toNumber(share), 3));
