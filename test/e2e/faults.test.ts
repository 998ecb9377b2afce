import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Environment, type ServerProcess, call, makeFolder, runServer, startServer, tesseraJson } from "./support/process.ts";
import { type LocalServer, type Receiver, listen, openReceiver, pause, sendPage, until } from "./support/servers.ts";

/** What the origin does with a request. */
let behave: (response: ServerResponse, path: string) => void;
let folder: ReturnType<typeof makeFolder>;
let origin: LocalServer;
let receiver: Receiver;
let environment: Environment;
const servers: ServerProcess[] = [];

beforeEach(async () => {
  folder = makeFolder();
  behave = (response, path) => sendPage(response, `Page ${path}`);
  origin = await listen((request, response) => behave(response, request.url ?? ""));
  receiver = await openReceiver();
  environment = {
    DATA_DIR: folder.dataDir,
    FETCH_ALLOW: origin.host,
    WEBHOOK_ALLOW: receiver.host,
    INGEST_PER_HOST: "10",
    LOG_LEVEL: "warn",
  };
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill("SIGKILL")));
  await Promise.all([origin.close(), receiver.close()]);
  folder.remove();
});

async function boot(more: Environment = {}): Promise<ServerProcess> {
  const server = await startServer({ ...environment, ...more });
  servers.push(server);
  return server;
}

async function prepare(): Promise<{ readonly key: string; readonly boardId: string }> {
  const { key } = await tesseraJson(environment, "key", "create", "--name", "faults");
  const { boards } = await tesseraJson(environment, "board", "list");
  await tesseraJson(environment, "webhook", "set", receiver.url);
  return { key, boardId: boards[0].id };
}

async function postLinks(url: string, { key, boardId }: { key: string; boardId: string }, count: number): Promise<string[]> {
  const tiles = Array.from({ length: count }, (_, n) => ({ board_id: boardId, url: `${origin.url}/${n}` }));
  const { json } = await call(url, key, "POST", "/api/inbound/tiles/batch", { tiles });
  return json.results.map(({ tile }: { tile: { id: string } }) => tile.id);
}

const statuses = async (url: string, { key, boardId }: { key: string; boardId: string }): Promise<string[]> =>
  (await call(url, key, "GET", `/api/board/${boardId}/tiles?text=false`)).json.tiles.map(({ status }: { status: string }) => status);

test(
  "a server that is killed continues unfinished links after a restart: all become ready, each with one event",
  { timeout: 300_000 },
  async () => {
    const held: ServerResponse[] = [];
    behave = (response) => void held.push(response);
    const access = await prepare();
    const first = await boot();
    const tileIds = await postLinks(first.url, access, 10);
    await until("ten running links", () => held.length === 10);
    expect(await first.kill("SIGKILL")).toMatchObject({ code: null, signal: "SIGKILL" });

    behave = (response, path) => sendPage(response, `Page ${path}`);
    const second = await boot();
    await until("all tiles ready", async () => (await statuses(second.url, access)).every((status) => status === "ready"));
    await until("the events", () => receiver.received.length === tileIds.length);
    await pause(1_000);
    for (const tileId of tileIds) expect(receiver.of(tileId)).toHaveLength(1);
    expect(second.stderr()).toBe("");
  },
);

test("a server that is killed keeps every acknowledged write", { timeout: 300_000 }, async () => {
  const { key, boardId } = await prepare();
  const server = await boot();
  const acknowledged: string[] = [];
  let isOver = false;
  const creators = Array.from({ length: 16 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) {
      try {
        const { status, json } = await call(server.url, key, "POST", `/api/board/${boardId}/tiles`, { content: `note ${writer} ${n}` });
        if (status === 200) acknowledged.push(json.tile.id);
      } catch {
        return;
      }
    }
  });
  await until("enough writes", () => acknowledged.length >= 300);
  await server.kill("SIGKILL");
  isOver = true;
  await Promise.all(creators);

  const again = await boot();
  const { json } = await call(again.url, key, "GET", `/api/board/${boardId}/tiles?text=false`);
  const stored = new Set(json.tiles.map(({ id }: { id: string }) => id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});

test(
  "a server that is killed never repeats an interrupted delivery, and its log says that it may have arrived",
  { timeout: 300_000 },
  async () => {
    await receiver.close();
    receiver = await openReceiver(() => {});
    environment = { ...environment, WEBHOOK_ALLOW: receiver.host };
    const access = await prepare();
    const first = await boot();
    const [tileId = ""] = await postLinks(first.url, access, 1);
    await until("the running delivery", () => receiver.of(tileId).length === 1);
    await first.kill("SIGKILL");
    await boot();
    await pause(1_500);
    expect(receiver.of(tileId)).toHaveLength(1);
    const { deliveries } = await tesseraJson(environment, "webhook", "deliveries");
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]).toMatchObject({ status: "failed", error: expect.stringContaining("may have arrived") });
  },
);

