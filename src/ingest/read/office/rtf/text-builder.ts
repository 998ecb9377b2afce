import { toMarkdownTable } from "../markdown/markdown-table.ts";

const PARAGRAPH_ENDS = new Set(["par", "sect", "page", "column"]);

/** Collects the text of an RTF file paragraph by paragraph, as light Markdown. */
export class TextBuilder {
  readonly #blocks: string[] = [];
  readonly #paragraph = { parts: [] as string[], outlineLevel: null as number | null, isItem: false, isInTable: false };
  readonly #table = { rows: [] as string[][], cells: [] as string[] };
  #length = 0;
  #wasItem = false;

  /** The number of UTF-16 code units so far. */
  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    this.#paragraph.parts.push(text);
  }

  /** Applies a control word that affects paragraphs, lists or tables; ignores others. */
  handleControl(word: string, parameter: number | null): void {
    const paragraph = this.#paragraph;
    if (PARAGRAPH_ENDS.has(word)) this.#endParagraph();
    else if (word === "pard") {
      paragraph.outlineLevel = null;
      paragraph.isInTable = false;
    } else if (word === "outlinelevel") paragraph.outlineLevel = parameter ?? 0;
    else if (word === "listtext") paragraph.isItem = true;
    else if (word === "intbl") paragraph.isInTable = true;
    else if (word === "cell") {
      const text = this.#takeParagraph();
      this.#length += text.length;
      this.#table.cells.push(text);
    } else if (word === "row") {
      this.#endRow();
      paragraph.isInTable = false;
    }
  }

  finish(): string {
    this.#paragraph.isInTable = false;
    this.#endParagraph();
    if (this.#table.rows.length > 0 || this.#table.cells.length > 0) this.#endTable();
    return this.#blocks.join("\n\n");
  }

  #takeParagraph(): string {
    const text = this.#paragraph.parts
      .join("")
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .trim();
    this.#paragraph.parts = [];
    return text;
  }

  #addBlock(text: string): void {
    this.#length += text.length + 2;
    this.#blocks.push(text);
  }

  #endRow(): void {
    this.#table.rows.push(this.#table.cells);
    this.#table.cells = [];
  }

  #endTable(): void {
    if (this.#table.cells.length > 0) this.#endRow();
    const markdown = toMarkdownTable(this.#table.rows);
    this.#table.rows = [];
    if (markdown !== "") this.#addBlock(markdown);
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    // A cell may contain several paragraphs.
    if (paragraph.isInTable) return void paragraph.parts.push(" ");
    const text = this.#takeParagraph();
    const isItem = paragraph.isItem;
    paragraph.isItem = false;
    if (text === "") return;
    if (this.#table.rows.length > 0) this.#endTable();
    const level = paragraph.outlineLevel;
    const block = level !== null && level < 6 ? `${"#".repeat(level + 1)} ${text.replaceAll("\n", " ")}` : text;
    if (!isItem) this.#addBlock(block);
    else if (this.#wasItem) this.#blocks[this.#blocks.length - 1] += `\n- ${text}`;
    else this.#addBlock(`- ${text}`);
    if (isItem) this.#length += text.length;
    this.#wasItem = isItem;
  }
}
