import { join } from "node:path";
import { type AskOrder, type AskOutcome, type Asked } from "../ask/worker.ts";
import { type Stage, STAGES } from "../ask/stage-timer.ts";
import { createWriter } from "../ask/text-generator.ts";
import { startChild } from "../processes/worker-process.ts";
import { count, decimal, medianOf, quantile, spread, spreadOf } from "../output/numbers.ts";
import type { Figure, Report } from "../output/report.ts";
import { memoryOf, treeOf } from "../processes/stats.ts";
import { type Scene, sleep } from "../context.ts";
import { type Board, type Service, awaitIndex, call, makeBoard, startService } from "../servers/service.ts";
import { type LoadedWorld, MAX_TIMES_ASK, type Options } from "./load-context.ts";

type Limits = { readonly p50?: number; readonly p95?: number };
type Case = { readonly tiles: number; readonly hasVectors: boolean; readonly questions: number; readonly most: Limits };

/** Milliseconds that an ask may take. */
const CASES: readonly Case[] = [
  { tiles: 1_000, hasVectors: false, questions: 200, most: { p50: 15, p95: 100 } },
  { tiles: 1_000, hasVectors: true, questions: 200, most: { p50: 50, p95: 100 } },
  { tiles: 5_000, hasVectors: false, questions: 200, most: { p50: 15, p95: 100 } },
  { tiles: 5_000, hasVectors: true, questions: 200, most: { p50: 50, p95: 100 } },
  { tiles: 50_000, hasVectors: false, questions: 100, most: { p95: 250 } },
];
const QUICK_TILES = 5_000;
const EMBEDDED = 60;
const IDLE_MS = 10_000;
const SETTLE_MS = 3_000;
const MAX_IDLE_MB = 150;
const MAX_MB = 500;
const MEGABYTE = 1_000_000;
const USES = 30;
const BESIDE_TILES = 1_000;
const BESIDE_QUESTIONS = 60;
const CHARACTERS = 500;
const BATCH = 100;
const INDEX_SECONDS = 60;

const nameOf = ({ tiles, hasVectors }: Case): string => `ask, ${count(tiles)} tiles, ${hasVectors ? "with vectors" : "words only"}`;

/** What an ask costs by stage, what its vectors cost, and what both hold in memory. */
export async function runAsk(scene: Scene, { isQuick }: Options): Promise<Report> {
  const figures: Figure[] = [];
  const rows: string[][] = [];
  for (const each of CASES) {
    if (isQuick && each.tiles > QUICK_TILES) continue;
    const { asked, indexing } = await inChild(scene, { kind: "ask", folder: scene.folder, ...each });
    const times = sortedBy(asked, ({ ms }) => ms);
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    const beside = `${count(asked.length)} questions, one at a time; indexing took ${decimal(indexing)} ms a tile`;
    if (each.most.p50 !== undefined) figures.push({ name: `${nameOf(each)}: p50`, value: p50, unit: "ms", most: each.most.p50, beside });
    if (each.most.p95 !== undefined) figures.push({ name: `${nameOf(each)}: p95`, value: p95, unit: "ms", most: each.most.p95, beside });
    const cells = STAGES.map((stage) => stageCell(asked, stage));
    const tokens = decimal(medianOf(asked.map((one) => one.tokens)), 0);
    rows.push([nameOf(each), ...cells, `${decimal(p50, 1)} / ${decimal(p95, 1)}`, tokens]);
  }
  const { embedding } = await inChild(scene, { kind: "embed", folder: scene.folder, tiles: EMBEDDED });
  figures.push({
    name: "embedding, by tile of 500 characters",
    value: embedding?.perTile ?? Number.NaN,
    unit: "ms",
    beside: `${decimal(embedding?.perSentence ?? Number.NaN, 1)} ms a sentence, over ${EMBEDDED} tiles`,
  });
  for (const hasVectors of [false, true]) figures.push(...(await measureMemory(scene, hasVectors)));
  return {
    figures,
    sections: [
      {
        title: "Milliseconds of an ask by stage, p50 / p95",
        note: "Notes of 500 characters whose words come as often as in real text (Zipf). Signatures of their sentences are random bits, the question's vector is the model's, and each question is new. Tokens: of the context, the median.",
        columns: ["", ...STAGES, "whole", "tokens"],
        rows,
      },
    ],
  };
}

async function inChild(scene: Scene, order: AskOrder): Promise<AskOutcome> {
  const helper = startChild<AskOrder, AskOutcome>(scene, "ask");
  try {
    return await helper.ask(order);
  } finally {
    helper.child.disconnect();
  }
}

const sortedBy = <T>(items: readonly T[], valueOf: (item: T) => number): number[] => items.map(valueOf).sort((a, b) => a - b);

