import { join } from "node:path";
import type { BenchContext } from "../context.ts";
import { type MeasuredServer, buildSection, compare, computeRatio, responsesPerCpuSecond } from "../load/compare.ts";
import type { Target } from "../load/load-job.ts";
import { type Options, withLoadGenerator } from "../load/load-context.ts";
import { computeMedian, computeSpread, formatSpread, type Spread } from "../output/numbers.ts";
import { generateProse } from "../output/random-text.ts";
import type { Figure, Report } from "../output/report.ts";
import { readCpuSeconds } from "../processes/stats.ts";
import { type Board, type Service, callApi, createBoard, startService, waitForIndex } from "../servers/service.ts";

const TILES = 50_000;
const BATCH_TILES = 500;
const TILE_CHARACTERS = 500;
const PAGE = 50;
/** Tags that occur in turn, six on each tile. */
const COMMON_TAGS = 300;
const TAGS_PER_TILE = 6;
const INDEX_WAIT_SECONDS = 120;
const CONNECTIONS = 16;
const ROUNDS = 11;
/** Creations of a turn: enough for a CPU time that is counted in hundredths of a second. */
const CREATIONS = 400;
const MAX_CREATE_RATIO = 1.25;
const MAX_LIST_MS = 5;

/** The tags of a listing: of half of the tiles, of one in a hundred, of ten tiles, and a rare one with a common one. */
const TAG_QUERIES = ["tag=half", "tag=hundredth", "tag=rare", "tag=half&tag=rare", "tag=rare&order=position", "property.number=777"];

/** What tags and properties cost: a creation compared with one without them, and listings of a board of 50,000 tiles. */
export async function runLabels(context: BenchContext, { isQuick }: Options): Promise<Report> {
  const dataDir = join(context.folder, "labels");
  const large = await createBoard(dataDir, "Large");
  const creations = await createBoard(dataDir, "Creations");
  const service = await startService(context, dataDir, { EMBEDDINGS: "off" });
  await fill(service, large);
  await waitForIndex(service, INDEX_WAIT_SECONDS);
  const measure = (targets: readonly Target[]) =>
    withLoadGenerator(context, {}, ({ load }) =>
      compare(
        load,
        targets.map((target) => toServer(service, target)),
        { rounds: isQuick ? 3 : 7, seconds: isQuick ? 0.6 : 1.2, connections: CONNECTIONS },
      ),
    );
  const lists = await measure([...TAG_QUERIES.map((query) => listTarget(large, query)), listTarget(large, "")]);
  const slower = await compareCreations(service, creations, isQuick ? 3 : ROUNDS);
  await service.stop();
  const figures: Figure[] = [
    {
      name: "create tile with ten tags and five properties",
      value: slower.median,
      unit: "times",
      max: MAX_CREATE_RATIO,
      detail: `of the CPU time of a bare one: ${formatSpread(slower)}`,
    },
    ...TAG_QUERIES.map((query): Figure => {
      const ratio = computeRatio(lists, nameList(""), nameList(query), responsesPerCpuSecond);
      return {
        name: `list ${PAGE} of ${TILES.toLocaleString("en")} tiles by ${query}`,
        value: computeMedian((lists.get(nameList(query)) ?? []).map((result) => 1_000 / responsesPerCpuSecond(result))),
        unit: "ms",
        max: MAX_LIST_MS,
        detail: `of server CPU; ${formatSpread(ratio)} times a page without a filter`,
      };
    }),
  ];
  return { figures, sections: [buildSection("tags and properties, uncached", lists)] };
}

const toServer = ({ port, pid }: Service, target: Target): MeasuredServer => ({ name: target.name, port, pid, targets: [target] });

const nameList = (query: string): string => (query === "" ? "list, unfiltered" : `list by ${query}`);

const listTarget = ({ id, key }: Board, query: string): Target => ({
  name: nameList(query),
  method: "GET",
  path: `/api/board/${id}/tiles?limit=${PAGE}&${query}`,
  key,
  isUncached: true,
  weight: 1,
});

/**
 * Creates tiles without and with labels in turn. The CPU time of each turn includes indexing, which goes on after the responses. Returns the
 * time with labels, divided by that without.
 */
async function compareCreations(service: Service, board: Board, rounds: number): Promise<Spread> {
  const turns = [false, true].map((isLabelled) => ({ isLabelled, bodies: buildBodies(isLabelled), seconds: 0 }));
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      const before = readCpuSeconds(service.pid);
      for (const body of turn.bodies) await callApi(service, board.key, "POST", `/api/board/${board.id}/tiles`, body);
      await waitForIndex(service, INDEX_WAIT_SECONDS);
      turn.seconds = readCpuSeconds(service.pid) - before;
    }
    const [bare, labelled] = turns.map(({ seconds }) => seconds) as [number, number];
    ratios.push(labelled / bare);
  }
  return computeSpread(ratios);
}

const buildBodies = (isLabelled: boolean): readonly object[] =>
  Array.from({ length: CREATIONS }, (_, n) => {
    const tags = Array.from({ length: 10 }, (_value, i) => `topic ${(n * 7 + i) % COMMON_TAGS}`);
    const properties = { order: n, customer: `customer ${n}`, paid: n % 2 === 0, channel: "mail", region: "north" };
    return { title: `Note ${n}`, content: generateProse(TILE_CHARACTERS, n), ...(isLabelled ? { tags, properties } : {}) };
  });

async function fill(service: Service, { id, key }: Board): Promise<void> {
  for (let from = 0; from < TILES; from += BATCH_TILES) {
    const tiles = Array.from({ length: BATCH_TILES }, (_, i) => buildTile(id, from + i));
    await callApi(service, key, "POST", "/api/inbound/tiles/batch", { tiles });
  }
}

function buildTile(boardId: string, n: number): object {
  const tags = Array.from({ length: TAGS_PER_TILE }, (_, i) => `topic ${(n * 7 + i) % COMMON_TAGS}`);
  if (n % 2 === 0) tags.push("half");
  if (n % 100 === 0) tags.push("hundredth");
  if (n % 5_000 === 0) tags.push("rare");
  const content = generateProse(TILE_CHARACTERS, n % 1_000);
  return { board_id: boardId, title: `Note ${n}`, content, tags, properties: { number: n } };
}
