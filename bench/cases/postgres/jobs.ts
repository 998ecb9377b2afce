import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { generateProse } from "../../output/random-text.ts";
import { type BenchContext, sleep } from "../../context.ts";
import { type Board, type Service, callApi, createBoard, startService } from "../../servers/service.ts";

const LINKS = 1_000;
const BATCH = 100;
const WAKE_UPS = 20;
const IDLE_MS = 200;
const TIMEOUT_MS = 180_000;

export type JobMeasurements = {
  readonly jobs: number;
  readonly linksPerSecond: number;
  /** Milliseconds of each wake-up. */
  readonly wakeMs: readonly number[];
};

const renderPage = (path: string): string =>
  `<!doctype html><html lang="en"><head><title>Page ${path}</title></head><body><article><h1>Page ${path}</h1>
${[1, 2, 3].map((n) => `<p>${generateProse(500, n)}</p>`).join("\n")}</article></body></html>`;

/**
 * Measures how fast links of a loopback origin become ready, and how soon an idle worker starts one. On PostgreSQL, one process serves
 * the API and another one does the work.
 */
export async function measureJobs(
  context: BenchContext,
  name: string,
  extraEnvironment: Readonly<Record<string, string>>,
  isQuick: boolean,
): Promise<JobMeasurements> {
  const requestTimes = new Map<string, number>();
  const origin = createServer((request, response) => {
    requestTimes.set(request.url ?? "", performance.now());
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(renderPage(request.url ?? ""));
  });
  await new Promise<void>((resolve) => void origin.listen(0, "127.0.0.1", resolve));
  const host = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const dataDir = join(context.folder, name);
  const environment = { ...extraEnvironment, FETCH_ALLOW: host.slice("http://".length), INGEST_CONCURRENCY: "64", INGEST_PER_HOST: "64" };
  const isShared = "DATABASE_URL" in extraEnvironment;
  try {
    const board = await createBoard(dataDir, "Jobs", environment);
    const api = await startService(context, dataDir, { ...environment, ROLE: isShared ? "api" : "all" });
    const worker = isShared ? await startService(context, `${dataDir}-worker`, { ...environment, ROLE: "worker" }) : null;
    const wakeMs = await measureWakeUps(api, board, host, requestTimes);
    const links = isQuick ? LINKS / 5 : LINKS;
    const seconds = await measureLinks(api, board, host, links);
    await worker?.stop();
    await api.stop();
    return { jobs: links, linksPerSecond: links / seconds, wakeMs };
  } finally {
    origin.close();
    origin.closeAllConnections();
  }
}

async function measureWakeUps(
  api: Service,
  { id, key }: Board,
  host: string,
  requestTimes: ReadonlyMap<string, number>,
): Promise<number[]> {
  const durations: number[] = [];
  // The first one starts threads and is not counted.
  for (let n = 0; n <= WAKE_UPS; n++) {
    await sleep(IDLE_MS);
    const path = `/wake/${n}`;
    await callApi(api, key, "POST", "/api/inbound/tiles", { board_id: id, url: host + path });
    const answered = performance.now();
    while (!requestTimes.has(path)) {
      if (performance.now() - answered > TIMEOUT_MS) throw new Error("No worker sent a request to the origin.");
      await sleep(1);
    }
    if (n > 0) durations.push(Math.max(0, (requestTimes.get(path) ?? Number.NaN) - answered));
  }
  return durations;
}

async function measureLinks(api: Service, { id, key }: Board, host: string, links: number): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < links; n += BATCH) {
    const tiles = Array.from({ length: Math.min(BATCH, links - n) }, (_, i) => ({ board_id: id, url: `${host}/link/${n + i}` }));
    await callApi(api, key, "POST", "/api/inbound/tiles/batch", { tiles });
  }
  for (;;) {
    const { tiles } = await callApi<{ tiles: unknown[] }>(api, key, "GET", `/api/board/${id}/tiles?status=processing&text=false&limit=1`);
    const seconds = (performance.now() - started) / 1_000;
    if (tiles.length === 0) return seconds;
    if (seconds * 1_000 > TIMEOUT_MS) throw new Error("The links did not become ready in time.");
    await sleep(20);
  }
}
