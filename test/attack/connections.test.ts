import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type LocalServer, listen, until } from "../e2e/support/servers.ts";
import { formatRequest } from "./support/unread.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Victim } from "./support/victim.ts";

/** Files that the server may open, so that its connections are fewer. */
const HANDLES = 512;
/** More than it then accepts. */
const ATTACKING = 600;
/** The network of the attacker. Others connect from 127.0.0.1. */
const ATTACKER = "127.0.0.2";
const CALLS_OF_OTHERS = 10;
const DRIP_MS = 200;
const TIMEOUT_MS = 60_000;

let origin: LocalServer;
let victim: Victim;
let tileId: string;
let sockets: Socket[] = [];
beforeAll(async () => {
  // It never answers, so that a call can wait for its tile.
  origin = await listen(() => {});
  const settings = { FETCH_ALLOW: origin.host, FETCH_ROUTES: `http://silent.example=${origin.url}`, INGEST_TIMEOUT_MS: "600000" };
  victim = await startVictim(settings, ["prlimit", `--nofile=${HANDLES}`]);
  const { attacker } = victim;
  const link = { url: "http://silent.example/" };
  tileId = (await callAs(victim, attacker, "POST", `/api/board/${attacker.boardId}/tiles`, link)).json.tile.id;
}, TIMEOUT_MS);
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(async () => {
  await victim?.stop();
  await origin?.close();
});

/** Opens a connection of the attacker that sends `text`, and then `drip` again and again. */
async function open(text: string, drip = ""): Promise<void> {
  const { hostname, port } = new URL(victim.server.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
  sockets.push(socket);
  socket.on("error", () => {}).resume();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await Promise.race([once(socket, "connect"), closed]);
  if (text !== "") socket.write(text);
  if (drip === "") return;
  const timer = setInterval(() => socket.write(drip), DRIP_MS);
  void closed.then(() => clearInterval(timer));
}

/** Calls on a connection of its own. */
const callAnew = async (path: string): Promise<number> => {
  const { other, server } = victim;
  const response = await fetch(server.url + path, { headers: { "x-api-key": other.key, connection: "close" } });
  await response.arrayBuffer();
  return response.status;
};

const withKey = (): Record<string, string> => ({ "x-api-key": victim.attacker.key });
const BODY = { "content-type": "application/json", "content-length": "1000" };

test.each<readonly [name: string, request: () => string, drip: string]>([
  ["nothing", () => "", ""],
  ["a header that never ends", () => `GET / HTTP/1.1\r\nHost: a\r\nX-Long: `, "x"],
  ["one header after another", () => `GET / HTTP/1.1\r\nHost: a\r\n`, "X-More: 1\r\n"],
  ["a body that never ends", () => `${formatRequest("/api/board/boards", { ...withKey(), ...BODY }, "POST")}{`, " "],
  ["a body without a key that never ends", () => `${formatRequest("/api/settings/session", BODY, "POST")}{`, " "],
  ["calls that wait", () => formatRequest(`/api/board/tiles/${tileId}?wait=60`, withKey()), ""],
])("one network that opens all connections and sends %s keeps nobody out", { timeout: TIMEOUT_MS }, async (_name, send, drip) => {
  const { other, server } = victim;
  let connected = 0;
  const dispatcher = new Agent({ connections: 1, pipelining: 1, keepAliveTimeout: TIMEOUT_MS }).on("connect", () => void connected++);
  const callAgain = async (): Promise<number> => {
    const headers = { "x-api-key": other.key };
    const { statusCode, body } = await request(`${server.url}/api/board/${other.boardId}/tiles`, { headers, dispatcher });
    await body.dump();
    return statusCode;
  };
  expect(await callAgain()).toBe(200);
  for (let opened = 0; opened < ATTACKING; opened += 100) await Promise.all(Array.from({ length: 100 }, () => open(send(), drip)));
  await until("The server closes what is beyond its limit", () => sockets.filter(({ closed }) => closed).length >= ATTACKING - HANDLES);
  for (let n = 0; n < CALLS_OF_OTHERS; n++) expect(await callAnew(`/api/board/${other.boardId}/tiles`)).toBe(200);
  expect(await callAnew("/health/ready")).toBe(200);
  // Neither did it end a connection that others had before.
  expect([await callAgain(), connected]).toEqual([200, 1]);
  expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(0);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
  await dispatcher.close();
});
