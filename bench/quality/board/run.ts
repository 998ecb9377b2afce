import { retrieve } from "#retrieval/retrieve.ts";
import { retrievalDeps } from "#service/answer/retrieval.ts";
import { decimal, quantile } from "../../output/numbers.ts";
import type { Figure, Report } from "../../output/report.ts";
import { pairedDifference } from "../bootstrap.ts";
import type { Options } from "../options.ts";
import { type Given, besideOf, giveAnswer, lengthsOf } from "../search/answers.ts";
import { createBaseline } from "../search/baseline.ts";
import { type Verdict, balancedAccuracy, meanOf, ndcg, shareOf } from "../search/scores.ts";
import { spreadOver } from "../search/sets.ts";
import { waysOf } from "../search/ways.ts";
import { openWorld } from "../search/world.ts";
import { composeTiles } from "./compose.ts";
import { ABSENT, HELD } from "./questions.ts";

const LIMIT = 10;
const BASELINE = "BM25";
/** The right tile, and one that speaks of the same but is out of date. */
const RIGHT = 2;
const BESIDE = 1;

type Rank = { readonly ndcg: number; readonly first: number };

/** A board as users have them: 200 mixed tiles, 100 questions it answers and 50 that it does not. It comes with the benchmark. */
export async function runBoard({ hasVectors, sample }: Options): Promise<Report> {
  const documents = composeTiles();
  const held = spreadOver(HELD, sample);
  const absent = spreadOver(ABSENT, sample === null ? null : Math.ceil(sample / 2));
  const baseline = createBaseline(documents);
  const plain = held.map(([text, tiles]) => judge(tiles, baseline.search(text, LIMIT)));
  const figures: Figure[] = [];
  const rows = [[BASELINE, ...rankCells(plain), "", "", "", "", "", "", ""]];
  const world = await openWorld(hasVectors);
  try {
    const board = await world.fill("Mixed board", documents);
    await world.index();
    const questions = [...held.map(([text]) => text), ...absent];
    for await (const { way, deps } of waysOf(world, () => world.embed("board", questions))) {
      const ranks: Rank[] = [];
      const given: Given[] = [];
      const times: number[] = [];
      for (const [text, tiles, answers] of held) {
        const options = { limit: LIMIT, perTile: 1 };
        const { passages } = await retrieve(retrievalDeps(deps), board.businessId, board.id, text, options);
        ranks.push(
          judge(
            tiles,
            passages.map(({ tileId }) => board.documentOf.get(tileId) ?? ""),
          ),
        );
        const started = performance.now();
        given.push(await giveAnswer(deps, board, text, answers));
        times.push(performance.now() - started);
      }
      const verdicts = given.map(({ isAnswered }): Verdict => ({ isHeld: true, isAnswered }));
      for (const text of absent) verdicts.push({ isHeld: false, isAnswered: (await giveAnswer(deps, board, text, [])).isAnswered });
      times.sort((a, b) => a - b);
      const { value, low, high } = pairedDifference(plain, ranks, (items) => meanOf(items.map(({ first }) => first)));
      const [, median = ""] = lengthsOf(given);
      rows.push([
        way,
        ...rankCells(ranks),
        `${value >= 0 ? "+" : ""}${decimal(value, 3)} (${decimal(low, 3)} to ${decimal(high, 3)})`,
        ...[given.map(({ inFirst }) => inFirst), given.map(({ inAny }) => inAny), given.map(({ isRight }) => isRight)].map((all) =>
          decimal(shareOf(all, Boolean), 3),
        ),
        decimal(balancedAccuracy(verdicts), 3),
        median,
        `${decimal(quantile(times, 0.5), 1)} / ${decimal(quantile(times, 0.95), 1)}`,
      ]);
      figures.push(
        { name: `board, ${way}: a right tile first`, value: meanOf(ranks.map(({ first }) => first)), unit: "share", beside: "" },
        { name: `board, ${way}: balanced accuracy`, value: balancedAccuracy(verdicts), unit: "share", beside: besideOf(verdicts) },
      );
    }
  } finally {
    await world.close();
  }
  const table = {
    title: `A board of ${documents.length} mixed tiles: ${held.length} questions it answers, ${absent.length} it does not`,
    note: "Notes, transcripts, pages, recipes, shops, posts, feeds, in five languages. Answered right: the answer itself says it. Milliseconds of a whole answer, without the question's own vector.",
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
    rows,
  };
  return { figures, sections: [table] };
}

/** `first`: 1 where a tile leads that speaks of what was asked. */
function judge([right = "", ...beside]: readonly string[], ranked: readonly string[]): Rank {
  const grades = Object.fromEntries([...beside.map((id) => [id, BESIDE] as const), [right, RIGHT] as const]);
  return { ndcg: ndcg(ranked, grades, LIMIT), first: ranked[0] !== undefined && ranked[0] in grades ? 1 : 0 };
}

const rankCells = (ranks: readonly Rank[]): string[] => [
  decimal(meanOf(ranks.map(({ first }) => first)), 3),
  decimal(meanOf(ranks.map((rank) => rank.ndcg)), 3),
];
