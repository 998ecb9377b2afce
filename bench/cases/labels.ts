import { join } from "node:path";
import type { BenchContext } from "../context.ts";
import { type MeasuredServer, buildSection, compare, computeRatio, responsesPerCpuSecond } from "../load/compare.ts";
import type { Target } from "../load/load-job.ts";
import { type Options, withLoadGenerator } from "../load/load-context.ts";
import { computeMedian, formatSpread } from "../output/numbers.ts";
import { generateProse } from "../output/random-text.ts";
import type { Figure, Report } from "../output/report.ts";
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
const BODY_COUNT = 64;
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
  const created = await measure([
    createTarget(creations, "create tile, bare", false),
    createTarget(creations, "create tile, labelled", true),
  ]);
  await service.stop();
  const slower = computeRatio(created, "create tile, bare", "create tile, labelled", responsesPerCpuSecond);
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
  return { figures, sections: [buildSection("tags and properties, uncached", lists), buildSection("creations with labels", created)] };
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

function createTarget({ id, key }: Board, name: string, isLabelled: boolean): Target {
  const bodies = Array.from({ length: BODY_COUNT }, (_, n) => {
    const tags = Array.from({ length: 10 }, (_, i) => `topic ${(n * 7 + i) % COMMON_TAGS}`);
    const properties = { order: n, customer: `customer ${n}`, paid: n % 2 === 0, channel: "mail", region: "north" };
    return JSON.stringify({ title: `Note ${n}`, content: generateProse(TILE_CHARACTERS, n), ...(isLabelled ? { tags, properties } : {}) });
  });
  return { name, method: "POST", path: `/api/board/${id}/tiles`, key, bodies, weight: 1 };
}

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
