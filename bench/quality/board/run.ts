import { retrieve } from "#retrieval/retrieve.ts";
import { createRetrievalDeps } from "#service/answer/retrieval.ts";
import type { Deps } from "#service/deps.ts";
import { formatDecimal, computeQuantile, computeMean } from "../../output/numbers.ts";
import type { Figure, Report } from "../../output/report.ts";
import { bootstrapDifference } from "../bootstrap.ts";
import type { Options } from "../options.ts";
import { type AnswerOutcome, askQuestion, buildTableFigure, describeLengths, describeShares } from "../search/answers.ts";
import { createBaseline } from "../search/baseline.ts";
import { type AnswerDecision, balancedAccuracy, ndcg, computeShare } from "../search/scores.ts";
import { selectEvenly } from "../search/sets.ts";
import { iterateModes, type SearchMode } from "../search/modes.ts";
import { type FilledBoard, openQualityService } from "../search/quality-service.ts";
import { composeTiles } from "./compose.ts";
import { UNANSWERABLE, ANSWERABLE } from "./questions.ts";

const LIMIT = 10;
const BASELINE = "BM25";
/** Grades of the right tile, and of one that is about the same but out of date. */
const RIGHT = 2;
const OUTDATED = 1;

type Rank = { readonly ndcg: number; readonly first: number };

/** What was measured in one search mode. */
type Measured = {
  readonly mode: SearchMode;
  readonly ranks: readonly Rank[];
  readonly outcomes: readonly AnswerOutcome[];
  readonly decisions: readonly AnswerDecision[];
  /** Milliseconds of each answer, sorted. */
  readonly times: readonly number[];
};

/** A mixed board with 200 tiles, 100 questions that it answers and 50 that it does not. Its data is part of the benchmark. */
export async function runBoard({ hasVectors, sample }: Options): Promise<Report> {
  const documents = composeTiles();
  const answerable = selectEvenly(ANSWERABLE, sample);
  const unanswerable = selectEvenly(UNANSWERABLE, sample === null ? null : Math.ceil(sample / 2));
  const baseline = createBaseline(documents);
  const baselineRanks = answerable.map(([text, tiles]) => scoreRanking(tiles, baseline.search(text, LIMIT)));
  const measured: Measured[] = [];
  const service = await openQualityService(hasVectors);
  try {
    const board = await service.fill("Mixed board", documents);
    await service.index();
    const questions = [...answerable.map(([text]) => text), ...unanswerable];
    for await (const { mode, deps } of iterateModes(service, () => service.embed("board", questions)))
      measured.push(await measure(mode, deps, board, answerable, unanswerable));
  } finally {
    await service.close();
  }
  const table = {
    title: `A board of ${documents.length} mixed tiles: ${answerable.length} questions it answers, ${unanswerable.length} it does not`,
    note: "Notes, transcripts, pages, recipes, shops, posts, feeds, in five languages. Answered right: the answer itself contains the right one. Milliseconds of a whole answer, without the question's own vector.",
    columns: [
      "",
      "R@1",
      "nDCG@10",
      `R@1 against ${BASELINE} (95 %)`,
      "in first quote",
      "in any citation",
      "answered right",
      "balanced accuracy",
      "median length",
      "ms p50 / p95",
    ],
    rows: [
      [BASELINE, ...formatRanks(baselineRanks), "", "", "", "", "", "", ""],
      ...measured.map((result) => buildRow(result, baselineRanks)),
    ],
  };
  return { figures: measured.flatMap(buildFigures), sections: [table] };
}

async function measure(
  mode: SearchMode,
  deps: Deps,
  board: FilledBoard,
  answerable: typeof ANSWERABLE,
  unanswerable: typeof UNANSWERABLE,
): Promise<Measured> {
  const ranks: Rank[] = [];
  const outcomes: AnswerOutcome[] = [];
  const times: number[] = [];
  for (const [text, tiles, answers] of answerable) {
    const { passages } = await retrieve(createRetrievalDeps(deps), board.businessId, board.id, text, { limit: LIMIT, perTile: 1 });
    const ranked = passages.map(({ tileId }) => board.documentByTile.get(tileId) ?? "");
    ranks.push(scoreRanking(tiles, ranked));
    const started = performance.now();
    outcomes.push(await askQuestion(deps, board, text, answers));
    times.push(performance.now() - started);
  }
  const decisions = outcomes.map(({ isAnswered }): AnswerDecision => ({ isAnswerable: true, isAnswered }));
  for (const text of unanswerable)
    decisions.push({ isAnswerable: false, isAnswered: (await askQuestion(deps, board, text, [])).isAnswered });
  return { mode, ranks, outcomes, decisions, times: times.sort((a, b) => a - b) };
}

function buildRow({ mode, ranks, outcomes, decisions, times }: Measured, baseline: readonly Rank[]): string[] {
  const { value, low, high } = bootstrapDifference(baseline, ranks, (items) => computeMean(items.map(({ first }) => first)));
  const [, median = ""] = describeLengths(outcomes);
  const shares = [outcomes.map(({ inFirst }) => inFirst), outcomes.map(({ inAny }) => inAny), outcomes.map(({ isRight }) => isRight)];
  return [
    mode,
    ...formatRanks(ranks),
    `${value >= 0 ? "+" : ""}${formatDecimal(value, 3)} (${formatDecimal(low, 3)} to ${formatDecimal(high, 3)})`,
    ...shares.map((all) => formatDecimal(computeShare(all, Boolean), 3)),
    formatDecimal(balancedAccuracy(decisions), 3),
    median,
    `${formatDecimal(computeQuantile(times, 0.5), 1)} / ${formatDecimal(computeQuantile(times, 0.95), 1)}`,
  ];
}

const buildFigures = ({ mode, ranks, decisions, outcomes }: Measured): Figure[] => [
  { name: `board, ${mode}: a right tile first`, value: computeMean(ranks.map(({ first }) => first)), unit: "share", detail: "" },
  { name: `board, ${mode}: balanced accuracy`, value: balancedAccuracy(decisions), unit: "share", detail: describeShares(decisions) },
  buildTableFigure(`board, ${mode}`, outcomes),
];

/** `first`: 1 if the first tile is about what was asked. */
function scoreRanking([right = "", ...outdated]: readonly string[], ranked: readonly string[]): Rank {
  const grades = Object.fromEntries([...outdated.map((id) => [id, OUTDATED] as const), [right, RIGHT] as const]);
  return { ndcg: ndcg(ranked, grades, LIMIT), first: ranked[0] !== undefined && ranked[0] in grades ? 1 : 0 };
}

const formatRanks = (ranks: readonly Rank[]): string[] => [
  formatDecimal(computeMean(ranks.map(({ first }) => first)), 3),
  formatDecimal(computeMean(ranks.map((rank) => rank.ndcg)), 3),
];
