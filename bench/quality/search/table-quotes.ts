import type { Deps } from "#service/deps.ts";
import { computeShare } from "./scores.ts";
import type { FilledBoard } from "./quality-service.ts";

/** `cut`: the head of the table or every row of it is missing from the quotes. */
export type TableQuote = "none" | "whole" | "cut";

type QuotedRange = { readonly tileId: string; readonly start: number; readonly end: number };

const isRow = (line: string): boolean => line.trim().startsWith("|") && line.trim().length > 1;
const isRule = (line: string): boolean => isRow(line) && line.includes("-") && /^[\s|:-]+$/.test(line);

/** Checks an answer whose first quote is from a table. Reads the tile, because a quote without the head does not show that there is one. */
export async function checkTableQuote({ store }: Deps, board: FilledBoard, citations: readonly QuotedRange[]): Promise<TableQuote> {
  const [first] = citations;
  if (first === undefined) return "none";
  const text = (await store.tiles.find(board.businessId, first.tileId))?.extractedText ?? "";
  const tables = findTables(text).filter(({ start, end }) => start < first.end && end > first.start);
  if (tables.length === 0) return "none";
  const quotes = citations.filter(({ tileId }) => tileId === first.tileId);
  const isQuoted = ({ start, end }: Line): boolean => quotes.some((quote) => quote.start <= start && quote.end >= end);
  const isWhole = tables.every(({ head, rows }) => (head === null || isQuoted(head)) && (rows.length === 0 || rows.some(isQuoted)));
  return isWhole ? "whole" : "cut";
}

type Line = { readonly start: number; readonly end: number };
type Table = Line & { readonly head: Line | null; readonly rows: readonly Line[] };

/** Returns the Markdown tables of a text, with the offsets of their lines without white space at the ends. */
function findTables(text: string): Table[] {
  const tables: Table[] = [];
  let open: (Line & { readonly line: string })[] = [];
  let at = 0;
  for (const line of [...text.split("\n"), ""]) {
    if (isRow(line)) open.push({ line, start: at + line.length - line.trimStart().length, end: at + line.trimEnd().length });
    else {
      const [head, rule, ...rows] = open;
      if (head !== undefined && rule !== undefined && isRule(rule.line))
        tables.push({ start: head.start, end: open.at(-1)?.end ?? 0, head: /[\p{L}\p{N}]/u.test(head.line) ? head : null, rows });
      open = [];
    }
    at += line.length + 1;
  }
  return tables;
}

/** Of the answers from tables, the share whose quotes have head and row. */
export const computeShareWhole = (outcomes: readonly { readonly table: TableQuote }[]): number =>
  computeShare(outcomes, ({ table }) => table === "whole");
