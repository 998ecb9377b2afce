import { MAX_TEXT_LENGTH } from "../../truncate.ts";
import { getAttribute, getCount, type Attributes, readXml, type Pieces } from "../../markup/xml.ts";
import { createTableStack } from "../markdown/table-stack.ts";
import { getHeadingLevelOfOutline, type ListLevel, type ListMarkers, type Styles } from "./styles.ts";

/** The parts of a document that its body refers to. Notes have keys such as `footnote 3`. */
export type BodySource = { readonly styles: Styles; readonly markers: ListMarkers; readonly notes: ReadonlyMap<string, string> };
export type DocumentBody = { readonly blocks: readonly string[]; readonly isTruncated: boolean };

type Paragraph = {
  readonly parts: string[];
  heading: number | null;
  /** The paragraph's own list and depth, and those of its style. */
  list: string | null;
  depth: number | null;
  styleList: ListLevel | null;
};
type Block = { text: string; readonly isItem: boolean };

/** Elements whose text is a duplicate (fallbacks for older programs), or was moved elsewhere. */
const SKIPPED = new Set(["Fallback", "moveFrom", "pict"]);
const MAX_DEPTH = 8;
const MAX_COLUMN_SPAN = 64;
/** Tables that may still be open when reading stops at the limit. */
const MAX_OPEN_TABLES = 64;
/** Table elements, mapped to the OpenDocument names that the table stack uses. */
const TABLE_ELEMENTS: Readonly<Record<string, string>> = { tbl: "table", tr: "table-row", tc: "table-cell" };
/** The id of "no list", which overrides the list of a style. */
const NO_LIST = "0";

/** Reads the text of a WordprocessingML part (ECMA-376, part 1, 17) paragraph by paragraph, as light Markdown. */
export function readDocumentBody(part: Pieces, source: BodySource): DocumentBody {
  const reader = new BodyReader(source);
  readXml(part, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.addText(text),
    isFull: () => reader.isFull(),
  });
  return reader.finish();
}

class BodyReader {
  readonly #source: BodySource;
  readonly #blocks: Block[] = [];
  readonly #tables = createTableStack();
  /** Open paragraphs; text boxes nest them. */
  readonly #paragraphs: Paragraph[] = [];
  #skipDepth = 0;
  #runDepth = 0;
  #isInText = false;
  #isHidden = false;
  #columnSpan = 1;
  #length = 0;
  #isTruncated = false;

  constructor(source: BodySource) {
    this.#source = source;
  }

  isFull(): boolean {
    this.#isTruncated ||= this.#length > MAX_TEXT_LENGTH || this.#tables.isFull();
    return this.#isTruncated;
  }

  finish(): DocumentBody {
    // Keep the rows read so far of tables that the limit cut off.
    for (let left = MAX_OPEN_TABLES; this.#tables.isOpen() && left > 0; left--) this.#addBlock(this.#tables.close("table") ?? "", false);
    return { blocks: this.#blocks.map(({ text }) => text), isTruncated: this.#isTruncated };
  }

  open(name: string, attributes: Attributes): void {
    if (SKIPPED.has(name)) this.#skipDepth++;
    if (this.#skipDepth > 0) return;
    const paragraph = this.#paragraphs.at(-1);
    this.#isInText = name === "t";
    if (name === "p") this.#paragraphs.push({ parts: [], heading: null, list: null, depth: null, styleList: null });
    else if (name === "r") {
      this.#runDepth++;
      this.#isHidden = false;
    } else if (name === "gridSpan") this.#columnSpan = getCount(attributes, "val", 1, MAX_COLUMN_SPAN);
    else if (TABLE_ELEMENTS[name] !== undefined && Object.hasOwn(TABLE_ELEMENTS, name)) this.#tables.open(TABLE_ELEMENTS[name], {});
    else if (paragraph === undefined) return;
    else if (this.#runDepth > 0) this.#handleRunElement(paragraph, name, attributes);
    else this.#handleParagraphProperty(paragraph, name, attributes);
  }

  close(name: string): void {
    if (SKIPPED.has(name)) return void this.#skipDepth--;
    if (this.#skipDepth > 0) return;
    this.#isInText = false;
    if (name === "p") this.#endParagraph();
    else if (name === "r") this.#runDepth--;
    else if (name === "tc") this.#endCell();
    else if (Object.hasOwn(TABLE_ELEMENTS, name)) this.#addBlock(this.#tables.close(TABLE_ELEMENTS[name] ?? "") ?? "", false);
  }

  addText(text: string): void {
    if (this.#isInText && this.#skipDepth === 0 && !this.#isHidden) this.#paragraphs.at(-1)?.parts.push(text);
  }

  #addBlock(text: string, isItem: boolean): void {
    if (text === "") return;
    this.#length += text.length + 2;
    const previous = this.#blocks.at(-1);
    // The items of a list form one block.
    if (isItem && previous?.isItem === true) previous.text += `\n${text}`;
    else this.#blocks.push({ text, isItem });
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    const text = joinText(paragraph?.parts ?? []);
    if (paragraph === undefined || text === "") return;
    if (this.#tables.isOpen()) return this.#tables.addLine(text);
    if (paragraph.heading !== null) return this.#addBlock(`${"#".repeat(paragraph.heading)} ${text.replaceAll("\n", " ")}`, false);
    const list = paragraph.list ?? paragraph.styleList?.list ?? NO_LIST;
    if (list === NO_LIST) return this.#addBlock(text, false);
    const depth = Math.min(MAX_DEPTH, paragraph.depth ?? paragraph.styleList?.depth ?? 0);
    this.#addBlock("  ".repeat(depth) + this.#source.markers({ list, depth }) + text.replaceAll("\n", " "), true);
  }

  /** A cell that spans columns is followed by empty ones. */
  #endCell(): void {
    this.#tables.close("table-cell");
    for (; this.#columnSpan > 1; this.#columnSpan--) {
      this.#tables.open("table-cell", {});
      this.#tables.close("table-cell");
    }
  }

  #handleParagraphProperty(paragraph: Paragraph, name: string, attributes: Attributes): void {
    const value = getAttribute(attributes, "val");
    if (name === "pStyle") {
      const style = this.#source.styles(value ?? "");
      paragraph.heading ??= style.heading;
      paragraph.styleList = style.list;
    } else if (name === "outlineLvl") paragraph.heading = getHeadingLevelOfOutline(value);
    else if (name === "numId") paragraph.list = value;
    else if (name === "ilvl") paragraph.depth = getCount(attributes, "val", 0, MAX_DEPTH);
  }

  #handleRunElement(paragraph: Paragraph, name: string, attributes: Attributes): void {
    if (name === "vanish") this.#isHidden = isOn(attributes);
    else if (this.#isHidden) return;
    else if (name === "tab" || name === "ptab") paragraph.parts.push(" ");
    else if (name === "br" || name === "cr") paragraph.parts.push("\n");
    else if (name === "noBreakHyphen") paragraph.parts.push("-");
    else if (name === "footnoteReference" || name === "endnoteReference") {
      const kind = name.slice(0, name.indexOf("R"));
      const note = this.#source.notes.get(`${kind} ${getAttribute(attributes, "id") ?? ""}`);
      if (note !== undefined) paragraph.parts.push(` (${note})`);
    }
  }
}

const isOn = (attributes: Attributes): boolean => !/^(?:0|false|off)$/.test(getAttribute(attributes, "val") ?? "");

const joinText = (parts: readonly string[]): string =>
  parts
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
