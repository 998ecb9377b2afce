import { getText, type PageElement } from "../dom.ts";

/** Converts the content of a cell to blocks of Markdown. */
type ToBlocks = (cell: PageElement) => readonly string[];

const MAX_CELLS = 20_000;
/** Rows are filled up to the longest one. */
const MAX_GRID_CELLS = 100_000;
/** Longer cells are written once, though they span rows. */
const MAX_REPEATED_LENGTH = 300;
const MAX_SPAN = 50;
/** In wider rows, cells that span columns are not expanded. */
const MAX_COLUMNS = 200;

const findOwnRows = (table: PageElement): PageElement[] =>
  [...table.querySelectorAll("tr")].filter((row) => {
    let up = row.parentNode;
    while (up && up.localName !== "table") up = up.parentNode;
    return up === table;
  });

const LISTS = "ul, ol";

/** Joins the blocks of a cell to one line, and the items of its lists by semicolons. */
function toCellText(cell: PageElement, toBlocks: ToBlocks): string {
  const text = toBlocks(cell).join("\n");
  const isList = text.includes("- ") && cell.querySelector(LISTS) !== null;
  const items = isList
    ? text
        .replace(/^- /, "")
        .replace(/([^:;,.])\n *- /g, "$1; ")
        .replace(/\n *- /g, " ")
    : text;
  // A backslash before a bar would escape the one that escapes it.
  return items.replace(/\n/g, " ").replace(/(?<!\\)(\\*)\|/g, "$1$1\\|");
}

const readSpan = (cell: PageElement, name: string): number =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(cell.getAttribute(name) ?? "1", 10) || 1));

/** Returns the texts of a table's cells by row. A cell that spans rows is repeated in each; one that spans columns is written in the first. */
function buildGrid(rows: readonly (readonly PageElement[])[], toBlocks: ToBlocks): readonly (readonly string[])[] {
  let carried: { readonly text: string; readonly rows: number }[] = [];
  return rows.map((cells) => {
    const line: string[] = [];
    const next: typeof carried = [];
    const carry = (): void => {
      for (let above = carried[line.length]; above && above.rows > 0; above = carried[line.length]) {
        next[line.length] = { text: above.text, rows: above.rows - 1 };
        line.push(above.text);
      }
    };
    for (const cell of cells) {
      carry();
      const text = toCellText(cell, toBlocks);
      const height = readSpan(cell, "rowspan") - 1;
      const width = line.length < MAX_COLUMNS ? readSpan(cell, "colspan") : 1;
      for (let column = 0; column < width && line.length < MAX_CELLS; column++) {
        next[line.length] = { text: column === 0 && text.length <= MAX_REPEATED_LENGTH ? text : "", rows: height };
        line.push(column === 0 ? text : "");
      }
    }
    carry();
    carried = next;
    return line;
  });
}

/** What a data table does not contain. */
const LAYOUT = "table, pre, h1, h2, h3";
/** Longer cells with lists or several paragraphs are texts. */
const MAX_CELL_LENGTH = 300;

const hasTexts = (table: PageElement, rows: readonly (readonly PageElement[])[]): boolean =>
  table.querySelector(`${LISTS}, p + p`) !== null && rows.flat().some((cell) => getText(cell).length > MAX_CELL_LENGTH);

/** Writes a data table as a Markdown table, and the cells of a layout table as blocks. */
export function writeTable(table: PageElement, toBlocks: ToBlocks): readonly string[] {
  const rows = findOwnRows(table)
    .map((row) => [...row.children].filter((cell) => cell.localName === "td" || cell.localName === "th"))
    .filter((row) => row.some((cell) => (cell.textContent ?? "").trim() !== ""));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  const caption = [...table.children].find(({ localName }) => localName === "caption");
  const title = caption ? toBlocks(caption) : [];
  if (width < 2 || rows.length < 2 || cells > MAX_CELLS || table.querySelector(LAYOUT) !== null || hasTexts(table, rows))
    return [...title, ...rows.flat().flatMap(toBlocks)];
  const grid = buildGrid(rows, toBlocks);
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns * rows.length > MAX_GRID_CELLS) return [...title, ...rows.flat().flatMap(toBlocks)];
  // All rows get the same width: Markdown parsers drop cells without a column in the header.
  const lines = grid.map((row) => `| ${[...row, ...Array<string>(columns - row.length).fill("")].join(" | ")} |`);
  const rule = `|${" --- |".repeat(columns)}`;
  const body = hasHead(rows, columns) ? [lines[0], rule, ...lines.slice(1)] : [`|${"  |".repeat(columns)}`, rule, ...lines];
  return [...title, body.join("\n")];
}

/** Whether the first row is a header. In tables of two columns without `th`, and in rows that start with `th`, it is data. */
function hasHead(rows: readonly (readonly PageElement[])[], columns: number): boolean {
  const [first = []] = rows;
  const cells = first.filter((cell) => (cell.textContent ?? "").trim() !== "");
  if (first[0]?.parentNode?.parentNode?.localName === "thead" || cells.every(({ localName }) => localName === "th")) return true;
  return columns > 2 && cells.every(({ localName }) => localName === "td");
}
