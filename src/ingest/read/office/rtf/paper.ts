import { writeTable } from "../table.ts";

/** Where the words of an RTF file are put down, paragraph by paragraph. */
export type Paper = {
  readonly write: (text: string) => void;
  /** A control word that shapes paragraphs. */
  readonly obey: (word: string, number: number | null) => void;
  readonly length: () => number;
  readonly finish: () => string;
};

const BREAKS = new Set(["par", "sect", "page", "column"]);

export function openPaper(): Paper {
  const blocks: string[] = [];
  const here = { line: [] as string[], level: null as number | null, isItem: false, inTable: false };
  const table = { rows: [] as string[][], cells: [] as string[] };
  const counts = { length: 0, wasItem: false };

  const takeLine = (): string => {
    const text = here.line
      .join("")
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .trim();
    here.line = [];
    return text;
  };
  const put = (text: string): void => {
    counts.length += text.length + 2;
    blocks.push(text);
  };
  const endTable = (): void => {
    if (table.cells.length > 0) table.rows.push(table.cells);
    const written = writeTable(table.rows);
    table.rows = [];
    table.cells = [];
    if (written !== "") put(written);
  };
  const endParagraph = (): void => {
    // A cell may hold several paragraphs.
    if (here.inTable) return void here.line.push(" ");
    const text = takeLine();
    const isItem = here.isItem;
    here.isItem = false;
    if (text === "") return;
    if (table.rows.length > 0) endTable();
    const marked = here.level !== null && here.level < 6 ? `${"#".repeat(here.level + 1)} ${text.replaceAll("\n", " ")}` : text;
    if (!isItem) put(marked);
    else if (counts.wasItem) blocks[blocks.length - 1] += `\n- ${text}`;
    else put(`- ${text}`);
    if (isItem) counts.length += text.length;
    counts.wasItem = isItem;
  };
  return {
    write: (text) => void here.line.push(text),
    length: () => counts.length,
    obey(word, number) {
      if (BREAKS.has(word)) endParagraph();
      else if (word === "pard") {
        here.level = null;
        here.inTable = false;
      } else if (word === "outlinelevel") here.level = number ?? 0;
      else if (word === "listtext") here.isItem = true;
      else if (word === "intbl") here.inTable = true;
      else if (word === "cell") {
        const text = takeLine();
        counts.length += text.length;
        table.cells.push(text);
      } else if (word === "row") {
        table.rows.push(table.cells);
        table.cells = [];
        here.inTable = false;
      }
    },
    finish() {
      here.inTable = false;
      endParagraph();
      if (table.rows.length > 0 || table.cells.length > 0) endTable();
      return blocks.join("\n\n");
    },
  };
}
