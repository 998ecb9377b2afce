import { answerExtractively } from "#retrieval/answer/extractive.ts";
import type { Retrieval } from "#retrieval/passage.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { WEIGHTS } from "#retrieval/weights.ts";
import { createRetrievalDeps } from "#service/answer/retrieval.ts";
import { balancedAccuracy, containsAnswer, computeShare, type AnswerDecision } from "../quality/search/scores.ts";
import type { SetQuestion } from "../quality/search/sets.ts";
import { type FilledBoard, openQualityService, type QualityService } from "../quality/search/quality-service.ts";
import type { Half } from "./descent.ts";
import { type FitSet, selectQuestions } from "./questions.ts";
import { IN_PROCESS, type Objective } from "./ranking.ts";

/** The number of passages and their minimum similarity, as in the service. */
const OPTIONS = { limit: 24, minSimilarity: 0.35 };

/** A question asked of one board. */
type AskedQuestion = {
  readonly question: SetQuestion;
  readonly board: "whole" | "half";
  /** Whether the board contains the answer. */
  readonly isAnswerable: boolean;
  readonly retrieval: Retrieval;
};

type Boards = { readonly service: QualityService; readonly whole: FilledBoard; readonly halves: readonly FilledBoard[] };

/**
 * Quality of extractive answers on SQuAD, the mean of three shares: balanced accuracy with the paragraph absent (each question asked
 * of two boards, one of which has its paragraph), balanced accuracy on misleading questions, and right answers in the first quote.
 */
export function createAnsweringObjective(squad: FitSet, sample: number, hasVectors: boolean): Objective {
  let boards: Boards | null = null;
  const cache = new Map<Half, { readonly key: string; readonly asked: readonly AskedQuestion[] }>();

  async function collect(half: Half): Promise<readonly AskedQuestion[]> {
    const { index: _index, sentence: _sentence, answer: _answer, confidence: _confidence, ...ranking } = WEIGHTS;
    const key = JSON.stringify(ranking);
    const cached = cache.get(half);
    if (cached?.key === key) return cached.asked;
    boards ??= await fillBoards(squad, hasVectors);
    const answerable = selectQuestions(squad, half, sample, ({ isImpossible }) => !isImpossible).flat();
    const misleading = selectQuestions(squad, half, sample, ({ isImpossible }) => isImpossible).flat();
    if (hasVectors)
      await boards.service.embed(
        `fit, ${half}`,
        [...answerable, ...misleading].map(({ text }) => text),
      );
    const asked: AskedQuestion[] = [];
    for (const question of answerable) {
      asked.push({ question, board: "whole", isAnswerable: true, retrieval: await ask(boards.service, boards.whole, question) });
      for (const board of boards.halves) {
        const isAnswerable = [...board.documentByTile.values()].includes(question.source ?? "");
        asked.push({ question, board: "half", isAnswerable, retrieval: await ask(boards.service, board, question) });
      }
    }
    for (const question of misleading)
      asked.push({ question, board: "whole", isAnswerable: false, retrieval: await ask(boards.service, boards.whole, question) });
    cache.set(half, { key, asked });
    return asked;
  }

  return {
    async measure(half) {
      const answered = (await collect(half)).map(({ question, board, isAnswerable, retrieval }) => {
        const answer = answerExtractively(question.text, retrieval, { connected: true });
        return {
          board,
          isAnswerable,
          isAnswered: answer.answered,
          isRight: containsAnswer(question.answers, answer.citations[0]?.quote ?? ""),
        };
      });
      const selectDecisions = (kind: AskedQuestion["board"]): AnswerDecision[] => answered.filter(({ board }) => board === kind);
      const answerable = answered.filter(({ board, isAnswerable }) => board === "whole" && isAnswerable);
      return (
        (balancedAccuracy(selectDecisions("half")) +
          balancedAccuracy(selectDecisions("whole")) +
          computeShare(answerable, ({ isRight }) => isRight)) /
        3
      );
    },
    close: async () => boards?.service.close(),
  };
}

async function ask(service: QualityService, { businessId, id }: FilledBoard, { text }: SetQuestion): Promise<Retrieval> {
  const found = await retrieve(createRetrievalDeps(service.withVectors ?? service.wordsOnly), businessId, id, text, OPTIONS);
  return { ...found, others: [] };
}

async function fillBoards({ boards }: FitSet, hasVectors: boolean): Promise<Boards> {
  const documents = boards.flatMap((board) => board.documents);
  const service = await openQualityService(hasVectors);
  const whole = await service.fill("whole", documents);
  const halves: FilledBoard[] = [];
  for (const which of [0, 1])
    halves.push(
      await service.fill(
        `half ${which}`,
        documents.filter((_, at) => at % 2 === which),
      ),
    );
  await service.index(IN_PROCESS);
  return { service, whole, halves };
}
