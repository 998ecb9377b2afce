import { decimal } from "../../output/numbers.ts";
import type { KeptTable } from "./marks.ts";

/** A part out of a whole. */
export type Share = { readonly part: number; readonly whole: number };

/** What a reader made of a page. */
export type PageScore = {
  readonly facts: Share;
  readonly rows: Share;
  readonly captions: Share;
  /** Of the boilerplate, what was let in. */
  readonly boilerplate: Share;
  readonly missing: readonly string[];
  readonly letIn: readonly string[];
};

export type Expected = {
  readonly facts: readonly string[];
  readonly tables: readonly KeptTable[];
  readonly boilerplate: readonly string[];
};

/** How many characters may stand between a caption and its table. */
const MAX_CAPTION_DISTANCE = 60;

/**
 * A text without what differs between readers but not in meaning: case, white space, forms of quotes, and the marks of Markdown
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

/** Whether the cells stand in a text in their order, with so many characters at least between them; all of them normalised. */
export function holdsCells(text: string, cells: readonly string[], gap: number): boolean {
  let from = 0;
  return cells.every((cell) => {
    const at = text.indexOf(cell, from);
    from = at + cell.length + gap;
    return at >= 0;
  });
}

/** The rows that stand on a line of their own: all their cells, in order, and no other row of the table on the same line. */
function countRows(lines: readonly string[], rows: readonly (readonly string[])[]): number {
  const held = rows.map((cells) => new Set(lines.flatMap((line, at) => (holdsCells(line, cells, 1) ? [at] : []))));
  return held.filter((at, row) =>
    [...at].some((line) => held.every((others, other) => other === row || rows[other]?.join() === rows[row]?.join() || !others.has(line))),
  ).length;
}

/** Whether a caption stands right before the first row of its table or right behind its last one. */
function isBesideTable(text: string, caption: string, rows: readonly (readonly string[])[]): boolean {
  const [first = [], last = []] = [rows[0], rows.at(-1)];
  const reach = (cells: readonly string[]): number => cells.join(" ").length + MAX_CAPTION_DISTANCE;
  for (let at = text.indexOf(caption); at >= 0; at = text.indexOf(caption, at + 1)) {
    const end = at + caption.length;
    if (holdsCells(text.slice(end, end + reach(first)), first, 0)) return true;
    if (holdsCells(text.slice(Math.max(0, at - reach(last)), at), last, 0)) return true;
  }
  return false;
}

/** Compares a reader's text of a page with what it must hold and must not. */
export function scoreText(text: string, { facts, tables, boilerplate }: Expected): PageScore {
  const whole = normaliseText(text);
  const lines = text.split("\n").map(normaliseText);
  const normalised = tables.map(({ caption, rows }) => ({
    caption: caption === null ? null : normaliseText(caption),
    rows: rows.map((cells) => cells.map(normaliseText)),
  }));
  const captioned = normalised.filter(({ caption }) => caption !== null);
  const missing = facts.filter((fact) => !whole.includes(normaliseText(fact)));
  const letIn = boilerplate.filter((piece) => whole.includes(normaliseText(piece)));
  return {
    facts: { part: facts.length - missing.length, whole: facts.length },
    rows: sumShares(normalised.map(({ rows }) => ({ part: countRows(lines, rows), whole: rows.length }))),
    captions: {
      part: captioned.filter(({ caption, rows }) => isBesideTable(whole, caption ?? "", rows)).length,
      whole: captioned.length,
    },
    boilerplate: { part: letIn.length, whole: boilerplate.length },
    missing,
    letIn,
  };
}

/** Parts and wholes added up. */
export const sumShares = (shares: readonly Share[]): Share =>
  shares.reduce((sum, { part, whole }) => ({ part: sum.part + part, whole: sum.whole + whole }), { part: 0, whole: 0 });

/** From 0 to 1; NaN without a whole. */
export const valueOf = ({ part, whole }: Share): number => part / whole;

/** As a number from 0 to 1; a dash without a whole. */
export const formatShare = (share: Share): string => (share.whole === 0 ? "–" : decimal(valueOf(share), 3));
