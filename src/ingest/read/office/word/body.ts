import { MAX_TEXT_LENGTH } from "../../truncate.ts";
import { attributeOf, countOf, type Attributes, readXml } from "../../markup/xml.ts";
import { openTables } from "../tables.ts";
import { headingOfOutline, type ListPlace, type Marks, type Styles } from "./styles.ts";

export type BodySource = { readonly styles: Styles; readonly marks: Marks; readonly notes: ReadonlyMap<string, string> };
export type Body = { readonly blocks: readonly string[]; readonly isCut: boolean };

type Paragraph = { readonly parts: string[]; heading: number | null; list: string | null; depth: number | null; styled: ListPlace | null };
type Block = { text: string; readonly isItem: boolean };

/** What stands twice (a picture of what older programs can't draw), or stands elsewhere now. */
const SKIPPED = new Set(["Fallback", "moveFrom", "pict"]);
const MAX_DEPTH = 8;
const MAX_SPAN_LENGTH = 64;
/** The tables' elements by the names that OpenDocument has for them. */
const TABLES: Readonly<Record<string, string>> = { tbl: "table", tr: "table-row", tc: "table-cell" };

const isOn = (attributes: Attributes): boolean => !/^(?:0|false|off)$/.test(attributeOf(attributes, "val") ?? "");
const tidy = (parts: readonly string[]): string =>
  parts
    .join("")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();

/** The words of a part of WordprocessingML (ECMA-376, part 1, 17), paragraph by paragraph, as light Markdown. */
export function readBody(bytes: Uint8Array, source: BodySource): Body {
  const blocks: Block[] = [];
  const tables = openTables();
  const paragraphs: Paragraph[] = [];
  const here = { skipped: 0, runs: 0, inText: false, isHidden: false, span: 1 };
  const state = { characters: 0, isCut: false };

  const put = (text: string, isItem: boolean): void => {
    if (text === "") return;
    state.characters += text.length + 2;
    const before = blocks.at(-1);
    // The items of a list stand together.
    if (isItem && before?.isItem === true) before.text += `\n${text}`;
    else blocks.push({ text, isItem });
  };
  const endParagraph = (): void => {
    const paragraph = paragraphs.pop();
    const text = tidy(paragraph?.parts ?? []);
    if (paragraph === undefined || text === "") return;
    if (tables.isOpen()) return tables.addLine(text);
    if (paragraph.heading !== null) return put(`${"#".repeat(paragraph.heading)} ${text.replaceAll("\n", " ")}`, false);
    const list = paragraph.list ?? paragraph.styled?.list ?? "0";
    if (list === "0") return put(text, false);
    const depth = Math.min(MAX_DEPTH, paragraph.depth ?? paragraph.styled?.depth ?? 0);
    put("  ".repeat(depth) + source.marks({ list, depth }) + text.replaceAll("\n", " "), true);
  };
  const shape = (paragraph: Paragraph, name: string, attributes: Attributes): void => {
    const value = attributeOf(attributes, "val");
    if (name === "pStyle") {
      const style = source.styles(value ?? "");
      paragraph.heading ??= style.heading;
      paragraph.styled = style.item;
    } else if (name === "outlineLvl") paragraph.heading = headingOfOutline(value);
    else if (name === "numId") paragraph.list = value;
    else if (name === "ilvl") paragraph.depth = countOf(attributes, "val", 0, MAX_DEPTH);
  };
  const say = (paragraph: Paragraph, name: string, attributes: Attributes): void => {
    if (name === "vanish") here.isHidden = isOn(attributes);
    else if (here.isHidden) return;
    else if (name === "tab" || name === "ptab") paragraph.parts.push(" ");
    else if (name === "br" || name === "cr") paragraph.parts.push("\n");
    else if (name === "noBreakHyphen") paragraph.parts.push("-");
    else if (name === "footnoteReference" || name === "endnoteReference") {
      const note = source.notes.get(`${name.slice(0, name.indexOf("R"))} ${attributeOf(attributes, "id") ?? ""}`);
      if (note !== undefined) paragraph.parts.push(` (${note})`);
    }
  };
  const open = (name: string, attributes: Attributes): void => {
    if (SKIPPED.has(name)) here.skipped++;
    if (here.skipped > 0) return;
    const paragraph = paragraphs.at(-1);
    here.inText = name === "t";
    if (name === "p") paragraphs.push({ parts: [], heading: null, list: null, depth: null, styled: null });
    else if (name === "r") {
      here.runs++;
      here.isHidden = false;
    } else if (name === "gridSpan") here.span = countOf(attributes, "val", 1, MAX_SPAN_LENGTH);
    else if (TABLES[name] !== undefined && Object.hasOwn(TABLES, name)) tables.open(TABLES[name], {});
    else if (paragraph !== undefined) (here.runs > 0 ? say : shape)(paragraph, name, attributes);
  };
  const close = (name: string): void => {
    if (SKIPPED.has(name)) return void here.skipped--;
    if (here.skipped > 0) return;
    here.inText = false;
    if (name === "p") endParagraph();
    else if (name === "r") here.runs--;
    else if (name === "tc") {
      tables.close("table-cell");
      for (; here.span > 1; here.span--) {
        tables.open("table-cell", {});
        tables.close("table-cell");
      }
    } else if (Object.hasOwn(TABLES, name)) put(tables.close(TABLES[name] ?? "") ?? "", false);
  };
  readXml(bytes, {
    open,
    close,
    text: (text) => void (here.inText && here.skipped === 0 && !here.isHidden && paragraphs.at(-1)?.parts.push(text)),
    isFull: () => (state.isCut ||= state.characters > MAX_TEXT_LENGTH || tables.isFull()),
  });
  for (let most = 64; tables.isOpen() && most > 0; most--) put(tables.close("table") ?? "", false);
  return { blocks: blocks.map(({ text }) => text), isCut: state.isCut };
}
