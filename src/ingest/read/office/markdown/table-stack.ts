import { getAttribute, type Attributes, getCount } from "../../markup/xml.ts";
import { toMarkdownTable } from "./markdown-table.ts";

/** Maximum number of repetitions of a cell or row. Spreadsheets end with millions of repeated empty ones. */
const MAX_REPEATS = 256;
const MAX_ROWS = 20_000;
const MAX_TABLES = 32;

type Table = { readonly rows: string[][]; row: string[]; cell: string[]; value: string | null; repeats: number; rowRepeats: number };

/**
 * The open tables of a document that is being read. A nested table becomes text of the outer cell. Element names are those of OpenDocument
 * (ISO/IEC 26300, part 1, 9).
 */
export type TableStack = {
  readonly isOpen: () => boolean;
  readonly open: (name: string, attributes: Attributes) => void;
  readonly addLine: (text: string) => void;
  /** Returns the table as Markdown when the outermost one is closed, otherwise null. */
  readonly close: (name: string) => string | null;
  readonly isFull: () => boolean;
};

const isCell = (name: string): boolean => name === "table-cell" || name === "covered-table-cell";

/** Removes the time of a date if it is midnight. */
const tidyDate = (value: string | null): string | null => value?.slice(0, 19).replace(/T00:00:00$/, "") ?? null;

function closeCell(table: Table): void {
  const text = table.value ?? table.cell.join(" ");
  for (let left = table.repeats; left > 0 && table.row.length < MAX_REPEATS; left--) table.row.push(text);
  table.cell = [];
}

function closeRow(table: Table): void {
  const isEmpty = table.row.every((cell) => cell === "");
  for (let left = isEmpty ? 0 : table.rowRepeats; left > 0 && table.rows.length <= MAX_ROWS; left--) table.rows.push(table.row);
}

export function createTableStack(): TableStack {
  const tables: Table[] = [];
  const state = { isFull: false };
  return {
    isOpen: () => tables.length > 0,
    isFull: () => state.isFull,
    addLine: (text) => void tables.at(-1)?.cell.push(text),
    open(name, attributes) {
      const table = tables.at(-1);
      if (name === "table") {
        state.isFull ||= tables.length >= MAX_TABLES;
        tables.push({ rows: [], row: [], cell: [], value: null, repeats: 1, rowRepeats: 1 });
      } else if (table !== undefined && name === "table-row") {
        table.row = [];
        table.rowRepeats = getCount(attributes, "number-rows-repeated", 1, MAX_REPEATS);
      } else if (table !== undefined && isCell(name)) {
        table.cell = [];
        table.value = tidyDate(getAttribute(attributes, "date-value"));
        table.repeats = getCount(attributes, "number-columns-repeated", 1, MAX_REPEATS);
      }
    },
    close(name) {
      const table = tables.at(-1);
      if (table === undefined) return null;
      if (isCell(name)) closeCell(table);
      else if (name === "table-row") {
        closeRow(table);
        state.isFull ||= table.rows.length > MAX_ROWS;
      } else if (name === "table") {
        tables.pop();
        const outer = tables.at(-1);
        if (outer === undefined) return toMarkdownTable(table.rows);
        outer.cell.push(...table.rows.slice(0, 100).flat());
      }
      return null;
    },
  };
}
