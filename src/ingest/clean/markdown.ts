import { isElement, type PageElement, type PageNode, TEXT_NODE } from "./dom.ts";

const BLOCKS = new Set(
  "p div section article main header footer nav aside figure figcaption address center dl dt dd details summary fieldset form body html caption hgroup".split(
    " ",
  ),
);
const SKIPPED = new Set(
  "script style noscript template svg img picture video audio iframe object canvas button input select textarea head title".split(" "),
);
const MAX_CELLS = 20_000;
const MAX_SPAN = 50;
/** In wider rows, cells that span columns are not expanded. */
const MAX_COLUMNS = 200;

const ROW_PARTS = new Set("span strong b time small label a".split(" "));

/** Finished blocks, and the inline text of the current one. */
type Writer = { readonly blocks: string[]; inline: string[] };

const collapseSpaces = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();

function flush(writer: Writer): void {
  const text = collapseSpaces(writer.inline.join(""));
  writer.inline = [];
  if (text !== "") writer.blocks.push(text);
}

/** Longer lists and quotes are not indented or quoted again by outer elements, because a tile's text ends at this length. */
const MAX_MARKED_LENGTH = 1_000_000;

const markLines = (text: string, mark: (row: string, at: number) => string): string =>
  text.length > MAX_MARKED_LENGTH ? text : text.split("\n").map(mark).join("\n");

const indentLines = (text: string, first: string, rest: string): string =>
  markLines(text, (row, at) => (at === 0 ? first + row : row === "" ? "" : rest + row));

const quoteLines = (text: string): string => markLines(text, (row) => (row === "" ? ">" : `> ${row}`));

function writeList(list: PageElement, ordered: boolean): string {
  const items: string[] = [];
  let number = Number.parseInt(list.getAttribute("start") ?? "1", 10) || 1;
  for (const child of list.childNodes) {
    const blocks = isElement(child) ? toBlocks(child) : [collapseSpaces(child.nodeType === TEXT_NODE ? (child.textContent ?? "") : "")];
    const text = blocks.filter((block) => block !== "").join("\n");
    if (text === "") continue;
    const nested = isElement(child) && (child.localName === "ul" || child.localName === "ol");
    const mark = ordered && !nested ? `${number++}. ` : "- ";
    items.push(nested ? indentLines(text, "  ", "  ") : indentLines(text, mark, " ".repeat(mark.length)));
  }
  return items.join("\n");
}

const findOwnRows = (table: PageElement): PageElement[] =>
  [...table.querySelectorAll("tr")].filter((row) => {
    let up = row.parentNode;
    while (up && up.localName !== "table") up = up.parentNode;
    return up === table;
  });

const toCellText = (cell: PageElement): string => toBlocks(cell).join(" ").replace(/\n/g, " ").replaceAll("|", "\\|");
const readSpan = (cell: PageElement, name: string): number =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(cell.getAttribute(name) ?? "1", 10) || 1));

/** Returns the texts of a table's cells by row. A cell that spans rows is repeated in each; one that spans columns is written in the first. */
function buildGrid(rows: readonly (readonly PageElement[])[]): readonly (readonly string[])[] {
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
      const text = toCellText(cell);
      const height = readSpan(cell, "rowspan") - 1;
      const width = line.length < MAX_COLUMNS ? readSpan(cell, "colspan") : 1;
      for (let column = 0; column < width && line.length < MAX_CELLS; column++) {
        next[line.length] = { text: column === 0 ? text : "", rows: height };
        line.push(column === 0 ? text : "");
      }
    }
    carry();
    carried = next;
    return line;
  });
}

/** Writes a data table as a Markdown table, and the cells of a layout table as blocks. */
function writeTable(table: PageElement): readonly string[] {
  const rows = findOwnRows(table)
    .map((row) => [...row.children].filter((cell) => cell.localName === "td" || cell.localName === "th"))
    .filter((row) => row.some((cell) => (cell.textContent ?? "").trim() !== ""));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  const isLayout =
    width < 2 || rows.length < 2 || cells > MAX_CELLS || table.querySelector("table, ul, ol, pre, h1, h2, h3, p + p") !== null;
  if (isLayout) return rows.flat().flatMap(toBlocks);
  const grid = buildGrid(rows);
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0);
  // All rows get the same width: Markdown parsers drop cells without a column in the header.
  const lines = grid.map((row) => `| ${[...row, ...Array<string>(columns - row.length).fill("")].join(" | ")} |`);
  const caption = table.querySelector("caption");
  const rule = `|${" --- |".repeat(columns)}`;
  const body = hasHead(rows, columns) ? [lines[0], rule, ...lines.slice(1)] : [`|${"  |".repeat(columns)}`, rule, ...lines];
  return [...(caption ? toBlocks(caption) : []), body.join("\n")];
}

