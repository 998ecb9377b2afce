import { retrieve } from "#retrieval/retrieve.ts";
import { createRetrievalDeps } from "#service/answer/retrieval.ts";
import { formatCount, formatDecimal, computeQuantile, computeMean } from "../../output/numbers.ts";
import type { Figure, Report, Section } from "../../output/report.ts";
import { bootstrapDifference } from "../bootstrap.ts";
import type { Options } from "../options.ts";
import { createBaseline } from "./baseline.ts";
import { ndcg, recall } from "./scores.ts";
import { type SetBoard, type SetName, readSet, selectEvenly } from "./sets.ts";
import { type SearchMode, iterateModes } from "./modes.ts";
import { type Embedding, type FilledBoard, openQualityService } from "./quality-service.ts";

const LIMIT = 10;
const WARM_UP = 20;
const RESAMPLES = 2_000;
const BASELINE = "BM25";

type Measure = "ndcg" | "first" | "five";
/** Quality of one question's ranking, and how long it took. */
type Outcome = Readonly<Record<Measure, number>> & { readonly board: string; readonly ms: number };
type Outcomes = ReadonlyMap<typeof BASELINE | SearchMode, readonly Outcome[]>;

/** Measure and target of each dataset. */
const TARGETS: Readonly<Record<SetName, { readonly measure: Measure; readonly min?: number }>> = {
  scifact: { measure: "ndcg", min: 0.72 },
  cranfield: { measure: "ndcg" },
  cisi: { measure: "ndcg" },
  squad: { measure: "first", min: 0.88 },
  qmsum: { measure: "ndcg", min: 0.34 },
  xquad: { measure: "first", min: 0.88 },
};
const NAMES: Readonly<Record<Measure, string>> = { ndcg: "nDCG@10", first: "R@1", five: "R@5" };

/** Measures how well the right documents are found, compared with plain BM25; null if all datasets are absent. */
export async function runRetrieval(options: Options): Promise<Report | null> {
  const figures: Figure[] = [];
  const rows: string[][] = [];
  const costs: string[][] = [];
  const sections: Section[] = [];
  for (const name of options.sets) {
    const boards = readSet(options.data, name);
    if (boards === null) {
      process.stdout.write(`retrieval: the set ${name} is not in ${options.data}.\n`);
      continue;
    }
    const { outcomes, indexed, embedding } = await runSet(name, boards, options);
    rows.push(...buildRows(name, outcomes));
    figures.push(...buildFigures(name, outcomes));
    costs.push(buildCostRow(name, boards, indexed, embedding));
    if (name === "xquad") sections.push(buildLanguageSection(boards, outcomes));
  }
  if (rows.length === 0) return null;
  const table: Section = {
    title: "Retrieval",
    note: `Each document is a text tile. ${BASELINE}: over the same tiles, k1 1.2, b 0.75, Porter's stems, without stop words. R@1: the share of the right documents that come first. Milliseconds without the question's own vector, which is cached between runs.`,
    columns: ["set", "", "questions", "nDCG@10", "R@1", "R@5", `against ${BASELINE} (95 % of resamples)`, "ms p50", "ms p95"],
    rows,
  };
  const cost: Section = {
    title: "Sets, and the time to prepare them",
    note: "Sentences whose vectors an earlier run cached in the temporary folder are not embedded again.",
    columns: ["set", "boards", "tiles", "indexing, ms a tile", "sentences embedded", "seconds", "ms a sentence"],
    rows: costs,
  };
  return { figures, sections: [table, ...sections, cost] };
}

type AskedQuestion = SetBoard["questions"][number];

async function runSet(name: SetName, boards: readonly SetBoard[], { hasVectors, sample }: Options) {
  const service = await openQualityService(hasVectors);
  try {
    const filled: FilledBoard[] = [];
    for (const board of boards) filled.push(await service.fill(board.name, board.documents));
    const indexed = await service.index();
    const asked = boards.map(({ questions }) =>
      selectEvenly(
        questions.filter(({ isImpossible }) => !isImpossible),
        sample,
      ),
    );
    const run = async (
      search: (at: number, question: AskedQuestion) => Promise<readonly string[]> | readonly string[],
    ): Promise<Outcome[]> => {
      for (const question of asked[0]?.slice(0, WARM_UP) ?? []) await search(0, question);
      const outcomes: Outcome[] = [];
      for (const [at, questions] of asked.entries()) {
        for (const question of questions) {
          const started = performance.now();
          const ranked = await search(at, question);
          outcomes.push(scoreRanking(boards[at]?.name ?? "", question, ranked, performance.now() - started));
        }
      }
      return outcomes;
    };
    const baselines = boards.map(({ documents }) => createBaseline(documents));
    const getDepth = ({ ignored }: AskedQuestion): number => LIMIT + ignored.size;
    const outcomes = new Map<typeof BASELINE | SearchMode, readonly Outcome[]>();
    outcomes.set(BASELINE, await run((at, question) => baselines[at]?.search(question.text, getDepth(question)) ?? []));
    let embedding: Embedding | null = null;
    const embed = async (): Promise<void> => {
      embedding = await service.embed(
        name,
        asked.flat().map(({ text }) => text),
      );
    };
    for await (const { mode, deps } of iterateModes(service, embed)) {
      const found = await run(async (at, question) => {
        const { businessId, id, documentByTile } = filled[at] as FilledBoard;
        const { passages } = await retrieve(createRetrievalDeps(deps), businessId, id, question.text, {
          limit: getDepth(question),
          perTile: 1,
        });
        return passages.map(({ tileId }) => documentByTile.get(tileId) ?? "");
      });
      outcomes.set(mode, found);
    }
    return { outcomes, indexed, embedding: embedding as Embedding | null };
  } finally {
    await service.close();
  }
}

