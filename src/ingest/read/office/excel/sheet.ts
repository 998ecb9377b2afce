import { getAttribute, type Attributes, readXml, type Pieces } from "../../markup/xml.ts";
import { serialToIso, type NumberStyles, roundNumber } from "./number-format.ts";

/** The parts of a workbook that its cells refer to. `isDate1904` says that dates count from 1904. */
export type Workbook = { readonly strings: readonly string[]; readonly styles: NumberStyles; readonly isDate1904: boolean };

export type Sheet = { readonly rows: readonly (readonly string[])[]; readonly isTruncated: boolean };

const MAX_ROWS = 20_000;
const MAX_COLUMNS = 256;
const MAX_STRINGS = 2_000_000;

/** Parses the column index, from 0, of a cell reference such as `AB12`. Returns null if it is invalid. */
function parseColumn(reference: string | null): number | null {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? "")?.[1];
  return letters === undefined ? null : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Reads the shared strings (ECMA-376, part 1, 18.4.8), without phonetic guides of East Asian text. */
export function readStrings(part: Pieces | null): string[] {
  const strings: string[] = [];
  const current = { parts: [] as string[], inText: false, phoneticDepth: 0 };
  if (part === null) return strings;
  readXml(part, {
    open(name) {
      if (name === "si") current.parts = [];
      else if (name === "rPh") current.phoneticDepth++;
      current.inText = name === "t" && current.phoneticDepth === 0;
    },
    text: (text) => void (current.inText && current.parts.push(text)),
    close(name) {
      current.inText = false;
      if (name === "rPh") current.phoneticDepth--;
      else if (name === "si") strings.push(current.parts.join(""));
    },
    isFull: () => strings.length >= MAX_STRINGS,
  });
  return strings;
}

function formatValue(cell: { readonly type: string; readonly style: number }, raw: string, book: Workbook): string {
  if (cell.type === "s") return book.strings[Number(raw)] ?? "";
  if (cell.type === "b") return raw === "1" ? "TRUE" : "FALSE";
  if (cell.type !== "n") return raw;
  return (book.styles.isDate(cell.style) ? serialToIso(Number(raw), book.isDate1904) : null) ?? roundNumber(raw);
}

/** Reads the cells of a worksheet (ECMA-376, part 1, 18.3) row by row, up to `maxCharacters`. Of formulas it reads the stored value. */
export function readSheet(part: Pieces, book: Workbook, maxCharacters: number): Sheet {
  const rows: string[][] = [];
  const state = { characters: 0, isTruncated: false, isWide: false };
  const cell = { type: "n", style: 0, column: 0, parts: [] as string[], inValue: false };
  const openCell = (attributes: Attributes): void => {
    cell.type = getAttribute(attributes, "t") ?? "n";
    cell.style = Number(getAttribute(attributes, "s") ?? 0);
    cell.column = parseColumn(getAttribute(attributes, "r")) ?? cell.column + 1;
    cell.parts = [];
  };
  const closeCell = (): void => {
    const row = rows.at(-1);
    const raw = cell.parts.join("");
    if (row === undefined || raw === "") return;
    if (cell.column >= MAX_COLUMNS) return void (state.isWide = true);
    const value = formatValue(cell, raw, book);
    while (row.length < cell.column) row.push("");
    row[cell.column] = value;
    state.characters += value.length + 3;
  };
  readXml(part, {
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
    isFull: () => (state.isTruncated ||= rows.length > MAX_ROWS || state.characters > maxCharacters),
  });
  return { rows: rows.slice(0, MAX_ROWS), isTruncated: state.isTruncated || state.isWide };
}
