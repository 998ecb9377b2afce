import { MAX_TEXT_LENGTH } from "../../truncate.ts";
import { attributeOf, type Attributes, countOf, readXml } from "../../markup/xml.ts";
import { openTables } from "../tables.ts";

/** What is no word of the document: comments, deleted words, forms, marks and declarations. */
const SKIPPED = new Set(
  "annotation tracked-changes forms scripts automatic-styles font-face-decls sequence-decls note-citation settings date-time-decl footer-decl".split(
    " ",
  ),
);

/** A list's line: its depth, or null for a block of another kind. */
type Block = { text: string; readonly isList: boolean };

export type Content = { readonly blocks: readonly string[]; readonly slides: number; readonly isCut: boolean };

/** The words of `content.xml`, block by block, as light Markdown. */
export function readContent(bytes: Uint8Array): Content {
  const blocks: Block[] = [];
  const tables = openTables();
  const here = { line: [] as string[], skipped: 0, lists: 0, isFirst: false, notes: 0, footnotes: 0, level: 1 };
  const state = { characters: 0, slides: 0, isSheets: false, isTitle: false, isCut: false };

  const put = (text: string, isList = false): void => {
    if (text === "") return;
    state.characters += text.length + 2;
    const before = blocks.at(-1);
    const quoted = here.notes > 0 ? text.replace(/^/gm, "> ") : text;
    // The lines of a list stand together.
    if (isList && before?.isList === true) before.text += `\n${quoted}`;
    else blocks.push({ text: quoted, isList });
  };
  const endLine = (mark: string): void => {
    const text = here.line
      .join("")
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .trim();
    here.line = [];
    if (text === "") return;
    if (tables.isOpen()) return tables.addLine(text);
    if (here.lists === 0 || mark !== "") return put(mark + text.replaceAll("\n", mark === "" ? "\n" : " "));
    const bullet = here.isFirst ? "- " : "  ";
    here.isFirst = false;
    put("  ".repeat(Math.min(8, here.lists - 1)) + bullet + text.replaceAll("\n", " "), true);
  };
  const open = (name: string, attributes: Attributes): void => {
    if (SKIPPED.has(name)) here.skipped++;
    if (here.skipped > 0) return;
    if (name === "s") here.line.push(" ".repeat(countOf(attributes, "c", 1, 100)));
    else if (name === "tab") here.line.push(" ");
    else if (name === "line-break") here.line.push("\n");
    else if (name === "list") here.lists++;
    else if (name === "list-item" || name === "list-header") here.isFirst = true;
    else if (name === "note" && here.footnotes++ === 0) here.line.push(" (");
    else if (name === "notes") here.notes++;
    else if (name === "spreadsheet") state.isSheets = true;
    else if (name === "page") state.slides++;
    else if (name === "frame") state.isTitle = attributeOf(attributes, "class") === "title";
    else if (name === "h") here.level = countOf(attributes, "outline-level", 1, 6) || 1;
    else {
      const sheet = name === "table" && state.isSheets && !tables.isOpen() ? attributeOf(attributes, "name") : null;
      if (sheet !== null) put(`## ${sheet}`);
      tables.open(name, attributes);
    }
  };
  const close = (name: string): void => {
    if (SKIPPED.has(name)) return void here.skipped--;
    if (here.skipped > 0) return;
    if (name === "note" && --here.footnotes === 0) here.line.push(")");
    else if (name === "h") endLine(`${"#".repeat(here.level)} `);
    else if (name === "p" && here.footnotes === 0) endLine(state.isTitle ? "## " : "");
    else if (name === "frame") state.isTitle = false;
    else if (name === "list") here.lists--;
    else if (name === "notes") here.notes--;
    else put(tables.close(name) ?? "");
  };
  readXml(bytes, {
    open,
    close,
    text: (text) => void (here.skipped === 0 && here.line.push(text.replace(/\s+/g, " "))),
    isFull: () => (state.isCut ||= state.characters > MAX_TEXT_LENGTH || tables.isFull()),
  });
  // A table that was cut short has its rows so far.
  for (let most = 64; tables.isOpen() && most > 0; most--) put(tables.close("table") ?? "");
  return { blocks: blocks.map(({ text }) => text), slides: state.slides, isCut: state.isCut };
}
