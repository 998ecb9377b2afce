import { join } from "node:path";
import { startChild } from "../processes/worker-process.ts";
import type { Target } from "../load/load-job.ts";
import type { Scene } from "../context.ts";
import type { SeedOrder } from "./seed-worker.ts";
import { type Board, type Service, awaitIndex, call, makeBoard, startService } from "./service.ts";
import { prose } from "../output/random-text.ts";

export const ZONES = 20;
export const TILES = 50;
export const CHARACTERS = 500;
const BODIES = 64;

/** A running service with its boards filled, and the requests it is asked. */
export type Stage = {
  readonly service: Service;
  readonly zones: Target;
  readonly tiles: Target;
  readonly create: Target;
  /** 90 % lists, 10 % creations, on one board: each creation makes what was cached of it stale. */
  readonly mixed: readonly Target[];
  readonly seeded: string | null;
};

const bodies = Array.from({ length: BODIES }, (_, n) =>
  JSON.stringify({ title: `Note ${String(n).padStart(3, "0")}`, content: prose(CHARACTERS, n) }),
);

/** Starts a service with `others` tiles on boards that nobody asks for; `more` is added to its environment. */
export async function prepareStage(
  scene: Scene,
  name: string,
  others: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const dataDir = join(scene.folder, name);
  const lists = await makeBoard(dataDir, "Lists", more);
  const creations = await makeBoard(dataDir, "Creations", more);
  const mixed = await makeBoard(dataDir, "Mixed", more);
  const seeded = others === 0 ? null : await seed(scene, { dataDir, tiles: others });
  // Vectors of what was created are made in the background for minutes, and their CPU would count as that of the calls measured.
  const service = await startService(scene, dataDir, { EMBEDDINGS: "off", ...more });
  for (const board of [lists, mixed]) await fill(service, board);
  await awaitIndex(service);
  return {
    service,
    seeded,
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

async function seed(scene: Scene, order: SeedOrder): Promise<string> {
  const helper = startChild<SeedOrder, { seconds: number; bytes: number }>(scene, "seed");
  const { seconds, bytes } = await helper.ask(order);
  helper.child.disconnect();
  return `${order.tiles.toLocaleString("en")} tiles on 100 other boards, ${Math.round(bytes / 1_048_576)} MB, written in ${seconds.toFixed(0)} s`;
}

async function fill(service: Service, { id, key }: Board): Promise<void> {
  for (let n = 1; n <= ZONES; n++) await call(service, key, "POST", `/api/board/${id}/zones`, { name: `Zone number ${n}` });
  const tiles = Array.from({ length: TILES }, (_, n) => ({ board_id: id, title: `Note ${n}`, content: prose(CHARACTERS, 1_000 + n) }));
  await call(service, key, "POST", "/api/inbound/tiles/batch", { tiles });
}
