import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { cleanPage } from "#ingest/clean/page.ts";
import { formatDecimal } from "../../output/numbers.ts";
import type { Report } from "../../output/report.ts";
import { decodePage } from "../data.ts";
import type { Options } from "../options.ts";
import { type AnswerOutcome, askQuestion, buildTableFigure } from "../search/answers.ts";
import { iterateModes, type SearchMode } from "../search/modes.ts";
import { type FilledBoard, openQualityService } from "../search/quality-service.ts";
import { computeShare } from "../search/scores.ts";
import { computeShareWhole } from "../search/table-quotes.ts";
import { type SetDocument, selectEvenly } from "../search/sets.ts";
import { chooseBoard, listTableQuestions, type TableQuestion } from "./questions.ts";

/** Boards of pages with tables. The rules were made with the even ones in view; the odd ones are held out. */
const BOARDS = 8;

type TableBoard = { readonly number: number; readonly documents: SetDocument[]; readonly questions: TableQuestion[] };
type Asked = { readonly isHeldOut: boolean; readonly outcome: AnswerOutcome };

/** Measures questions about cells of tables in real pages (WCXB): whether quotes have head and row, and the right cell. */
export async function runTables({ data, hasVectors, sample }: Options): Promise<Report | null> {
  const boards = readBoards(data);
  if (boards === null) return null;
  const service = await openQualityService(hasVectors);
  const measured = new Map<SearchMode, Asked[]>();
  try {
    const filled: { readonly board: TableBoard; readonly on: FilledBoard; readonly questions: readonly TableQuestion[] }[] = [];
    for (const board of boards) {
      const on = await service.fill(`tables ${board.number}`, board.documents);
      filled.push({ board, on, questions: selectEvenly(board.questions, sample) });
    }
    await service.index();
    const texts = filled.flatMap(({ questions }) => questions.map(({ text }) => text));
    for await (const { mode, deps } of iterateModes(service, () => service.embed("tables", texts))) {
      const asked: Asked[] = [];
      for (const { board, on, questions } of filled) {
        for (const { text, cell, row } of questions)
          asked.push({ isHeldOut: board.number % 2 === 1, outcome: await askQuestion(deps, on, text, [cell], row) });
      }
      measured.set(mode, asked);
    }
  } finally {
    await service.close();
  }
  const select = (asked: readonly Asked[], isHeldOut: boolean) =>
    asked.filter((each) => each.isHeldOut === isHeldOut).map(({ outcome }) => outcome);
  return {
    figures: [...measured].map(([mode, asked]) => buildTableFigure(`tables on held-out boards, ${mode}`, select(asked, true))),
    sections: [
      {
        title: `Questions about cells of tables: ${boards.reduce((sum, { documents }) => sum + documents.length, 0)} pages on ${boards.length} boards`,
        note: "Asked by the names of row and column. Whole: of the answers whose first quote touches a table, those whose quotes have its head and a row.",
        columns: ["", "questions", "answered", "whole", "right row quoted", "right cell in the first quote", "in the answer"],
        rows: [...measured].flatMap(([mode, asked]) => [
          [`${mode}, held out`, ...describe(select(asked, true))],
          [`${mode}, seen`, ...describe(select(asked, false))],
        ]),
      },
    ],
  };
}

function describe(outcomes: readonly AnswerOutcome[]): string[] {
  const answered = outcomes.filter(({ isAnswered }) => isAnswered);
  const shares = [
    computeShare(outcomes, ({ isAnswered }) => isAnswered),
    computeShareWhole(answered.filter(({ table }) => table !== "none")),
    computeShare(answered, ({ isRowQuoted }) => isRowQuoted),
    computeShare(answered, ({ inFirst }) => inFirst),
    computeShare(answered, ({ isRight }) => isRight),
  ];
  return [String(outcomes.length), ...shares.map((share) => formatDecimal(share, 3))];
}

/** Reads the pages with tables, cleaned as the service cleans them; null if the data is absent. */
function readBoards(data: string): TableBoard[] | null {
  const folder = join(data, "wcxb");
  const index = join(folder, "pages.json.gz");
  if (!existsSync(index)) return null;
  const pages = JSON.parse(gunzipSync(readFileSync(index)).toString("utf8")) as Readonly<Record<string, { readonly url: string }>>;
  const boards = Array.from({ length: BOARDS }, (_, number): TableBoard => ({ number, documents: [], questions: [] }));
  for (const [id, { url }] of Object.entries(pages)) {
    const html = decodePage(join(folder, "html", `${id}.html.gz`));
    // Reading every page would take minutes, and few have tables.
    if (!/<t[hd][\s>]/i.test(html)) continue;
    const { text, title } = cleanPage({ html, url });
    const questions = listTableQuestions(text);
    if (questions.length === 0) continue;
    const board = boards[chooseBoard(url, BOARDS)] as TableBoard;
    board.documents.push({ id, title: title ?? "", text });
    board.questions.push(...questions);
  }
  return boards.filter(({ documents }) => documents.length > 0);
}
