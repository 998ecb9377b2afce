import { askBoard } from "#service/answer/ask.ts";
import type { Deps } from "#service/deps.ts";
import { formatCount, formatDecimal, computeMedian, computeMean } from "../../output/numbers.ts";
import type { Figure, Report, Section } from "../../output/report.ts";
import type { Options } from "../options.ts";
import { balancedAccuracy, containsAnswer, computeShare, type AnswerDecision } from "./scores.ts";
import { type SetQuestion, readSet, selectEvenly } from "./sets.ts";
import { type SearchMode, iterateModes } from "./modes.ts";
import { checkTableQuote, computeShareWhole, type TableQuote } from "./table-quotes.ts";
import { type FilledBoard, openQualityService } from "./quality-service.ts";

const SET = "squad";
const MIN_FIRST = 0.8;
const MIN_ANY = 0.92;
const MAX_LENGTH = 500;
const MIN_ABSENT = 0.85;
const MIN_ADVERSARIAL = 0.6;
const MIN_WHOLE = 0.98;

/** How a question was answered whose answer is on the board. */
export type AnswerOutcome = {
  readonly isAnswered: boolean;
  readonly inFirst: boolean;
  readonly inAny: boolean;
  /** It was answered, and the answer itself contains the right one. */
  readonly isRight: boolean;
  /** Length of the answer, in UTF-16 code units. */
  readonly length: number;
  /** Whether the first quote is from a table, and if so whether the quotes have its head and a row. */
  readonly table: TableQuote;
  /** Whether a quote has the right row. */
  readonly isRowQuoted: boolean;
};

/**
 * Asks a board like a client of the service, and looks for the right answer in the citations. `row` is the line of a table that has
 * the answer.
 */
export async function askQuestion(
  deps: Deps,
  board: FilledBoard,
  question: string,
  answers: readonly string[],
  row = "",
): Promise<AnswerOutcome> {
  const { answer, answered, citations } = await askBoard(deps, board.scope, question, false);
  return {
    table: await checkTableQuote(deps, board, citations),
    isRowQuoted: row !== "" && citations.some(({ quote }) => quote.includes(row)),
    isAnswered: answered,
    inFirst: containsAnswer(answers, citations[0]?.quote ?? ""),
    inAny: citations.some(({ quote }) => containsAnswer(answers, quote)),
    isRight: answered && containsAnswer(answers, answer),
    length: answer.length,
  };
}

type Measured = {
  readonly outcomes: readonly AnswerOutcome[];
  /** Each question on the half of the board that has its paragraph, and on the other half. */
  readonly absent: readonly AnswerDecision[];
  /** Questions with an answer, and misleading ones, on the whole board. */
  readonly adversarial: readonly AnswerDecision[];
};

/** Measures extractive answers, and whether questions without an answer are declined; null if the dataset is absent. */
export async function runAnswers({ data, hasVectors, sample }: Options): Promise<Report | null> {
  const board = readSet(data, SET)?.[0];
  if (board === undefined) return null;
  const answerable = selectEvenly(
    board.questions.filter(({ isImpossible }) => !isImpossible),
    sample,
  );
  const impossible = selectEvenly(
    board.questions.filter(({ isImpossible }) => isImpossible),
    sample,
  );
  const service = await openQualityService(hasVectors);
  try {
    const halfByDocument = new Map(board.documents.map(({ id }, at) => [id, at % 2]));
    const listHalf = (which: number) => board.documents.filter((_, at) => at % 2 === which);
    const whole = await service.fill("whole", board.documents);
    const halves = [await service.fill("even", listHalf(0)), await service.fill("odd", listHalf(1))] as const;
    await service.index();
    const measured = new Map<SearchMode, Measured>();
    const questions = [...answerable, ...impossible].map(({ text }) => text);
    for await (const { mode, deps } of iterateModes(service, () => service.embed("answers", questions))) {
      const ask = (on: FilledBoard, { text, answers }: SetQuestion): Promise<AnswerOutcome> => askQuestion(deps, on, text, answers);
      const outcomes: AnswerOutcome[] = [];
      const absent: AnswerDecision[] = [];
      for (const question of answerable) {
        outcomes.push(await ask(whole, question));
        for (const [which, on] of halves.entries()) {
          const isAnswerable = halfByDocument.get(question.source ?? "") === which;
          absent.push({ isAnswerable, isAnswered: (await ask(on, question)).isAnswered });
        }
      }
      const adversarial = outcomes.map(({ isAnswered }): AnswerDecision => ({ isAnswerable: true, isAnswered }));
      for (const question of impossible) adversarial.push({ isAnswerable: false, isAnswered: (await ask(whole, question)).isAnswered });
      measured.set(mode, { outcomes, absent, adversarial });
    }
    return buildReport(measured);
  } finally {
    await service.close();
  }
}

