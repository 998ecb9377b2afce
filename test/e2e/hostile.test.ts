import { readFileSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOSTILE } from "./support/hostile.ts";
import { type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { type LocalServer, listen, pause, sendPage, until } from "./support/servers.ts";

const NAMES = Object.keys(HOSTILE);
const GOOD = "good.example";
const toHost = (name: string): string => `${name}.hostile.example`;

const folder = makeFolder();
let origin: LocalServer;
let server: ServerProcess;
let key: string;
let boardId: string;

beforeAll(async () => {
  origin = await listen((request, response) => {
    const name = (request.headers.host ?? "").split(".", 1)[0] ?? "";
    const hostile = HOSTILE[name];
    if (hostile === undefined) sendPage(response, "The harbour", "Its gate opens at six.");
    else hostile(response);
  });
  const routes = [GOOD, ...NAMES.map(toHost)].map((host) => `http://${host}=${origin.url}`).join(",");
  const environment = {
    DATA_DIR: folder.dataDir,
    FETCH_ALLOW: origin.host,
    FETCH_ROUTES: routes,
    INGEST_TIMEOUT_MS: "20000",
    INGEST_ATTEMPTS: "1",
    LOG_LEVEL: "warn",
  };
  server = await startServer(environment);
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "test"));
  boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
}, 60_000);
afterAll(async () => {
  await server?.kill("SIGTERM");
  await origin?.close();
  folder.remove();
});

const post = async (url: string): Promise<string> =>
  (await call(server.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url })).json.tile.id;
const readTile = async (id: string): Promise<any> => (await call(server.url, key, "GET", `/api/board/tiles/${id}`)).json.tile;

/** Reads a file of a thread or process in /proc. Returns "" if it has ended since it was listed. */
function readProcFile(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return "";
    throw error;
  }
}

/** Returns the resident memory of the server and its child processes, in MiB. */
function residentMib(pid: number): number {
  const own = (process: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(readProcFile(`${process}/status`))?.[1] ?? "0") / 1_024;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readProcFile(`${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
  return children.reduce((sum, child) => sum + own(child), own(pid));
}

test(
  "sixteen hostile servers at once all end, while a normal link is read immediately, requests are answered and memory stays bounded",
  { timeout: 150_000 },
  async () => {
    expect(NAMES).toHaveLength(16);
    const before = residentMib(server.pid);
    const watch = { isOver: false, most: before, latencies: [] as number[] };
    const watching = (async () => {
      while (!watch.isOver) {
        const start = performance.now();
        await call(server.url, key, "GET", `/api/board/${boardId}/zones`);
        watch.latencies.push(performance.now() - start);
        watch.most = Math.max(watch.most, residentMib(server.pid));
        await pause(20);
      }
    })();
    const start = performance.now();
    const ids = new Map<string, string>();
    for (const name of NAMES) ids.set(name, await post(`http://${toHost(name)}/page`));
    await pause(1_000);
    const goodStart = performance.now();
    const good = await post(`http://${GOOD}/page`);
    await until("the good link", async () => (await readTile(good)).status === "ready");
    const goodMs = performance.now() - goodStart;
    const ended = new Map<string, string>();
    await until(
      "every hostile link",
      async () => {
        for (const [name, id] of ids) {
          const tile = ended.has(name) ? null : await readTile(id);
          if (tile === null || tile.status === "processing") continue;
          ended.set(
            name,
            `${tile.status}${tile.error === null ? "" : ` ${tile.error.code}`}, ${((performance.now() - start) / 1_000).toFixed(1)} s`,
          );
        }
        return ended.size === NAMES.length;
      },
      120_000,
    );
    watch.isOver = true;
    await watching;
    const sorted = watch.latencies.toSorted((a, b) => a - b);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    process.stdout.write(
      `hostile origins: the good link ready after ${(goodMs / 1_000).toFixed(1)} s; p95 of a call ${p95.toFixed(0)} ms (${sorted.length} calls, worst ${sorted.at(-1)?.toFixed(0)} ms); ` +
        `memory ${before.toFixed(0)} MiB, at most ${watch.most.toFixed(0)}\n${[...ended].map(([name, end]) => `  ${name}: ${end}`).join("\n")}\n`,
    );
    // 400 MB, in MiB.
    expect(watch.most - before).toBeLessThan(381);
    for (const id of ids.values()) {
      const { error, status } = await readTile(id);
      if (status === "failed")
        expect(error).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/^\S.*\.$/) });
    }
  },
);
