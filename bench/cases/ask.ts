import { join } from "node:path";
import { type AskRequest, type AskMeasurements, type AskTiming } from "../ask/worker.ts";
import { type Stage, STAGES } from "../ask/stage-timer.ts";
import { createTextGenerator } from "../ask/text-generator.ts";
import { startWorker } from "../processes/worker-process.ts";
import { formatCount, formatDecimal, computeMedian, computeQuantile, formatSpread, computeSpread } from "../output/numbers.ts";
import type { Figure, Report } from "../output/report.ts";
import { readMemory, listProcessTree } from "../processes/stats.ts";
import { type BenchContext, sleep } from "../context.ts";
import { type Board, type Service, waitForIndex, callApi, createBoard, startService } from "../servers/service.ts";
import { type LoadContext, MAX_ASK_SLOWDOWN, type Options } from "../load/load-context.ts";

type Limits = { readonly p50?: number; readonly p95?: number };
type Case = { readonly tiles: number; readonly hasVectors: boolean; readonly questions: number; readonly max: Limits };

/** Targets in milliseconds. */
const CASES: readonly Case[] = [
  { tiles: 1_000, hasVectors: false, questions: 200, max: { p50: 15, p95: 100 } },
  { tiles: 1_000, hasVectors: true, questions: 200, max: { p50: 50, p95: 100 } },
  { tiles: 5_000, hasVectors: false, questions: 200, max: { p50: 15, p95: 100 } },
  { tiles: 5_000, hasVectors: true, questions: 200, max: { p50: 50, p95: 100 } },
  { tiles: 50_000, hasVectors: false, questions: 100, max: { p95: 250 } },
];
const QUICK_TILES = 5_000;
const EMBEDDED_TILES = 60;
const IDLE_WAIT_MS = 10_000;
const SETTLE_MS = 3_000;
const MAX_IDLE_MB = 150;
const MAX_MB = 500;
const MEGABYTE = 1_000_000;
const ASKS = 30;
const TILES_PER_BOARD = 1_000;
const QUESTIONS_PER_ROUND = 60;
const TILE_CHARACTERS = 500;
const BATCH_TILES = 100;
const INDEX_SECONDS = 60;

const describeCase = ({ tiles, hasVectors }: Case): string =>
  `ask, ${formatCount(tiles)} tiles, ${hasVectors ? "with vectors" : "words only"}`;

/** Measures the time of a question by stage, the time of embedding, and the memory of both. */
export async function runAsk(context: BenchContext, { isQuick }: Options): Promise<Report> {
  const figures: Figure[] = [];
  const rows: string[][] = [];
  for (const each of CASES) {
    if (isQuick && each.tiles > QUICK_TILES) continue;
    const { timings, indexing } = await runInWorker(context, { kind: "ask", folder: context.folder, ...each });
    const times = collectSorted(timings, ({ ms }) => ms);
    const [p50, p95] = [computeQuantile(times, 0.5), computeQuantile(times, 0.95)];
    const detail = `${formatCount(timings.length)} questions, one at a time; indexing took ${formatDecimal(indexing)} ms per tile`;
    if (each.max.p50 !== undefined) figures.push({ name: `${describeCase(each)}: p50`, value: p50, unit: "ms", max: each.max.p50, detail });
    if (each.max.p95 !== undefined) figures.push({ name: `${describeCase(each)}: p95`, value: p95, unit: "ms", max: each.max.p95, detail });
    const cells = STAGES.map((stage) => formatStage(timings, stage));
    const tokens = formatDecimal(computeMedian(timings.map((one) => one.tokens)), 0);
    rows.push([describeCase(each), ...cells, `${formatDecimal(p50, 1)} / ${formatDecimal(p95, 1)}`, tokens]);
  }
  const { embedding } = await runInWorker(context, { kind: "embed", folder: context.folder, tiles: EMBEDDED_TILES });
  figures.push({
    name: "embedding of a tile of 500 characters",
    value: embedding?.perTile ?? Number.NaN,
    unit: "ms",
    detail: `${formatDecimal(embedding?.perSentence ?? Number.NaN, 1)} ms per sentence, over ${EMBEDDED_TILES} tiles`,
  });
  for (const hasVectors of [false, true]) figures.push(...(await measureMemory(context, hasVectors)));
  return {
    figures,
    sections: [
      {
        title: "Time to answer a question by stage, p50 / p95 in ms",
        note: "Tiles of 500 characters with the word frequencies of real text (Zipf). The binary embeddings of their sentences are random bits; the question's vector comes from the model. Each question is new. Tokens: median of the context.",
        columns: ["", ...STAGES, "total", "tokens"],
        rows,
      },
    ],
  };
}

async function runInWorker(context: BenchContext, request: AskRequest): Promise<AskMeasurements> {
  const worker = startWorker<AskRequest, AskMeasurements>(context, "ask");
  try {
    return await worker.request(request);
  } finally {
    worker.child.disconnect();
  }
}

const collectSorted = <T>(items: readonly T[], getValue: (item: T) => number): number[] => items.map(getValue).sort((a, b) => a - b);

