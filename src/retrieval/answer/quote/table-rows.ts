import { isDelimiter, isRow } from "./lines.ts";

const CELL_END = /(?<!\\)\|/;
/** Lines above a row that are searched for the header of its table. */
const MAX_LINES_ABOVE = 500;

/**
 * Makes a quote readable in an answer: rows of Markdown tables become `Header: cell · Header: cell`, one line each. Everything else
 * stays unchanged. The header is searched in the quote and, given the `text` from which it is quoted, above its offset `start`.
 */
export function formatTableRows(quote: string, text = "", start = 0): string {
  if (!quote.includes("|")) return quote;
  const lines = quote.split("\n");
  const shown: string[] = [];
  let header: readonly string[] | null = findHeaderAbove(text, start);
  for (const [at, line] of lines.entries()) {
    if (!isRow(line)) {
      header = null;
      shown.push(line);
    } else if (isDelimiter(lines[at + 1] ?? "")) {
      header = splitCells(line);
      // A header is shown only if no row of its table follows.
      if (!isRow(lines[at + 2] ?? "")) shown.push(header.filter((cell) => cell !== "").join(" · "));
    } else if (!isDelimiter(line)) shown.push(formatRow(splitCells(line), header));
  }
  return shown.join("\n").trim();
}

function formatRow(cells: readonly string[], header: readonly string[] | null): string {
  // It is not known which cells a cut row lacks.
  const names = header?.length === cells.length ? header : null;
  return cells
    .map((cell, at) => (names === null || cell === "" || (names[at] ?? "") === "" ? cell : `${names[at]}: ${cell}`))
    .filter((cell) => cell !== "")
    .join(" · ");
}

function splitCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(CELL_END).map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** Returns the header of the table to which the line at `start` belongs; null if it belongs to none, or is the header. */
function findHeaderAbove(text: string, start: number): string[] | null {
  const above: string[] = [];
  let end = text.lastIndexOf("\n", start - 1);
  while (end > 0 && above.length < MAX_LINES_ABOVE) {
    const from = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(from, end);
    if (!isRow(line)) return null;
    if (isDelimiter(above.at(-1) ?? "")) return splitCells(line);
    above.push(line);
    end = from - 1;
  }
  return null;
}