function buildReport(measured: ReadonlyMap<SearchMode, Measured>): Report {
  const figures = [...measured].flatMap(([mode, { outcomes, absent, adversarial }]): Figure[] => [
    {
      name: `answers, ${mode}: in the first quote`,
      value: computeShare(outcomes, ({ inFirst }) => inFirst),
      unit: "share",
      min: MIN_FIRST,
      detail: `${formatCount(outcomes.length)} questions, of which ${formatDecimal(
        computeShare(outcomes, ({ isAnswered }) => isAnswered),
        3,
      )} were answered`,
    },
    {
      name: `answers, ${mode}: in any citation`,
      value: computeShare(outcomes, ({ inAny }) => inAny),
      unit: "share",
      min: MIN_ANY,
      detail: `answered, and right in the answer itself ${formatDecimal(
        computeShare(outcomes, ({ isRight }) => isRight),
        3,
      )}`,
    },
    {
      name: `answers, ${mode}: balanced accuracy, paragraph absent`,
      value: balancedAccuracy(absent),
      unit: "share",
      min: MIN_ABSENT,
      detail: describeShares(absent),
    },
    {
      name: `answers, ${mode}: balanced accuracy, adversarial`,
      value: balancedAccuracy(adversarial),
      unit: "share",
      min: MIN_ADVERSARIAL,
      detail: describeShares(adversarial),
    },
    buildTableFigure(`answers, ${mode}`, outcomes),
  ]);
  const lengths: Section = {
    title: "Length of answers",
    note: `UTF-16 code units, over the questions that were answered. Target of the median: ≤ ${MAX_LENGTH}.`,
    columns: ["", "answered", "median", "mean", "longest"],
    rows: [...measured].map(([mode, { outcomes }]) => [mode, ...describeLengths(outcomes)]),
  };
  return { figures, sections: [lengths] };
}

/** The share of answers from tables that quote head and row. */
export function buildTableFigure(name: string, outcomes: readonly AnswerOutcome[]): Figure {
  const fromTables = outcomes.filter(({ isAnswered, table }) => isAnswered && table !== "none");
  return {
    name: `${name}: answers from tables whose quote has head and row`,
    value: fromTables.length === 0 ? 1 : computeShareWhole(fromTables),
    unit: "share",
    min: MIN_WHOLE,
    detail: `${fromTables.length} answers from tables`,
  };
}

/** Describes the two shares of a balanced accuracy. */
export const describeShares = (decisions: readonly AnswerDecision[]): string => {
  const formatAnswered = (isAnswerable: boolean): string =>
    formatDecimal(
      computeShare(
        decisions.filter((decision) => decision.isAnswerable === isAnswerable),
        ({ isAnswered }) => isAnswered,
      ),
      3,
    );
  return `answered ${formatAnswered(true)} of the answerable questions, ${formatAnswered(false)} of the others`;
};

/** Number of answered questions; median, mean and maximum length of the answers. */
export function describeLengths(outcomes: readonly AnswerOutcome[]): string[] {
  const lengths = outcomes.filter(({ isAnswered }) => isAnswered).map(({ length }) => length);
  if (lengths.length === 0) return ["0", "–", "–", "–"];
  return [
    formatCount(lengths.length),
    formatDecimal(computeMedian(lengths), 0),
    formatDecimal(computeMean(lengths), 0),
    formatCount(Math.max(...lengths)),
  ];
}