function formatStage(timings: readonly AskTiming[], stage: Stage): string {
  const times = collectSorted(timings, ({ stageMs }) => stageMs[stage]);
  return `${formatDecimal(computeQuantile(times, 0.5), 1)} / ${formatDecimal(computeQuantile(times, 0.95), 1)}`;
}

/** Measures the memory of a service before its first request, and after some questions. */
async function measureMemory(context: BenchContext, hasVectors: boolean): Promise<Figure[]> {
  const environment = { EMBEDDINGS: hasVectors ? "local" : "off" };
  const dataDir = join(context.folder, `memory-${environment.EMBEDDINGS}`);
  const board = await createBoard(dataDir, "Asked", environment);
  const service = await startService(context, dataDir, environment);
  const readResidentMb = (): number => readMemory(listProcessTree(service.pid).at(-1) ?? service.pid).rss / MEGABYTE;
  await sleep(IDLE_WAIT_MS);
  const idle = readResidentMb();
  const texts = await fill(service, board, BATCH_TILES);
  await waitForIndex(service, INDEX_SECONDS);
  const generator = createTextGenerator(2);
  for (let n = 0; n < ASKS; n++) await ask(service, board, generator.question(texts[n % texts.length] ?? ""));
  await sleep(SETTLE_MS);
  const used = readResidentMb();
  await service.stop();
  const mode = hasVectors ? "with vectors" : "words only";
  return [
    {
      name: `idle memory, ${mode}`,
      value: idle,
      unit: "MB",
      max: MAX_IDLE_MB,
      detail: "resident, 10 s after it was ready, before the first request",
    },
    {
      name: `memory after ${ASKS} asks, ${mode}`,
      value: used,
      unit: "MB",
      ...(hasVectors ? { max: MAX_MB } : {}),
      detail: `resident, on a board of ${BATCH_TILES} notes; the token counter is loaded${hasVectors ? ", and so is the sentence model" : ""}`,
    },
  ];
}

/** Compares a board of 1,000 tiles alone with the same board on a service that has many tiles on other boards. */
export async function runAskWithManyTiles({ small, big, options }: LoadContext): Promise<Report> {
  if (big === null) return { figures: [], sections: [] };
  const alone = await prepareBoard(small.service);
  const shared = await prepareBoard(big.service);
  const generator = createTextGenerator(3);
  const questions = Array.from({ length: QUESTIONS_PER_ROUND }, (_, n) =>
    generator.question(alone.texts[(n * 17) % alone.texts.length] ?? ""),
  );
  const ratios: number[] = [];
  const times = { alone: [] as number[], shared: [] as number[] };
  // The first round is not counted: it loads the token counter and fills caches.
  for (let round = 0; round < (options.isQuick ? 4 : 8); round++) {
    const inRound = { alone: [] as number[], shared: [] as number[] };
    for (const [n, question] of questions.entries()) {
      for (const name of n % 2 === 0 ? (["alone", "shared"] as const) : (["shared", "alone"] as const)) {
        const { service, board } = name === "alone" ? alone : shared;
        inRound[name].push(await ask(service, board, question));
      }
    }
    if (round === 0) continue;
    ratios.push(computeMedian(inRound.shared) / computeMedian(inRound.alone));
    times.alone.push(...inRound.alone);
    times.shared.push(...inRound.shared);
  }
  const all = computeSpread(ratios);
  return {
    figures: [
      {
        name: `ask, ${formatCount(TILES_PER_BOARD)} tiles, with many tiles on other boards`,
        value: all.median,
        unit: "times",
        max: MAX_ASK_SLOWDOWN,
        detail: `times slower, by the medians of ${ratios.length} rounds: ${formatSpread(all)}; ${formatDecimal(computeMedian(times.alone), 1)} ms alone, ${formatDecimal(computeMedian(times.shared), 1)} ms with many tiles`,
      },
    ],
    sections: [],
  };
}

async function prepareBoard(service: Service) {
  const board = await createBoard(service.dataDir, "Asked");
  const texts = await fill(service, board, TILES_PER_BOARD);
  await waitForIndex(service, INDEX_SECONDS);
  return { service, board, texts };
}

async function fill(service: Service, { id, key }: Board, tiles: number): Promise<string[]> {
  const generator = createTextGenerator(1);
  const texts = Array.from({ length: tiles }, () => generator.text(TILE_CHARACTERS));
  for (let at = 0; at < texts.length; at += BATCH_TILES) {
    const batch = texts.slice(at, at + BATCH_TILES).map((content, n) => ({ board_id: id, title: `Note ${at + n}`, content }));
    await callApi(service, key, "POST", "/api/inbound/tiles/batch", { tiles: batch });
  }
  return texts;
}

/** Asks a question over HTTP; returns the milliseconds it took. */
async function ask(service: Service, { id, key }: Board, question: string): Promise<number> {
  const started = performance.now();
  await callApi(service, key, "POST", `/api/board/${id}/ask`, { question });
  return performance.now() - started;
}
