import { MAX_TEXT_LENGTH } from "../../truncate.ts";
import { getAttribute, type Attributes, getCount, readXml, type Pieces } from "../../markup/xml.ts";
import { createTableStack } from "../markdown/table-stack.ts";

/** Elements without body text: comments, deleted text, forms, settings and declarations. */
const SKIPPED = new Set(
  "annotation tracked-changes forms scripts automatic-styles font-face-decls sequence-decls note-citation settings date-time-decl footer-decl".split(
    " ",
  ),
);
const MAX_LIST_DEPTH = 8;
const MAX_SPACES = 100;
/** Tables that may still be open when reading stops at the limit. */
const MAX_OPEN_TABLES = 64;

type Block = { text: string; readonly isItem: boolean };

export type OdfContent = { readonly blocks: readonly string[]; readonly slides: number; readonly isTruncated: boolean };

/** Reads the text of `content.xml` block by block, as light Markdown. */
export function readContent(part: Pieces): OdfContent {
  const reader = new ContentReader();
  readXml(part, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.addText(text),
    isFull: () => reader.isFull(),
  });
  return reader.finish();
}

class ContentReader {
  readonly #blocks: Block[] = [];
  readonly #tables = createTableStack();
  #line: string[] = [];
  #skipDepth = 0;
  #listDepth = 0;
  #isItemStart = false;
  /** Speaker notes of a slide, which become quotes. */
  #speakerNotesDepth = 0;
  #footnoteDepth = 0;
  #headingLevel = 1;
  #length = 0;
  #slides = 0;
  #isSpreadsheet = false;
  #isTitleFrame = false;
  #isTruncated = false;

  isFull(): boolean {
    this.#isTruncated ||= this.#length > MAX_TEXT_LENGTH || this.#tables.isFull();
    return this.#isTruncated;
  }

  finish(): OdfContent {
    // Keep the rows read so far of tables that the limit cut off.
    for (let left = MAX_OPEN_TABLES; this.#tables.isOpen() && left > 0; left--) this.#addBlock(this.#tables.close("table") ?? "");
    return { blocks: this.#blocks.map(({ text }) => text), slides: this.#slides, isTruncated: this.#isTruncated };
  }

  open(name: string, attributes: Attributes): void {
    if (SKIPPED.has(name)) this.#skipDepth++;
    if (this.#skipDepth > 0) return;
    if (name === "s") this.#line.push(" ".repeat(getCount(attributes, "c", 1, MAX_SPACES)));
    else if (name === "tab") this.#line.push(" ");
    else if (name === "line-break") this.#line.push("\n");
    else if (name === "list") this.#listDepth++;
    else if (name === "list-item" || name === "list-header") this.#isItemStart = true;
    else if (name === "note" && this.#footnoteDepth++ === 0) this.#line.push(" (");
    else if (name === "notes") this.#speakerNotesDepth++;
    else if (name === "spreadsheet") this.#isSpreadsheet = true;
    else if (name === "page") this.#slides++;
    else if (name === "frame") this.#isTitleFrame = getAttribute(attributes, "class") === "title";
    else if (name === "h") this.#headingLevel = getCount(attributes, "outline-level", 1, 6) || 1;
    else this.#openTableElement(name, attributes);
  }

  close(name: string): void {
    if (SKIPPED.has(name)) return void this.#skipDepth--;
    if (this.#skipDepth > 0) return;
    if (name === "note" && --this.#footnoteDepth === 0) this.#line.push(")");
    else if (name === "h") this.#endLine(`${"#".repeat(this.#headingLevel)} `);
    else if (name === "p" && this.#footnoteDepth === 0) this.#endLine(this.#isTitleFrame ? "## " : "");
    else if (name === "frame") this.#isTitleFrame = false;
    else if (name === "list") this.#listDepth--;
    else if (name === "notes") this.#speakerNotesDepth--;
    else this.#addBlock(this.#tables.close(name) ?? "");
  }

  addText(text: string): void {
    if (this.#skipDepth === 0) this.#line.push(text.replace(/\s+/g, " "));
  }

  #openTableElement(name: string, attributes: Attributes): void {
    const isSheet = name === "table" && this.#isSpreadsheet && !this.#tables.isOpen();
    const sheetName = isSheet ? getAttribute(attributes, "name") : null;
    if (sheetName !== null) this.#addBlock(`## ${sheetName}`);
    this.#tables.open(name, attributes);
  }

  #addBlock(text: string, isItem = false): void {
    if (text === "") return;
    this.#length += text.length + 2;
    const previous = this.#blocks.at(-1);
    const quoted = this.#speakerNotesDepth > 0 ? text.replace(/^/gm, "> ") : text;
    // The items of a list form one block.
    if (isItem && previous?.isItem === true) previous.text += `\n${quoted}`;
    else this.#blocks.push({ text: quoted, isItem });
  }

  /** Ends a paragraph or a heading; `marker` is the Markdown mark of a heading, or empty. */
  #endLine(marker: string): void {
    const text = this.#line
      .join("")
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .trim();
    this.#line = [];
    if (text === "") return;
    if (this.#tables.isOpen()) return this.#tables.addLine(text);
    if (this.#listDepth === 0 || marker !== "") return this.#addBlock(marker + text.replaceAll("\n", marker === "" ? "\n" : " "));
    const bullet = this.#isItemStart ? "- " : "  ";
    this.#isItemStart = false;
    this.#addBlock("  ".repeat(Math.min(MAX_LIST_DEPTH, this.#listDepth - 1)) + bullet + text.replaceAll("\n", " "), true);
  }
}
