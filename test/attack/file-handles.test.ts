import { execFileSync } from "node:child_process";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalServer, type Receiver, listen, openReceiver, sendPage, until } from "../e2e/support/servers.ts";
import { makeFolder, tesseraJson } from "../e2e/support/process.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { changeRows } from "../support/engine.ts";
import { callAs, startVictim, type Victim } from "./support/victim.ts";

const LIMIT = 128;
const IDLE_CONNECTIONS = 300;
/** Below the number of files that a running server has open, so that it can open no other. */
const NO_HANDLES = 10;
const PING = { jsonrpc: "2.0", id: 1, method: "tools/list" };

const folder = makeFolder();
let origin: LocalServer;
let receiver: Receiver;
let victim: Victim;

beforeAll(async () => {
  origin = await listen((request, response) => sendPage(response, `Page ${request.url}`));
  receiver = await openReceiver();
  const { port } = new URL(origin.url);
  victim = await startVictim(
    {
      // The name is looked up by the system's resolver, which reports a lack of handles as an unknown name.
      FETCH_ALLOW: `${origin.host},localhost:${port}`,
      FETCH_ROUTES: `http://page.example=http://localhost:${port}`,
      WEBHOOK_ALLOW: receiver.host,
      LOG_LEVEL: "warn",
      BACKUP_DIR: join(folder.dataDir, "backups"),
      INGEST_ATTEMPTS: "1",
    },
    ["prlimit", `--nofile=${LIMIT}`],
  );
  await tesseraJson(victim.environment, "webhook", "set", receiver.url, "--business", victim.attacker.businessId);
}, 60_000);
afterAll(async () => {
  await victim?.stop();
  await Promise.all([origin?.close(), receiver?.close()]);
  folder.remove();
});

const link = async (path: string): Promise<string> => {
  const { attacker } = victim;
  const { status, json } = await callAs(victim, attacker, "POST", "/api/inbound/tiles", {
    board_id: attacker.boardId,
    url: origin.url + path,
  });
  expect(status).toBe(200);
  return json.tile.id;
};
const readTile = async (id: string) => (await callAs(victim, victim.attacker, "GET", `/api/board/tiles/${id}`)).json.tile;

/** Opens connections that never send anything. Returns those that the server has not closed. */
async function openIdle(count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(victim.server.url);
  const sockets = await Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname).on("error", () => {});
      return new Promise<Socket>((resolve) => socket.once("connect", () => resolve(socket)).once("close", () => resolve(socket)));
    }),
  );
  return sockets;
}

test("a server that may open few files says so at its start", () => {
  expect(victim.server.stdout()).toMatch(new RegExp(`may open ${LIMIT} files at once.*Raise the limit`));
});

test("a server that may open few files serves everybody while idle connections want all of them", { timeout: 60_000 }, async () => {
  const idle = await openIdle(IDLE_CONNECTIONS);
  try {
    expect((await callAs(victim, victim.other, "POST", "/mcp", PING)).json.result.tools.length).toBeGreaterThan(0);
    const id = await link("/idle");
    const tile = await until("the link", async () => {
      const found = await readTile(id);
      return found.status !== "processing" && found;
    });
    expect(tile).toMatchObject({ status: "ready", error: null });
    await until("its event", () => receiver.of(id).length === 1);
  } finally {
    for (const socket of idle) socket.destroy();
  }
});

test("a server without any free file handle fails nothing for good, and blames no origin", { timeout: 120_000 }, async () => {
  const { server, attacker } = victim;
  // One connection is open before, since no other is accepted then.
  const dispatcher = new Agent({ connections: 1, pipelining: 1, keepAliveTimeout: 60_000 });
  const send = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const { statusCode, body: answer } = await request(server.url + path, {
      method,
      headers: { "x-api-key": attacker.key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher,
    });
    const text = await answer.text();
    return { status: statusCode, json: text === "" ? undefined : JSON.parse(text) };
  };
  await send("GET", "/api/board/boards");
  expect((await runCommand(victim.environment, "backups", "set", "--every", "day")).code).toBe(0);

  const setLimit = (limit: number): void => void execFileSync("prlimit", ["--pid", String(server.pid), `--nofile=${limit}:${LIMIT}`]);
  setLimit(NO_HANDLES);
  const post = async (url: string): Promise<string> =>
    (await send("POST", "/api/inbound/tiles", { board_id: attacker.boardId, url })).json.tile.id;
  const ids = [await post(`http://localhost:${new URL(origin.url).port}/pressed`), await post("http://page.example/looked-up")];
  await changeRows(victim.environment, "UPDATE backup_schedule SET next_at = 1");
  await until("waiting work", () => (server.stdout().match(/waits\. This server has no free file handles/g)?.length ?? 0) >= 3);
  for (const id of ids)
    expect((await send("GET", `/api/board/tiles/${id}`)).json.tile).toMatchObject({ status: "processing", error: null });

  setLimit(LIMIT);
  const backup = await until(
    "the backup",
    async () => {
      const { backups } = await tesseraJson(victim.environment, "backups");
      return backups.length > 0 && backups[0].status !== "running" && backups[0];
    },
    30_000,
  );
  expect(backup).toMatchObject({ status: "done", error: null });
  for (const id of ids) {
    const tile = await until(
      "the link",
      async () => {
        const found = await readTile(id);
        return found.status !== "processing" && found;
      },
      30_000,
    );
    expect(tile).toMatchObject({ status: "ready", error: null });
    await until("its event", () => receiver.of(id).length === 1);
  }
  expect((await callAs(victim, victim.other, "POST", "/mcp", PING)).status).toBe(200);
  expect((await callAs(victim, victim.other, "GET", "/health/ready")).status).toBe(200);
  await dispatcher.close();
});
