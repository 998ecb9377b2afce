import { toMarkdownTable } from "../../../read/office/markdown/markdown-table.ts";

/** Larger sheets are data and not text to read. */
const MAX_ROWS = 5_000;
const MAX_COLUMNS = 100;
const MAX_CELL_LENGTH = 5_000;

/** Parses CSV (RFC 4180) into at most `maxRows` rows; an unterminated quote ends with the text. */
export function readCsv(text: string, maxRows: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let index = 0;
  while (index < text.length && rows.length < maxRows) {
    let cell: string;
    if (text[index] === '"') {
      const parts: string[] = [];
      let from = index + 1;
      for (;;) {
        const quote = text.indexOf('"', from);
        const end = quote < 0 ? text.length : quote;
        parts.push(text.slice(from, end));
        index = end + 1;
        if (quote < 0 || text[index] !== '"') break;
        parts.push('"');
        from = index + 1;
      }
      cell = parts.join("");
    } else {
      const end = /[,\n]/g;
      end.lastIndex = index;
      const stop = end.exec(text)?.index ?? text.length;
      cell = text.slice(index, stop);
      index = stop;
    }
    row.push(cell);
    if (text[index] !== ",") {
      const line = text.indexOf("\n", index);
      index = line < 0 ? text.length : line + 1;
      rows.push(row);
      row = [];
    } else if (++index >= text.length) row.push("");
  }
  if (row.length > 0 && rows.length < maxRows) rows.push(row);
  return rows;
}

/** Formats CSV as a Markdown table without empty rows and trailing empty columns. */
export function csvToMarkdown(csv: string): { readonly text: string; readonly isTruncated: boolean } {
  const rows = readCsv(csv.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"), MAX_ROWS + 1);
  const cells = rows.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS).map((cell) => cell.slice(0, MAX_CELL_LENGTH)));
  return { text: toMarkdownTable(cells), isTruncated: rows.length > MAX_ROWS || rows.some((row) => row.length > MAX_COLUMNS) };
}