test("a link to a server that never responds fails after the last attempt, with a complete error", { timeout: 300_000 }, async () => {
  let hits = 0;
  behave = () => void hits++;
  const access = await prepare();
  const server = await boot({ INGEST_TIMEOUT_MS: "2000", INGEST_ATTEMPTS: "2" });
  const [tileId = ""] = await postLinks(server.url, access, 1);
  const { json } = await call(server.url, access.key, "GET", `/api/board/tiles/${tileId}?wait=30`);
  expect(json.tile.status).toBe("failed");
  expect(json.tile.error).toEqual({
    code: "timeout",
    message: expect.stringMatching(/\w+.*\./),
    stage: expect.any(String),
    retryable: true,
    attempts: 2,
  });
  expect(hits).toBe(2);
  await pause(500);
  expect(receiver.received).toHaveLength(0);
});

test(
  "SIGTERM ends the process within ten seconds with exit code 0, and the next start completes unfinished work",
  { timeout: 300_000 },
  async () => {
    const hanging = await openReceiver(() => {});
    environment = { ...environment, WEBHOOK_ALLOW: hanging.host };
    receiver = { ...hanging, close: () => hanging.close() };
    const held: ServerResponse[] = [];
    behave = (response, path) => (path === "/0" ? sendPage(response, "The first") : void held.push(response));
    const access = await prepare();
    const first = await boot({ WEBHOOK_TIMEOUT_MS: "60000", INGEST_TIMEOUT_MS: "120000" });
    const tileIds = await postLinks(first.url, access, 6);
    await until("running links and a running delivery", () => held.length === 5 && hanging.received.length === 1);
    const waiting = call(first.url, access.key, "GET", `/api/board/tiles/${tileIds[3]}?wait=60`).catch(() => null);
    await pause(300);

    const start = performance.now();
    const { code, stderr } = await first.kill("SIGTERM");
    const took = performance.now() - start;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // The delivery alone would take a minute, and each link two.
    expect(took).toBeLessThan(60_000);
    await waiting;
    await expect(fetch(`${first.url}/health/live`)).rejects.toThrow();
    const db = new Database(join(folder.dataDir, "tessera.sqlite"), { readonly: true });
    expect(db.prepare("SELECT lease, attempts FROM job").all()).toEqual(Array.from({ length: 5 }, () => ({ lease: null, attempts: 0 })));
    db.close();

    behave = (response, path) => sendPage(response, `Page ${path}`);
    const second = await boot();
    await until("all tiles ready", async () => (await statuses(second.url, access)).every((status) => status === "ready"));
    await until("an event for each", () => hanging.received.length === 6);
    for (const tileId of tileIds) expect(hanging.of(tileId)).toHaveLength(1);
    const { deliveries } = await tesseraJson(environment, "webhook", "deliveries");
    expect(deliveries.at(-1)).toMatchObject({ status: "failed", error: expect.any(String) });
  },
);

test("SIGTERM waits for a pending request, and for a running link with its event", { timeout: 300_000 }, async () => {
  const held: ServerResponse[] = [];
  behave = (response) => void held.push(response);
  const access = await prepare();
  const server = await boot();
  const [tileId = ""] = await postLinks(server.url, access, 1);
  const waiting = call(server.url, access.key, "GET", `/api/board/tiles/${tileId}?wait=30`).catch(() => null);
  await until("the running link", () => held.length === 1);
  await pause(500);
  const ended = server.kill("SIGTERM");
  // The link is one that is read at once. On a slow day the pending request is cut off all the same, after three seconds.
  held[0]?.writeHead(200, { "content-type": "text/plain" }).end("A short text of a slow server.");
  const { code } = await ended;
  expect(code).toBe(0);
  expect(["ready", undefined]).toContain((await waiting)?.json.tile.status);
  expect(receiver.of(tileId)).toHaveLength(1);
});

test("SIGTERM ends an idle server, also with open keep-alive connections", async () => {
  const server = await boot();
  await fetch(`${server.url}/health/live`);
  expect((await server.kill("SIGTERM")).code).toBe(0);
});

test("a second server on the same data directory prints one sentence", { timeout: 300_000 }, async () => {
  const server = await boot();
  const { code, stdout, stderr } = await runServer(environment);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]*Another Tessera server[^\n]*DATA_DIR[^\n]*\.\n$/);
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
});

test("a start on a port in use names the port", { timeout: 300_000 }, async () => {
  const server = await boot();
  const other = makeFolder();
  const port = new URL(server.url).port;
  const { code, stderr } = await runServer({ DATA_DIR: other.dataDir, PORT: port });
  other.remove();
  expect(code).toBe(1);
  expect(stderr).toContain(port);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test.each([
  ["PORT", "abc"],
  ["PORT", "70000"],
  ["ROLE", "x"],
  ["LOG_LEVEL", "loud"],
  ["DATABASE_URL", "postgres://user:s3cretpw@127.0.0.1:1/tessera"],
  ["DATABASE_URL", "mysql://user:s3cretpw@db.example/tessera"],
  ["FETCH_ALLOW", "10.0.0.0/8"],
  ["FETCH_ALLOW", "*"],
  ["WEBHOOK_ALLOW", "n8n"],
  ["FETCH_ROUTES", "https://a.example"],
  ["INGEST_ATTEMPTS", "0"],
  ["TRUST_PROXY", "nonsense"],
])("a start with %s=%s prints one sentence that names the setting", async (name, value) => {
  const { code, stdout, stderr } = await runServer({
    DATA_DIR: folder.dataDir,
    SECRET_KEY: randomBytes(32).toString("base64"),
    [name]: value,
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(name);
  expect(stderr).not.toMatch(/s3cretpw|\n\s+at /);
});
