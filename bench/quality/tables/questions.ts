import { createHash } from "node:crypto";

/** A question about one cell of a table, made from the names of its row and column. */
export type TableQuestion = { readonly text: string; readonly cell: string; readonly row: string };

const MIN_ROWS = 3;
const MAX_ROWS = 60;
/** Questions made from one table. */
const MAX_QUESTIONS = 3;
const NAME = /^(?=.*\p{L}{3})[^\n]{3,60}$/u;

const hash = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE(0);

/** The number of the board on which a page is: pages of one site stay together, so that boards do not share templates. */
export const chooseBoard = (url: string, boards: number): number => hash(`tables:${new URL(url).host}`) % boards;

/** Makes questions from the Markdown tables of a text: about rows and columns whose names are unique in their table. */
export function listTableQuestions(text: string): TableQuestion[] {
  return findTables(text).flatMap(askAboutTable);
}

function askAboutTable(lines: readonly string[]): TableQuestion[] {
  const [head = [], , ...rows] = lines.map(splitCells);
  if (rows.length < MIN_ROWS || rows.length > MAX_ROWS) return [];
  const isUnique = (names: readonly string[], name: string): boolean => names.filter((each) => each === name).length === 1;
  const labels = rows.map(([label = ""]) => label);
  const questions = rows.flatMap(([label = "", ...cells], at) =>
    cells.flatMap((cell, column): TableQuestion[] => {
      const name = head[column + 1] ?? "";
      const isUsable = NAME.test(label) && NAME.test(name) && isUnique(labels, label) && isUnique(head, name);
      if (!isUsable || cell === "" || cell.length > 80 || label.includes(cell) || name.includes(cell)) return [];
      return [{ text: `What is the ${name} of ${label}?`, cell, row: lines[at + 2] ?? "" }];
    }),
  );
  return questions.sort((a, b) => hash(a.text) - hash(b.text)).slice(0, MAX_QUESTIONS);
}

/** The lines of each table with a header. */
function findTables(text: string): string[][] {
  const tables: string[][] = [];
  let open: string[] = [];
  for (const line of [...text.split("\n"), ""]) {
    if (line.startsWith("|")) open.push(line);
    else {
      if (/^[\s|:-]+$/.test(open[1] ?? "x")) tables.push(open);
      open = [];
    }
  }
  return tables;
}

const splitCells = (line: string): string[] =>
  line
    .slice(1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
