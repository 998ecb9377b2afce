import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A document of a dataset, which becomes one text tile. */
export type SetDocument = { readonly id: string; readonly title: string; readonly text: string };

export type SetQuestion = {
  readonly id: string;
  readonly text: string;
  /** Grades of the relevant documents, by their ids. */
  readonly grades: Readonly<Record<string, number>>;
  /** Documents that count neither as right nor as wrong. */
  readonly ignored: ReadonlySet<string>;
  readonly answers: readonly string[];
  /** The document from which the question was made, even if it does not answer it. */
  readonly source: string | null;
  readonly isImpossible: boolean;
};

/** The documents of one board, and its questions. */
export type SetBoard = { readonly name: string; readonly documents: readonly SetDocument[]; readonly questions: readonly SetQuestion[] };

export const SET_NAMES = ["scifact", "cranfield", "cisi", "squad", "qmsum", "xquad"] as const;
export type SetName = (typeof SET_NAMES)[number];

type DocumentLine = { readonly id: string; readonly title?: string; readonly text: string };
type QuestionLine = {
  readonly id: string;
  readonly text: string;
  readonly qrels: Readonly<Record<string, number>>;
  readonly ignore?: readonly string[];
  readonly answers?: readonly string[];
  readonly is_impossible?: boolean;
  readonly source_doc?: string;
};

/** The board of a document or question, by its id: a meeting, a language, or the only board of the dataset. */
const BOARD_KEYS: Readonly<Record<SetName, (id: string) => string>> = {
  scifact: () => "scifact",
  cranfield: () => "cranfield",
  cisi: () => "cisi",
  squad: () => "squad",
  qmsum: (id) => id.slice(0, id.lastIndexOf("-")),
  xquad: (id) => id.split(/[:-]/, 1)[0] ?? "",
};

/** Reads the boards of a dataset that have questions, from compressed JSON lines; null if it is absent. */
export function readSet(data: string, name: SetName): readonly SetBoard[] | null {
  const folder = join(data, name);
  if (!existsSync(join(folder, "corpus.jsonl.gz")) || !existsSync(join(folder, "queries.jsonl.gz"))) return null;
  const boards = new Map<string, { name: string; documents: SetDocument[]; questions: SetQuestion[] }>();
  const getBoard = (id: string) => {
    const key = BOARD_KEYS[name](id);
    const board = boards.get(key) ?? { name: key, documents: [], questions: [] };
    boards.set(key, board);
    return board;
  };
  for (const { id, title, text } of readLines<DocumentLine>(join(folder, "corpus.jsonl.gz"))) {
    getBoard(id).documents.push({ id, title: title ?? "", text });
  }
  for (const line of readLines<QuestionLine>(join(folder, "queries.jsonl.gz"))) {
    getBoard(line.id).questions.push({
      id: line.id,
      text: line.text,
      grades: line.qrels,
      ignored: new Set(line.ignore),
      answers: line.answers ?? [],
      source: line.source_doc ?? null,
      isImpossible: line.is_impossible ?? false,
    });
  }
  return [...boards.values()].filter(({ questions }) => questions.length > 0);
}

/** Selects at most `max` items, evenly spread; all of them if it is null. */
export function selectEvenly<T>(items: readonly T[], max: number | null): readonly T[] {
  if (max === null || max >= items.length) return items;
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as T);
}

function readLines<T>(file: string): T[] {
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
