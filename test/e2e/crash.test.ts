import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isPostgres, newStorage } from "../support/engine.ts";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { parseLogLines } from "./support/log-lines.ts";
import { type LocalServer, listen, sendPage, until } from "./support/servers.ts";

const ENTRY = "test/e2e/support/crashing-server.ts";
const EXIT_CODE = 70;

let folder: ReturnType<typeof makeFolder>;
let storage: Awaited<ReturnType<typeof newStorage>>;
let origin: LocalServer;
let environment: Environment;
let answer: (response: ServerResponse, path: string) => void;
const servers: ServerProcess[] = [];

beforeEach(async () => {
  folder = makeFolder();
  storage = await newStorage();
  answer = (response, path) => void setTimeout(() => sendPage(response, `Page ${path}`), 400);
  origin = await listen((request, response) => answer(response, request.url ?? ""));
  environment = {
    DATA_DIR: folder.dataDir,
    ...storage.environment,
    FETCH_ALLOW: origin.host,
    INGEST_PER_HOST: "16",
    LOG_LEVEL: "warn",
  };
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill("SIGKILL")));
  await origin.close();
  await storage.drop();
  folder.remove();
});

async function boot(entry = ENTRY, more: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await startServer({ ...environment, ...more }, entry);
  servers.push(server);
  return server;
}

/** Restarts the server. Jobs run before the ready line, so the start itself can crash. */
async function restart(crashes: string[]): Promise<ServerProcess> {
  for (;;) {
    expect(crashes.length, "crashes").toBeLessThanOrEqual(3);
    try {
      return await boot();
    } catch (error) {
      expect((error as Error).message).toContain(`ended with ${EXIT_CODE}`);
      crashes.push("");
    }
  }
}

type Tile = { readonly title: string; readonly status: string; readonly error: { readonly code: string; readonly message: string } | null };

async function prepare(): Promise<{ readonly key: string; readonly boardId: string }> {
  const { key } = await tesseraJson(environment, "key", "create", "--name", "crash");
  const { boards } = await tesseraJson(environment, "board", "list");
  return { key, boardId: boards[0].id };
}

async function post(url: string, { key, boardId }: { key: string; boardId: string }, paths: readonly string[]): Promise<string[]> {
  const tiles = paths.map((path) => ({ board_id: boardId, url: `${origin.url}/${path}` }));
  const { json } = await call(url, key, "POST", "/api/inbound/tiles/batch", { tiles });
  return json.results.map(({ tile }: { tile: { id: string } }) => tile.id);
}

const readTile = async (url: string, { key }: { key: string }, id: string): Promise<Tile> =>
  (await call(url, key, "GET", `/api/board/tiles/${id}`)).json.tile;

test(
  "an error that nothing handles ends the process with code 70; the link that caused it fails in its last attempt, and others become ready",
  { timeout: 300_000 },
  async () => {
    const access = await prepare();
    let server = await boot();
    const [poisoned = "", ...innocent] = await post(server.url, access, ["poison", "1", "2", "3", "4", "5"]);
    const crashes: string[] = [];
    const settled = async (): Promise<Tile[] | false> => {
      const tiles = await Promise.all([poisoned, ...innocent].map((id) => readTile(server.url, access, id)));
      return tiles.every(({ status }) => status !== "processing") && tiles;
    };
    // Restart the server whenever it ends, as a supervisor does.
    let tiles: Tile[] | undefined;
    while (tiles === undefined) {
      const crashed = server.ended.then((end) => ({ end }));
      const found = await Promise.race([crashed, until("the end of all jobs", settled).catch(() => crashed)]);
      if (Array.isArray(found)) tiles = found;
      else {
        expect(found.end).toMatchObject({ code: EXIT_CODE, signal: null });
        crashes.push(found.end.stdout);
        server = await restart(crashes);
      }
    }
    expect(crashes).toHaveLength(3);
    const [first, ...others] = tiles;
    expect(first).toMatchObject({ status: "failed", error: { code: "worker_crashed", message: expect.stringMatching(/paste/i) } });
    expect(others.map(({ status }) => status)).toEqual(innocent.map(() => "ready"));
    const [line, record] = parseLogLines(crashes[0] ?? "", "fatal");
    expect(record).toMatchObject({ counted: expect.arrayContaining([expect.any(String)]), failed: [] });
    expect(line).toMatchObject({
      origin: "uncaughtException",
      err: { message: expect.stringContaining("an injected fault") },
    });
    expect(line?.err?.stack).toContain("the cause of the fault");

    // A manual retry begins with the first attempt, and succeeds without the fault.
    await server.kill("SIGTERM");
    server = await boot("src/main.ts");
    await call(server.url, access.key, "POST", `/api/board/tiles/${poisoned}/retry`);
    await until("the retried tile", async () => (await readTile(server.url, access, poisoned)).status === "ready");
  },
);