/** Whether the first row is a header. In tables of two columns without `th`, and in rows that start with `th`, it is data. */
function hasHead(rows: readonly (readonly PageElement[])[], columns: number): boolean {
  const [first = []] = rows;
  const cells = first.filter((cell) => (cell.textContent ?? "").trim() !== "");
  if (first[0]?.parentNode?.parentNode?.localName === "thead" || cells.every(({ localName }) => localName === "th")) return true;
  return columns > 2 && cells.every(({ localName }) => localName === "td");
}

const fenceCode = (code: string): string => {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 2);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${code}\n${ticks}`;
};

/** Whether a button is the heading of a section that it expands. */
const isTitleButton = (element: PageElement): boolean =>
  element.localName === "button" &&
  (/^(?:h[1-6]|dt|summary)$/.test(element.parentNode?.localName ?? "") ||
    (element.getAttribute("aria-expanded") !== null && element.getAttribute("aria-controls") !== null));

function writeElement(element: PageElement, writer: Writer): void {
  const name = element.localName;
  if (SKIPPED.has(name) && !isTitleButton(element)) return;
  if (name === "br") return void writer.inline.push("\n");
  if (/^(?:code|kbd|samp)$/.test(name)) {
    const text = collapseSpaces((element.textContent ?? "").replace(/\n/g, " "));
    return void writer.inline.push(text === "" || text.includes("`") ? text : `\`${text}\``);
  }
  const blocks = toSpecialBlocks(element, name);
  if (!blocks && !BLOCKS.has(name)) return writeChildren(element, writer);
  flush(writer);
  if (blocks) writer.blocks.push(...blocks.filter((block) => block !== ""));
  else writeChildren(element, writer);
  flush(writer);
}

/** Returns the blocks of an element with a Markdown syntax of its own, or null for any other element. */
function toSpecialBlocks(element: PageElement, name: string): readonly string[] | null {
  if (/^h[1-6]$/.test(name)) {
    const text = toBlocks(element).join(" ").replace(/\n/g, " ");
    return text === "" ? [] : [`${"#".repeat(Number(name[1]))} ${text}`];
  }
  if (name === "ul" || name === "ol") return [writeList(element, name === "ol")];
  if (name === "li") return [`- ${toBlocks(element).join("\n")}`];
  if (name === "blockquote") {
    const text = toBlocks(element).join("\n\n");
    return text === "" ? [] : [quoteLines(text)];
  }
  if (name === "pre") {
    const code = (element.textContent ?? "").replace(/^\n+/, "").trimEnd();
    return code === "" ? [] : [fenceCode(code)];
  }
  if (name === "table") return writeTable(element);
  return name === "hr" ? [] : null;
}

function writeChildren(node: PageNode, writer: Writer): void {
  const children = [...node.childNodes];
  // Inline elements without text between them are usually separated by the page's style.
  const isRow = children.length > 1 && children.every((child) => isElement(child) && ROW_PARTS.has(child.localName));
  for (const child of children) {
    if (child.nodeType === TEXT_NODE) writer.inline.push((child.textContent ?? "").replace(/\s+/g, " "));
    else if (isElement(child)) {
      if (isRow && writer.inline.length > 0) writer.inline.push(" ");
      writeElement(child, writer);
    }
  }
}

function toBlocks(node: PageNode): string[] {
  const writer: Writer = { blocks: [], inline: [] };
  writeChildren(node, writer);
  flush(writer);
  return writer.blocks;
}

/**
 * Converts a tree to light Markdown (CommonMark with GitHub's tables): headings, lists, quotes, code and tables, without link targets,
 * emphasis and pictures. Text is not escaped, so that it can be quoted literally.
 */
export const toMarkdown = (root: PageElement): string => toBlocks(root).join("\n\n");
