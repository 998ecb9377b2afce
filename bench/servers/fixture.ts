import { join } from "node:path";
import { startWorker } from "../processes/worker-process.ts";
import type { Target } from "../load/load-job.ts";
import type { BenchContext } from "../context.ts";
import type { SeedRequest } from "./seed-worker.ts";
import { type Board, type Service, waitForIndex, callApi, createBoard, startService } from "./service.ts";
import { generateProse } from "../output/random-text.ts";

export const ZONES = 20;
export const TILES = 50;
export const TILE_CHARACTERS = 500;
const BODY_COUNT = 64;

/** A running service with filled boards, and the requests to send to it. */
export type Fixture = {
  readonly service: Service;
  readonly zones: Target;
  readonly tiles: Target;
  readonly create: Target;
  /** 90 % lists and 10 % creations on one board; each creation invalidates its cached responses. */
  readonly mixed: readonly Target[];
  readonly seedSummary: string | null;
};

const bodies = Array.from({ length: BODY_COUNT }, (_, n) =>
  JSON.stringify({ title: `Note ${String(n).padStart(3, "0")}`, content: generateProse(TILE_CHARACTERS, n) }),
);

/** Starts a service with `otherTiles` tiles on boards that receive no requests. */
export async function startFixture(
  context: BenchContext,
  name: string,
  otherTiles: number,
  extraEnvironment: Readonly<Record<string, string>> = {},
): Promise<Fixture> {
  const dataDir = join(context.folder, name);
  const lists = await createBoard(dataDir, "Lists", extraEnvironment);
  const creations = await createBoard(dataDir, "Creations", extraEnvironment);
  const mixed = await createBoard(dataDir, "Mixed", extraEnvironment);
  const seedSummary = otherTiles === 0 ? null : await seed(context, { dataDir, tiles: otherTiles });
  // Embedding of created tiles runs in the background for minutes, and its CPU time would be charged to the measured requests.
  const service = await startService(context, dataDir, { EMBEDDINGS: "off", ...extraEnvironment });
  for (const board of [lists, mixed]) await fill(service, board);
  await waitForIndex(service);
  return {
    service,
    seedSummary,
    zones: { name: "list zones", method: "GET", path: `/api/board/${lists.id}/zones`, key: lists.key, weight: 1 },
    tiles: { name: "list tiles", method: "GET", path: `/api/board/${lists.id}/tiles`, key: lists.key, weight: 1 },
    create: { name: "create tile", method: "POST", path: `/api/board/${creations.id}/tiles`, key: creations.key, bodies, weight: 1 },
    mixed: [
      { name: "list zones", method: "GET", path: `/api/board/${mixed.id}/zones`, key: mixed.key, weight: 45 },
      { name: "list tiles", method: "GET", path: `/api/board/${mixed.id}/tiles?limit=${TILES}`, key: mixed.key, weight: 45 },
      { name: "create tile", method: "POST", path: `/api/board/${mixed.id}/tiles`, key: mixed.key, bodies, weight: 10 },
    ],
  };
}

async function seed(context: BenchContext, request: SeedRequest): Promise<string> {
  const worker = startWorker<SeedRequest, { seconds: number; bytes: number }>(context, "seed");
  const { seconds, bytes } = await worker.request(request);
  worker.child.disconnect();
  return `${request.tiles.toLocaleString("en")} tiles on 100 other boards, ${Math.round(bytes / 1_048_576)} MB, written in ${seconds.toFixed(0)} s`;
}

async function fill(service: Service, { id, key }: Board): Promise<void> {
  for (let n = 1; n <= ZONES; n++) await callApi(service, key, "POST", `/api/board/${id}/zones`, { name: `Zone number ${n}` });
  const tiles = Array.from({ length: TILES }, (_, n) => ({
    board_id: id,
    title: `Note ${n}`,
    content: generateProse(TILE_CHARACTERS, 1_000 + n),
  }));
  await callApi(service, key, "POST", "/api/inbound/tiles/batch", { tiles });
}
