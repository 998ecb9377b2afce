import { findPassageCandidates, type TileCandidate } from "#retrieval/candidates.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { rankCandidates } from "#retrieval/retrieve.ts";
import { WEIGHTS } from "#retrieval/weights.ts";
import { createRetrievalDeps } from "#service/answer/retrieval.ts";
import { computeMean } from "../output/numbers.ts";
import { ndcg } from "../quality/search/scores.ts";
import type { SetQuestion } from "../quality/search/sets.ts";
import { type FilledBoard, openQualityService, type QualityService } from "../quality/search/quality-service.ts";
import type { Half } from "./descent.ts";
import { type FitSet, selectQuestions } from "./questions.ts";

const DEPTH = 10;
/** SQuAD counts as much as the four others together, because most questions people ask are for a fact. */
const SET_WEIGHTS: Readonly<Record<string, number>> = { squad: 4 };

/** A measure of quality on one half of the questions, with the current values of `WEIGHTS`. */
export type Objective = { measure(half: Half): Promise<number>; close(): Promise<void> };

type AskedQuestion = {
  readonly set: string;
  readonly question: SetQuestion;
  readonly board: FilledBoard;
  readonly candidates: readonly TileCandidate[];
};

/**
 * Quality of the ranking: nDCG@10, the weighted mean over the sets. Boards are indexed anew only if a constant of the index changed,
 * and candidates are found anew only if a constant of the first ranking changed.
 */
export function createRankingObjective(sets: readonly FitSet[], sample: number, hasVectors: boolean): Objective {
  let boards: FilledBoards | null = null;
  const cache = new Map<Half, { readonly key: string; readonly asked: readonly AskedQuestion[] }>();

  async function collect(half: Half): Promise<readonly AskedQuestion[]> {
    const indexKey = JSON.stringify(WEIGHTS.index);
    const key = JSON.stringify([WEIGHTS.index, WEIGHTS.bm25, WEIGHTS.match]);
    const cached = cache.get(half);
    if (cached?.key === key) return cached.asked;
    cache.delete(half);
    if (boards?.indexKey !== indexKey) {
      await boards?.service.close();
      boards = await fillBoards(sets, hasVectors);
    }
    const { service, filled } = boards;
    const questions = sets.map((set) => selectQuestions(set, half, sample, ({ isImpossible }) => !isImpossible));
    if (hasVectors)
      await service.embed(
        `fit, ${half}`,
        questions.flat(2).map(({ text }) => text),
      );
    const deps = createRetrievalDeps(service.withVectors ?? service.wordsOnly);
    const asked: AskedQuestion[] = [];
    for (const [at, set] of sets.entries()) {
      for (const [number, board] of (filled[at] ?? []).entries()) {
        const scope = {
          search: deps.search,
          businessId: board.businessId,
          boardId: board.id,
          filter: undefined,
          budget: { bytes: Infinity },
        };
        for (const question of questions[at]?.[number] ?? []) {
          const { candidates } = await findPassageCandidates(deps, scope, question.text, parseQuestion(question.text), false);
          asked.push({ set: set.name, question, board, candidates });
        }
      }
    }
    cache.set(half, { key, asked });
    return asked;
  }

  return {
    async measure(half) {
      const asked = await collect(half);
      let [sum, total] = [0, 0];
      for (const { name } of sets) {
        const scores = asked.filter(({ set }) => set === name).map(scoreRanking);
        if (scores.length === 0) continue;
        const weight = SET_WEIGHTS[name] ?? 1;
        sum += weight * computeMean(scores);
        total += weight;
      }
      return total === 0 ? 0 : sum / total;
    },
    close: async () => boards?.service.close(),
  };
}

function scoreRanking({ question, board, candidates }: AskedQuestion): number {
  const { passages } = rankCandidates(candidates, { limit: DEPTH + question.ignored.size, perTile: 1 });
  const ids = passages.map(({ tileId }) => board.documentByTile.get(tileId) ?? "").filter((id) => !question.ignored.has(id));
  return ndcg(ids, question.grades, DEPTH);
}

type FilledBoards = { readonly service: QualityService; readonly filled: readonly (readonly FilledBoard[])[]; readonly indexKey: string };

async function fillBoards(sets: readonly FitSet[], hasVectors: boolean): Promise<FilledBoards> {
  const service = await openQualityService(hasVectors);
  const filled: FilledBoard[][] = [];
  for (const { boards } of sets) {
    const filledBoards: FilledBoard[] = [];
    for (const board of boards) filledBoards.push(await service.fill(board.name, board.documents));
    filled.push(filledBoards);
  }
  await service.index(IN_PROCESS);
  return { service, filled, indexKey: JSON.stringify(WEIGHTS.index) };
}

/** Analyses in this process, because threads do not have the values that are being tried. */
export const IN_PROCESS = {
  analyse: async (items: readonly { readonly title: string; readonly text: string }[]) => items.map(analyse),
};