test("a rejected promise that nothing awaits ends the process too", { timeout: 300_000 }, async () => {
  const access = await prepare();
  const server = await boot();
  await post(server.url, access, ["rejects"]);
  const { code, stdout } = await server.ended;
  expect(code).toBe(EXIT_CODE);
  expect(parseLogLines(stdout, "fatal")[0]).toMatchObject({
    origin: "unhandledRejection",
    err: { message: "an injected rejection" },
  });
});

test.each(["crash-later", "crash-body"])(
  "a request whose error nothing handles ends the process too (%s)",
  { timeout: 300_000 },
  async (way) => {
    const access = await prepare();
    const server = await boot();
    await call(server.url, access.key, "POST", `/api/board/${access.boardId}/zones?${way}`, { name: "Z" }).catch(() => {});
    const { code, stdout } = await server.ended;
    expect(code).toBe(EXIT_CODE);
    expect(parseLogLines(stdout, "fatal")).toMatchObject([{ err: { message: "an injected fault of a call" } }]);
  },
);

test("an error that nothing handles counts as an attempt of every running link", { timeout: 300_000 }, async () => {
  const access = await prepare();
  let running = 0;
  answer = () => void running++;
  const server = await boot();
  await post(server.url, access, ["1", "2"]);
  await until("two running links", () => running === 2);
  const { stdout } = await server.kill("SIGUSR2");
  expect(parseLogLines(stdout, "fatal")).toMatchObject([
    { origin: "uncaughtException" },
    { counted: [expect.any(String), expect.any(String)], failed: [] },
  ]);
});

test(
  "an error that nothing handles closes the server, and is counted against no link if none was running",
  { timeout: 300_000 },
  async () => {
    const access = await prepare();
    const server = await boot();
    // An open request does not keep the process running.
    const stream = await fetch(`${server.url}/api/board/${access.boardId}/events`, { headers: { "x-api-key": access.key } });
    const streamEnded = stream.text().catch(() => "aborted");
    expect((await server.kill("SIGUSR2")).code).toBe(EXIT_CODE);
    await streamEnded;
    expect(server.stderr()).toContain("listens at its end: false");
    expect(parseLogLines(server.stdout(), "fatal").map(({ msg }) => msg)).toEqual([expect.stringContaining("An unexpected error")]);
  },
);

const postgresOnly = isPostgres() ? [1] : [];
test.each(postgresOnly)("an error that nothing handles does not affect the jobs of other nodes", { timeout: 300_000 }, async () => {
  const held: ServerResponse[] = [];
  answer = (response, path) => (path.includes("held") ? void held.push(response) : void setTimeout(() => sendPage(response, path), 400));
  const access = await prepare();
  // One slot, so that the other node gets links too.
  const steady = await boot("src/main.ts", { INGEST_CONCURRENCY: "1" });
  const [first = ""] = await post(steady.url, access, ["held"]);
  await until("the first running link", () => held.length === 1);
  const crashing = await boot();
  // The steady node reads some of them without a fault. Add links until the other node claims one and crashes.
  let isOver = false;
  const ended = crashing.ended.finally(() => (isOver = true));
  for (let n = 0; !isOver && n < 100; n++) {
    await post(steady.url, access, [`poison-${n}`]);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect((await ended).code).toBe(EXIT_CODE);
  for (const response of held) sendPage(response, "Held");
  await until("the first tile", async () => (await readTile(steady.url, access, first)).status === "ready");
  expect(held).toHaveLength(1);
  expect(steady.stderr()).toBe("");
});
