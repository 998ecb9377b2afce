import { getAttribute, type Attributes, readXml } from "../../markup/xml.ts";
import { isoOfSerial, type NumberStyles, tidyNumber } from "./number-format.ts";

/** What the cells of a sheet refer to. */
export type Workbook = { readonly strings: readonly string[]; readonly styles: NumberStyles; readonly counts1904: boolean };

export type Sheet = { readonly rows: readonly (readonly string[])[]; readonly isTruncated: boolean };

const MAX_ROWS = 20_000;
const MAX_COLUMNS = 256;
const MAX_STRINGS = 2_000_000;

/** The place of a column's letters, from 0; null where there are none. */
function columnOf(reference: string | null): number | null {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? "")?.[1];
  return letters === undefined ? null : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The texts that cells share (18.4.8); the reading aids of East Asian scripts are left out. */
export function readStrings(bytes: Uint8Array | null): string[] {
  const strings: string[] = [];
  const here = { parts: [] as string[], inText: false, aids: 0 };
  if (bytes === null) return strings;
  readXml(bytes, {
    open(name) {
      if (name === "si") here.parts = [];
      else if (name === "rPh") here.aids++;
      here.inText = name === "t" && here.aids === 0;
    },
    text: (text) => void (here.inText && here.parts.push(text)),
    close(name) {
      here.inText = false;
      if (name === "rPh") here.aids--;
      else if (name === "si") strings.push(here.parts.join(""));
    },
    isFull: () => strings.length >= MAX_STRINGS,
  });
  return strings;
}

function valueOf(cell: { readonly type: string; readonly style: number }, written: string, book: Workbook): string {
  if (cell.type === "s") return book.strings[Number(written)] ?? "";
  if (cell.type === "b") return written === "1" ? "TRUE" : "FALSE";
  if (cell.type !== "n") return written;
  return (book.styles.isDate(cell.style) ? isoOfSerial(Number(written), book.counts1904) : null) ?? tidyNumber(written);
}

/** The cells of a worksheet (ECMA-376, part 1, 18.3), row by row, of at most so many characters; formulas are left to their values. */
export function readSheet(bytes: Uint8Array, book: Workbook, mostCharacters: number): Sheet {
  const rows: string[][] = [];
  const state = { characters: 0, isTruncated: false, isWide: false };
  const cell = { type: "n", style: 0, column: 0, parts: [] as string[], inValue: false };
  const openCell = (attributes: Attributes): void => {
    cell.type = getAttribute(attributes, "t") ?? "n";
    cell.style = Number(getAttribute(attributes, "s") ?? 0);
    cell.column = columnOf(getAttribute(attributes, "r")) ?? cell.column + 1;
    cell.parts = [];
  };
  const closeCell = (): void => {
    const row = rows.at(-1);
    const written = cell.parts.join("");
    if (row === undefined || written === "") return;
    if (cell.column >= MAX_COLUMNS) return void (state.isWide = true);
    const value = valueOf(cell, written, book);
    while (row.length < cell.column) row.push("");
    row[cell.column] = value;
    state.characters += value.length + 3;
  };
  readXml(bytes, {
    open(name, attributes) {
      if (name === "row") {
        rows.push([]);
        cell.column = -1;
      } else if (name === "c") openCell(attributes);
      cell.inValue = name === "v" || name === "t";
    },
    text: (text) => void (cell.inValue && cell.parts.push(text)),
    close(name) {
      cell.inValue = false;
      if (name === "c") closeCell();
    },
    isFull: () => (state.isTruncated ||= rows.length > MAX_ROWS || state.characters > mostCharacters),
  });
  return { rows: rows.slice(0, MAX_ROWS), isTruncated: state.isTruncated || state.isWide };
}
