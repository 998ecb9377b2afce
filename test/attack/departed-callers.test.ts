import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readRaw } from "../support/clients/raw.ts";
import { call } from "../e2e/support/process.ts";
import { until } from "../e2e/support/servers.ts";
import { formatRequest } from "./support/unread.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Victim } from "./support/victim.ts";

const TILES = 100;
/** More than a key may have waiting, so that some are refused. */
const PARALLEL = 160;
const MAX_WAITING = 128;
/** Of each kind of call. */
const DEPARTED = 40;
const LONG = "harbour ".repeat(40_000);
/** Four such bodies are the share of one key, a quarter of 128 MiB. */
const BODY_BYTES = 8 * 1_048_576;
const MAX_HELD = 4;
const HOLDING = 20;
const TIMEOUT_MS = 60_000;

let victim: Victim;
let longTileId: string;
beforeAll(async () => {
  victim = await startVictim({ EMBEDDINGS: "off" });
  const { boardId } = victim.attacker;
  const tiles = Array.from({ length: TILES }, (_, n) => ({
    board_id: boardId,
    content: `Note ${n}. ${"harbour storm light ".repeat(100)}`,
  }));
  expect((await callAs(victim, victim.attacker, "POST", "/api/inbound/tiles/batch", { tiles })).status).toBe(200);
  const created = await callAs(victim, victim.attacker, "POST", `/api/board/${boardId}/tiles`, { content: LONG });
  longTileId = created.json.tile.id;
}, TIMEOUT_MS);
afterAll(() => victim?.stop());

const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data; boundary=b";

/** Calls that wait for their turn, as method, path, media type and body. */
const createCalls = ({ boardId }: Victim["attacker"]): readonly (readonly [string, string, string, string])[] => [
  ["GET", `/api/board/${boardId}/search?q=harbour&scope=all`, "", ""],
  ["GET", `/api/board/tiles/${longTileId}`, "", ""],
  ["POST", `/api/board/${boardId}/tiles`, JSON_TYPE, JSON.stringify({ content: LONG })],
  ["POST", "/api/inbound/tiles", JSON_TYPE, JSON.stringify({ board_id: boardId, content: LONG })],
  ["POST", "/api/inbound/tiles", FORM_TYPE, `--b\r\nContent-Disposition: form-data; name="content"\r\n\r\n${LONG}\r\n--b--\r\n`],
  ["POST", "/api/inbound/tiles/batch", JSON_TYPE, JSON.stringify({ tiles: [{ board_id: boardId, content: LONG }] })],
  ["POST", `/api/board/${boardId}/files`, FORM_TYPE, `${FORM_START}${LONG}\r\n--b--\r\n`],
  ["PATCH", `/api/board/tiles/${longTileId}`, JSON_TYPE, JSON.stringify({ content: LONG })],
];

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(victim.server.url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends a whole request and disconnects without reading anything. */
async function depart([method, path, type, body]: readonly [string, string, string, string]): Promise<void> {
  const socket = await open();
  const bodyHeaders = body === "" ? {} : { "content-type": type, "content-length": String(Buffer.byteLength(body)) };
  const head = formatRequest(path, { "x-api-key": victim.attacker.key, ...bodyHeaders }, method);
  // A write to a connection that the server closes calls back with an error.
  await new Promise<void>((resolve) => socket.write(head + body, () => resolve()));
  socket.destroy();
}

/** Searches with all places of the key until the test ends. Returns a function that ends it. */
async function fillQueue(): Promise<() => Promise<void>> {
  const { key, boardId } = victim.attacker;
  let isOver = false;
  let isFull = false;
  const search = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await call(victim.server.url, key, "GET", `/api/board/${boardId}/search?q=storm&scope=all&limit=100`);
      isFull ||= status === 429;
    }
  };
  const searches = Array.from({ length: PARALLEL }, search);
  await until("The queue of the key is full", () => isFull);
  return async () => {
    isOver = true;
    await Promise.all(searches);
  };
}

/** Returns how many of such bodies the key may send at once. */
async function countHeld(): Promise<number> {
  const headers = { "x-api-key": victim.attacker.key, "content-type": JSON_TYPE, "content-length": String(BODY_BYTES) };
  const sockets = await Promise.all(Array.from({ length: HOLDING }, open));
  const statuses: number[] = [];
  for (const socket of sockets) {
    socket.once("data", (data) => statuses.push(readRaw(String(data)).status));
    socket.write(`${formatRequest("/api/board/boards", headers, "POST")}{`);
  }
  try {
    await until("The bodies beyond the share are refused", () => statuses.length >= HOLDING - MAX_HELD);
    // What the server has read before this call is answered by now.
    expect((await callAs(victim, victim.attacker, "POST", "/api/board/boards", { name: "x".repeat(5_000) })).status).toBe(429);
    expect(new Set(statuses)).toEqual(new Set([429]));
    return HOLDING - statuses.length;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Returns how many of as many listings as a key may have waiting are refused. */
async function countRefused(): Promise<number> {
  const { key, boardId } = victim.attacker;
  const list = () =>
    call(victim.server.url, key, "GET", `/api/board/${boardId}/tiles?limit=10`, undefined, { "cache-control": "no-cache" });
  const listed = await Promise.all(Array.from({ length: MAX_WAITING }, list));
  return listed.filter(({ status }) => status === 429).length;
}

test("callers that disconnect after their request leave no places and bytes behind", { timeout: TIMEOUT_MS }, async () => {
  const { attacker, other } = victim;
  const endSearches = await fillQueue();
  onTestFinished(endSearches);
  for (const one of createCalls(attacker)) {
    await Promise.all(Array.from({ length: DEPARTED }, () => depart(one)));
    expect((await callAs(victim, other, "GET", `/api/board/${other.boardId}/search?q=harbour`)).status).toBe(200);
  }
  await endSearches();
  await expect.poll(countRefused, { timeout: TIMEOUT_MS }).toBe(0);
  await expect.poll(countHeld, { timeout: TIMEOUT_MS }).toBe(MAX_HELD);
  expect((await callAs(victim, attacker, "GET", `/api/board/tiles/${longTileId}`)).status).toBe(200);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});
