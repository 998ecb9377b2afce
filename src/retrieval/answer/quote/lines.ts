import type { Span } from "../../text/spans.ts";

/** What a line of light Markdown is. `label`: a short paragraph of its own that names what follows, such as the term of a definition. */
export type LineKind = "blank" | "fence" | "row" | "item" | "indented" | "heading" | "text";
export type Line = Span & { readonly kind: LineKind };

/** UTF-16 code units; a longer line is not a row. */
const MAX_ROW_LENGTH = 4_000;
/** The line below a table's header. */
const DELIMITER = /^[\s|:-]+$/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const FENCES = /^ {0,3}(?:`{3,}|~{3,})/gm;
const ITEM = /^\s{0,12}(?:[-*+•–]|\d{1,4}[.)])\s+\S/;
const HEADING = /^#{1,6}[ \t]+\S/;

/** Whether a line is a row of a Markdown table, possibly cut at either end. */
export function isRow(line: string): boolean {
  if (line.length > MAX_ROW_LENGTH) return false;
  const row = line.trim();
  return row.length > 1 && (row.startsWith("|") || row.endsWith("|"));
}

/** Whether a line separates the header of a Markdown table from its rows. */
export const isDelimiter = (line: string): boolean => isRow(line) && line.includes("-") && DELIMITER.test(line);

function classify(line: string): LineKind {
  if (line.trim() === "") return "blank";
  if (FENCE.test(line)) return "fence";
  if (isRow(line)) return "row";
  if (HEADING.test(line)) return "heading";
  if (ITEM.test(line)) return "item";
  return /^\s{2}/.test(line) ? "indented" : "text";
}

/** Splits a range of a text, which begins with a line, into lines. Line ends are left out. */
export function splitLines(text: string, from: number, to: number): Line[] {
  const lines: Line[] = [];
  for (let start = from; start <= to && start < text.length;) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    lines.push({ start, end, kind: classify(text.slice(start, end)) });
    start = end + 1;
  }
  return lines;
}

/** Whether the line at `at` is inside fenced code that begins above it. */
export const isInsideCode = (text: string, at: number): boolean => (text.slice(0, at).match(FENCES) ?? []).length % 2 === 1;