function stageCell(asked: readonly Asked[], stage: Stage): string {
  const times = sortedBy(asked, ({ lap }) => lap[stage]);
  return `${decimal(quantile(times, 0.5), 1)} / ${decimal(quantile(times, 0.95), 1)}`;
}

/** What a service holds before anybody asks, and after some questions on a board of notes. */
async function measureMemory(scene: Scene, hasVectors: boolean): Promise<Figure[]> {
  const environment = { EMBEDDINGS: hasVectors ? "local" : "off" };
  const dataDir = join(scene.folder, `memory-${environment.EMBEDDINGS}`);
  const board = await makeBoard(dataDir, "Asked", environment);
  const service = await startService(scene, dataDir, environment);
  const held = (): number => memoryOf(treeOf(service.pid).at(-1) ?? service.pid).rss / MEGABYTE;
  await sleep(IDLE_MS);
  const idle = held();
  const texts = await fill(service, board, BATCH);
  await awaitIndex(service, INDEX_SECONDS);
  const writer = createWriter(2);
  for (let n = 0; n < USES; n++) await ask(service, board, writer.question(texts[n % texts.length] ?? ""));
  await sleep(SETTLE_MS);
  const used = held();
  await service.stop();
  const way = hasVectors ? "with vectors" : "words only";
  return [
    {
      name: `memory at idle, ${way}`,
      value: idle,
      unit: "MB",
      most: MAX_IDLE_MB,
      beside: "resident, 10 s after it was ready, before anything was used",
    },
    {
      name: `memory after ${USES} asks, ${way}`,
      value: used,
      unit: "MB",
      ...(hasVectors ? { most: MAX_MB } : {}),
      beside: `resident, on a board of ${BATCH} notes; the counter of tokens is loaded${hasVectors ? ", and the model of sentences at work" : ""}`,
    },
  ];
}

/** One board of 1,000 tiles, asked by its words on a store of its own and beside many tiles on other boards, in turns. */
export async function runAskBeside({ small, big, options }: LoadedWorld): Promise<Report> {
  if (big === null) return { figures: [], sections: [] };
  const alone = await prepare(small.service);
  const beside = await prepare(big.service);
  const writer = createWriter(3);
  const questions = Array.from({ length: BESIDE_QUESTIONS }, (_, n) => writer.question(alone.texts[(n * 17) % alone.texts.length] ?? ""));
  const ratios: number[] = [];
  const times = { alone: [] as number[], beside: [] as number[] };
  // The first round is not counted: it loads the counter of tokens and warms what is cached.
  for (let round = 0; round < (options.isQuick ? 4 : 8); round++) {
    const own = { alone: [] as number[], beside: [] as number[] };
    for (const [n, question] of questions.entries()) {
      for (const name of n % 2 === 0 ? (["alone", "beside"] as const) : (["beside", "alone"] as const)) {
        const { service, board } = name === "alone" ? alone : beside;
        own[name].push(await ask(service, board, question));
      }
    }
    if (round === 0) continue;
    ratios.push(medianOf(own.beside) / medianOf(own.alone));
    times.alone.push(...own.alone);
    times.beside.push(...own.beside);
  }
  const all = spreadOf(ratios);
  return {
    figures: [
      {
        name: `ask, ${count(BESIDE_TILES)} tiles, with many tiles elsewhere`,
        value: all.median,
        unit: "times",
        most: MAX_TIMES_ASK,
        beside: `slower, by the medians of ${ratios.length} rounds: ${spread(all)}; ${decimal(medianOf(times.alone), 1)} ms alone, ${decimal(medianOf(times.beside), 1)} ms beside`,
      },
    ],
    sections: [],
  };
}

async function prepare(service: Service) {
  const board = await makeBoard(service.dataDir, "Asked");
  const texts = await fill(service, board, BESIDE_TILES);
  await awaitIndex(service, INDEX_SECONDS);
  return { service, board, texts };
}

async function fill(service: Service, { id, key }: Board, tiles: number): Promise<string[]> {
  const writer = createWriter(1);
  const texts = Array.from({ length: tiles }, () => writer.text(CHARACTERS));
  for (let at = 0; at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH).map((content, n) => ({ board_id: id, title: `Note ${at + n}`, content }));
    await call(service, key, "POST", "/api/inbound/tiles/batch", { tiles: batch });
  }
  return texts;
}

/** Asks over HTTP; the milliseconds that it took. */
async function ask(service: Service, { id, key }: Board, question: string): Promise<number> {
  const started = performance.now();
  await call(service, key, "POST", `/api/board/${id}/ask`, { question });
  return performance.now() - started;
}
