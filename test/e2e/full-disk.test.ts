import { join } from "node:path";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../support/people/people.ts";
import { type ServerProcess, call, startServer, tesseraJsonUnder } from "./support/process.ts";
import { type LocalServer, listen, sendPage, until } from "./support/servers.ts";
import { type SmallDisk, makeSmallDisk } from "./support/small-disk.ts";

const EMAIL = "owner@example.com";
const FULL = /^The disk of the server is full: .*frees some space\..*\.$/;

/** The steps build on each other, as a disk fills, stays full over a restart, and has room again. */

let disk: SmallDisk;
let origin: LocalServer;
let server: ServerProcess;
let key: string;
let boardId: string;
let linkId: string;
const held: ServerResponse[] = [];
const cookies: string[] = [];

beforeAll(async () => {
  disk = await makeSmallDisk(24);
  origin = await listen((_request, response) => void held.push(response));
  server = await boot();
  ({ key } = await tesseraJsonUnder(disk.launcher, { DATA_DIR: join(disk.folder, "data") }, "key", "create", "--name", "test"));
  boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
  const token = /\/claim#(\S+)/.exec(server.stdout())?.[1];
  cookies.push(await enter("/api/settings/claim", { token, email: EMAIL, password: PASSWORD }));
  expect((await note("The harbour opens at six.")).status).toBe(200);
  await until("the search", async () => (await search()).text.includes("opens at six"));
  linkId = (await call(server.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url: `${origin.url}/page` })).json.tile.id;
  await until("the running link", () => held.length === 1);
}, 60_000);
afterAll(async () => {
  await server?.kill("SIGKILL");
  await origin?.close();
  await disk?.remove();
});

const boot = () =>
  startServer({ DATA_DIR: join(disk.folder, "data"), FETCH_ALLOW: origin.host, LOG_LEVEL: "info" }, "src/main.ts", disk.launcher);
const note = (content: string) => call(server.url, key, "POST", `/api/board/${boardId}/tiles`, { content });
const search = () => call(server.url, key, "GET", `/api/board/${boardId}/search?q=harbour`);
const ready = () => call(server.url, null, "GET", "/health/ready");
const session = (cookie: string) => call(server.url, null, "GET", "/api/settings/session", undefined, { cookie });

const post = (path: string, body: object): Promise<Response> =>
  fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.url, "sec-fetch-site": "same-origin" },
    body: JSON.stringify(body),
  });

/** Logs in, and returns the cookie. */
async function enter(path: string, body: object): Promise<string> {
  const response = await post(path, body);
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
  return response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

async function expectReadingOnly(): Promise<void> {
  await until("a rejected note", async () => (await note("More.")).status === 507);
  const refused = await note("Even more.");
  expect(refused.status).toBe(507);
  expect(refused.json.error).toMatch(FULL);
  const { status, json } = await until("the state", async () => {
    const state = await ready();
    return state.status === 503 && state;
  });
  expect({ status, json }).toEqual({ status: 503, json: { error: expect.stringMatching(FULL), code: "storage_full" } });
  expect((await call(server.url, key, "GET", `/api/board/${boardId}/tiles`)).status).toBe(200);
  const found = await search();
  expect(found.status).toBe(200);
  expect(JSON.stringify(found.json)).toContain("opens at six");
  for (const cookie of cookies) expect((await session(cookie)).status).toBe(200);
}

test("a full disk rejects writes with 507, and goes on reading", { timeout: 60_000 }, async () => {
  disk.fill();
  await expectReadingOnly();
  held.forEach((response) => sendPage(response, "A page"));
});

test("a full disk lets people log in, with a session in memory", { timeout: 60_000 }, async () => {
  const cookie = await enter("/api/settings/session", { email: EMAIL, password: PASSWORD });
  expect((await session(cookie)).json.member.email).toBe(EMAIL);
  expect((await post("/api/settings/session", { email: EMAIL, password: "wrong password" })).status).toBe(401);
  cookies.push(cookie);
  expect(server.stdout().match(/"msg":"The disk of the server is full/g)).toHaveLength(1);
});

test("a server with a full disk works again when there is room, and keeps that session and the link", { timeout: 90_000 }, async () => {
  disk.free();
  await until("the state", async () => (await ready()).status === 200);
  expect((await note("Room again.")).status).toBe(200);
  for (const cookie of cookies) expect((await session(cookie)).status).toBe(200);
  const tile = await until(
    "the link",
    async () => {
      const { json } = await call(server.url, key, "GET", `/api/board/tiles/${linkId}`);
      return json.tile.status !== "processing" && json.tile;
    },
    60_000,
  );
  expect(tile).toMatchObject({ status: "ready", error: null });
});

test("a full disk is no reason not to start: the server reads, and continues when there is room", { timeout: 90_000 }, async () => {
  disk.fill();
  expect((await server.kill("SIGTERM")).code).toBe(0);
  disk.fill();
  server = await boot();
  await expectReadingOnly();
  disk.free();
  await until("the state", async () => (await ready()).status === 200);
  expect((await note("Room once more.")).status).toBe(200);
});
