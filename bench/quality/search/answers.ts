import { askBoard } from "#service/answer/ask.ts";
import type { Deps } from "#service/deps.ts";
import { count, decimal, medianOf } from "../../output/numbers.ts";
import type { Figure, Report, Section } from "../../output/report.ts";
import type { Options } from "../options.ts";
import { balancedAccuracy, holdsAnswer, meanOf, shareOf, type Verdict } from "./scores.ts";
import { type SetQuestion, readSet, spreadOver } from "./sets.ts";
import { type SearchMode, iterateModes } from "./modes.ts";
import { type FilledBoard, openWorld } from "./world.ts";

const SET = "squad";
const MIN_FIRST = 0.8;
const MIN_ANY = 0.92;
const MAX_LENGTH = 500;
const MIN_ABSENT = 0.85;
const MIN_ADVERSARIAL = 0.6;

/** The answer to a question whose right answer is on the board. */
export type AnswerOutcome = {
  readonly isAnswered: boolean;
  readonly inFirst: boolean;
  readonly inAny: boolean;
  /** It was answered, and the answer itself contains the right one. */
  readonly isRight: boolean;
  /** Length of the answer, in UTF-16 code units. */
  readonly length: number;
};

/** Asks a board like a client of the service, and searches the right answers in the citations. */
export async function askQuestion(deps: Deps, board: FilledBoard, question: string, answers: readonly string[]): Promise<AnswerOutcome> {
  const { answer, answered, citations } = await askBoard(deps, board.scope, question, false);
  return {
    isAnswered: answered,
    inFirst: holdsAnswer(answers, citations[0]?.quote ?? ""),
    inAny: citations.some(({ quote }) => holdsAnswer(answers, quote)),
    isRight: answered && holdsAnswer(answers, answer),
    length: answer.length,
  };
}

type Measured = {
  readonly given: readonly AnswerOutcome[];
  /** Each question on the half of the board that has its paragraph, and on the other half. */
  readonly absent: readonly Verdict[];
  /** Questions with an answer, and misleading ones, on the whole board. */
  readonly adversarial: readonly Verdict[];
};

/** Measures extractive answers, and whether questions without an answer are declined; null if the dataset is absent. */
export async function runAnswers({ data, hasVectors, sample }: Options): Promise<Report | null> {
  const board = readSet(data, SET)?.[0];
  if (board === undefined) return null;
  const answerable = spreadOver(
    board.questions.filter(({ isImpossible }) => !isImpossible),
    sample,
  );
  const impossible = spreadOver(
    board.questions.filter(({ isImpossible }) => isImpossible),
    sample,
  );
  const world = await openWorld(hasVectors);
  try {
    const halfOf = new Map(board.documents.map(({ id }, at) => [id, at % 2]));
    const half = (which: number) => board.documents.filter((_, at) => at % 2 === which);
    const whole = await world.fill("whole", board.documents);
    const halves = [await world.fill("even", half(0)), await world.fill("odd", half(1))] as const;
    await world.index();
    const measured = new Map<SearchMode, Measured>();
    const questions = [...answerable, ...impossible].map(({ text }) => text);
    for await (const { mode, deps } of iterateModes(world, () => world.embed("answers", questions))) {
      const ask = (on: FilledBoard, { text, answers }: SetQuestion): Promise<AnswerOutcome> => askQuestion(deps, on, text, answers);
      const given: AnswerOutcome[] = [];
      const absent: Verdict[] = [];
      for (const question of answerable) {
        given.push(await ask(whole, question));
        for (const [which, on] of halves.entries()) {
          const isHeld = halfOf.get(question.source ?? "") === which;
          absent.push({ isHeld, isAnswered: (await ask(on, question)).isAnswered });
        }
      }
      const adversarial = given.map(({ isAnswered }): Verdict => ({ isHeld: true, isAnswered }));
      for (const question of impossible) adversarial.push({ isHeld: false, isAnswered: (await ask(whole, question)).isAnswered });
      measured.set(mode, { given, absent, adversarial });
    }
    return reportOf(measured);
  } finally {
    await world.close();
  }
}

function reportOf(measured: ReadonlyMap<SearchMode, Measured>): Report {
  const figures = [...measured].flatMap(([mode, { given, absent, adversarial }]): Figure[] => [
    {
      name: `answers, ${mode}: in the first quote`,
      value: shareOf(given, ({ inFirst }) => inFirst),
      unit: "share",
      min: MIN_FIRST,
      detail: `${count(given.length)} questions, of which ${decimal(
        shareOf(given, ({ isAnswered }) => isAnswered),
        3,
      )} were answered`,
    },
    {
      name: `answers, ${mode}: in any citation`,
      value: shareOf(given, ({ inAny }) => inAny),
      unit: "share",
      min: MIN_ANY,
      detail: `answered, and right in the answer itself ${decimal(
        shareOf(given, ({ isRight }) => isRight),
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
  ]);
  const lengths: Section = {
    title: "Length of answers",
    note: `UTF-16 code units, over the questions that were answered. Target of the median: ≤ ${MAX_LENGTH}.`,
    columns: ["", "answered", "median", "mean", "longest"],
    rows: [...measured].map(([mode, { given }]) => [mode, ...describeLengths(given)]),
  };
  return { figures, sections: [lengths] };
}

/** Describes the two shares of a balanced accuracy. */
export const describeShares = (verdicts: readonly Verdict[]): string => {
  const answered = (isHeld: boolean): string =>
    decimal(
      shareOf(
        verdicts.filter((verdict) => verdict.isHeld === isHeld),
        ({ isAnswered }) => isAnswered,
      ),
      3,
    );
  return `answered ${answered(true)} of what is held, ${answered(false)} of what is not`;
};

/** Number of answered questions; median, mean and maximum length of the answers. */
export function describeLengths(given: readonly AnswerOutcome[]): string[] {
  const lengths = given.filter(({ isAnswered }) => isAnswered).map(({ length }) => length);
  if (lengths.length === 0) return ["0", "–", "–", "–"];
  return [count(lengths.length), decimal(medianOf(lengths), 0), decimal(meanOf(lengths), 0), count(Math.max(...lengths))];
}