function scoreRanking(board: string, { grades, ignored }: AskedQuestion, ranked: readonly string[], ms: number): Outcome {
  const counted = ranked.filter((id) => !ignored.has(id)).slice(0, LIMIT);
  return { board, ms, ndcg: ndcg(counted, grades, LIMIT), first: recall(counted, grades, 1), five: recall(counted, grades, 5) };
}

/** Mean over all questions of a dataset. */
const averageBy = (outcomes: readonly Outcome[], measure: Measure): number => computeMean(outcomes.map((outcome) => outcome[measure]));

function buildRows(name: SetName, outcomes: Outcomes): string[][] {
  const { measure } = TARGETS[name];
  const baseline = outcomes.get(BASELINE) ?? [];
  return [...outcomes].map(([mode, found]) => {
    const times = found.map(({ ms }) => ms).sort((a, b) => a - b);
    return [
      name,
      mode,
      formatCount(found.length),
      ...(["ndcg", "first", "five"] as const).map((each) => formatDecimal(averageBy(found, each), 4)),
      mode === BASELINE ? "" : `${NAMES[measure]} ${formatDifference(baseline, found, measure)}`,
      formatDecimal(computeQuantile(times, 0.5), 1),
      formatDecimal(computeQuantile(times, 0.95), 1),
    ];
  });
}

function formatDifference(baseline: readonly Outcome[], found: readonly Outcome[], measure: Measure): string {
  const { value, low, high } = bootstrapDifference(baseline, found, (outcomes) => averageBy(outcomes, measure), RESAMPLES);
  return `${value >= 0 ? "+" : ""}${formatDecimal(value, 4)} (${formatDecimal(low, 4)} to ${formatDecimal(high, 4)})`;
}

function buildFigures(name: SetName, outcomes: Outcomes): Figure[] {
  const { measure, min } = TARGETS[name];
  const baseline = formatDecimal(averageBy(outcomes.get(BASELINE) ?? [], measure), 4);
  return [...outcomes]
    .filter(([mode]) => mode !== BASELINE)
    .map(([mode, found]) => ({
      name: `${name}, ${mode}: ${NAMES[measure]}`,
      value: averageBy(found, measure),
      unit: "share",
      ...(min === undefined ? {} : { min }),
      detail: `${BASELINE} ${baseline}; ${formatCount(found.length)} questions`,
    }));
}

/** Size of a dataset, and the time to prepare it. */
function buildCostRow(name: SetName, boards: readonly SetBoard[], indexed: number, embedding: Embedding | null): string[] {
  const tiles = boards.reduce((sum, { documents }) => sum + documents.length, 0);
  const { seconds = 0, sentences = 0 } = embedding ?? {};
  return [
    name,
    formatCount(boards.length),
    formatCount(tiles),
    formatDecimal((indexed * 1_000) / tiles, 2),
    embedding === null ? "off" : formatCount(sentences),
    embedding === null ? "off" : formatDecimal(seconds, 1),
    sentences === 0 ? "" : formatDecimal((seconds * 1_000) / sentences, 1),
  ];
}

function buildLanguageSection(boards: readonly SetBoard[], outcomes: Outcomes): Section {
  const formatCells = (measure: Measure, board: string): string[] =>
    [...outcomes.values()].map((found) => {
      const outcomesOfBoard = found.filter((outcome) => outcome.board === board);
      return formatDecimal(averageBy(outcomesOfBoard, measure), 4);
    });
  return {
    title: "XQuAD by language",
    columns: ["language", ...[...outcomes.keys()].map((mode) => `R@1 ${mode}`), ...[...outcomes.keys()].map((mode) => `R@5 ${mode}`)],
    rows: boards.map(({ name }) => [name, ...formatCells("first", name), ...formatCells("five", name)]),
  };
}
