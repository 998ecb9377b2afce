import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { prose } from "../output/random-text.ts";
import { type Scene, sleep } from "../context.ts";
import { type Board, type Service, call, makeBoard, startService } from "../servers/service.ts";

const LINKS = 1_000;
const BATCH = 100;
const WAKES = 20;
const IDLE_MS = 200;
const PATIENCE_MS = 180_000;

export type JobFigures = {
  readonly jobs: number;
  readonly perSecond: number;
  /** Milliseconds, one for each wake-up. */ readonly wakeMs: readonly number[];
};

const page = (path: string): string =>
  `<!doctype html><html lang="en"><head><title>Page ${path}</title></head><body><article><h1>Page ${path}</h1>
${[1, 2, 3].map((n) => `<p>${prose(500, n)}</p>`).join("\n")}</article></body></html>`;

/**
 * How fast links of a loopback origin become ready, and how soon an idle worker begins with one. On a storage that nodes share, the
 * calls are answered by one process and the work is done by another.
 */
export async function measureJobs(
  scene: Scene,
  name: string,
  more: Readonly<Record<string, string>>,
  isQuick: boolean,
): Promise<JobFigures> {
  const asked = new Map<string, number>();
  const origin = createServer((request, response) => {
    asked.set(request.url ?? "", performance.now());
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page(request.url ?? ""));
  });
  await new Promise<void>((resolve) => void origin.listen(0, "127.0.0.1", resolve));
  const host = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const dataDir = join(scene.folder, name);
  const environment = { ...more, FETCH_ALLOW: host.slice("http://".length), INGEST_CONCURRENCY: "64", INGEST_PER_HOST: "64" };
  const isShared = "DATABASE_URL" in more;
  try {
    const board = await makeBoard(dataDir, "Jobs", environment);
    const api = await startService(scene, dataDir, { ...environment, ROLE: isShared ? "api" : "all" });
    const worker = isShared ? await startService(scene, `${dataDir}-worker`, { ...environment, ROLE: "worker" }) : null;
    const wakeMs = await measureWakes(api, board, host, asked);
    const links = isQuick ? LINKS / 5 : LINKS;
    const seconds = await measureLinks(api, board, host, links);
    await worker?.stop();
    await api.stop();
    return { jobs: links, perSecond: links / seconds, wakeMs };
  } finally {
    origin.close();
    origin.closeAllConnections();
  }
}

async function measureWakes(api: Service, { id, key }: Board, host: string, asked: ReadonlyMap<string, number>): Promise<number[]> {
  const wakes: number[] = [];
  // The first one starts threads, which no later one waits for.
  for (let n = 0; n <= WAKES; n++) {
    await sleep(IDLE_MS);
    const path = `/wake/${n}`;
    await call(api, key, "POST", "/api/inbound/tiles", { board_id: id, url: host + path });
    const answered = performance.now();
    while (!asked.has(path)) {
      if (performance.now() - answered > PATIENCE_MS) throw new Error("No worker asked the origin.");
      await sleep(1);
    }
    if (n > 0) wakes.push(Math.max(0, (asked.get(path) ?? Number.NaN) - answered));
  }
  return wakes;
}

async function measureLinks(api: Service, { id, key }: Board, host: string, links: number): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < links; n += BATCH) {
    const tiles = Array.from({ length: Math.min(BATCH, links - n) }, (_, i) => ({ board_id: id, url: `${host}/link/${n + i}` }));
    await call(api, key, "POST", "/api/inbound/tiles/batch", { tiles });
  }
  for (;;) {
    const { tiles } = await call<{ tiles: unknown[] }>(api, key, "GET", `/api/board/${id}/tiles?status=processing&text=false&limit=1`);
    const seconds = (performance.now() - started) / 1_000;
    if (tiles.length === 0) return seconds;
    if (seconds * 1_000 > PATIENCE_MS) throw new Error("The links did not become ready in time.");
    await sleep(20);
  }
}
