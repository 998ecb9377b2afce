import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { type LocalServer, listen, until } from "../e2e/support/servers.ts";
import { formatRequest, openUnread, readStatuses } from "./support/unread.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, timeDuring, type Victim } from "./support/victim.ts";

const PARTS = 400_000;
const PARTS_PER_WRITE = 20_000;
const CONNECTIONS = 4;
const TIMEOUT_MS = 120_000;
const HOSTILE = "tiny-parts.example";

const toParts = (byte: string): Buffer => Buffer.from(`1\r\n${byte}\r\n`.repeat(PARTS_PER_WRITE));

/** Writes a body whose parts have one byte each (RFC 9112, section 7.1), as fast as it is read. */
async function writeTinyParts(socket: Socket, byte: string, parts = PARTS): Promise<void> {
  const bytes = toParts(byte);
  for (let sent = 0; sent < parts && !socket.destroyed; sent += PARTS_PER_WRITE)
    if (!socket.write(bytes)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => undefined);
}

let origin: LocalServer;
let victim: Victim;
let pagesSent = 0;
beforeAll(async () => {
  origin = await listen((_request, response: ServerResponse) => {
    response.on("close", () => pagesSent++);
    const { socket } = response;
    // Below the response, which would combine what is written in one turn.
    socket?.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n");
    if (socket) void writeTinyParts(socket, "a").then(() => socket.end("0\r\n\r\n"));
  });
  victim = await startVictim({ FETCH_ALLOW: origin.host, FETCH_ROUTES: `http://${HOSTILE}=${origin.url}` });
}, TIMEOUT_MS);
afterAll(async () => {
  await victim.stop();
  await origin.close();
});

const readOther = () => callAs(victim, victim.other, "GET", `/api/board/${victim.other.boardId}/tiles`);

/** Sends a body in parts of one byte, and returns the status of the response. */
async function sendTinyParts(path: string, type: string, before: string, byte: string, after: string): Promise<string> {
  const { hostname, port } = new URL(victim.server.url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("latin1").on("data", (data) => (text += String(data)));
  const closed = Promise.withResolvers<void>();
  socket.on("error", () => undefined).on("close", () => closed.resolve());
  const chunk = (part: string): string => `${part.length.toString(16)}\r\n${part}\r\n`;
  const headers = { "x-api-key": victim.attacker.key, "content-type": type, "transfer-encoding": "chunked", connection: "close" };
  socket.write(formatRequest(path, headers, "POST") + chunk(before));
  await writeTinyParts(socket, byte);
  socket.write(`${chunk(after)}0\r\n\r\n`);
  await closed.promise;
  return text.slice(9, 12);
}

const board = (rest: string): string => `/api/board/${victim.attacker.boardId}/${rest}`;
const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

test.each([
  ["a JSON body", "400", () => sendTinyParts(board("tiles"), "application/json", "{", " ", "]")],
  ["an upload", "200", () => sendTinyParts(board("files"), "multipart/form-data; boundary=b", FORM_START, "a", "\r\n--b--\r\n")],
])("parts of one byte of %s take no more memory than its bytes", { timeout: TIMEOUT_MS }, async (_name, status, send) => {
  const attack = Promise.all(Array.from({ length: CONNECTIONS }, send));
  await timeDuring(attack, readOther);
  expect(new Set(await attack)).toEqual(new Set([status]));
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test("parts of one byte of pages take no more memory than their bytes", { timeout: TIMEOUT_MS }, async () => {
  for (let n = 0; n < CONNECTIONS; n++) {
    const link = { url: `http://${HOSTILE}/${n}` };
    expect((await callAs(victim, victim.attacker, "POST", board("tiles"), link)).status).toBe(200);
  }
  await until("The pages are read", () => pagesSent >= CONNECTIONS, TIMEOUT_MS);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test.each([
  ["with a key", () => ({ path: board("tiles"), headers: { "x-api-key": victim.attacker.key } })],
  ["of callers without a key", () => ({ path: "/api/settings/session", headers: {} })],
])("many short bodies %s that do not arrive completely are counted together", { timeout: TIMEOUT_MS }, async (_name, toTarget) => {
  const { path, headers } = toTarget();
  const head = formatRequest(path, { ...headers, "content-type": "application/json", "content-length": "60000" }, "POST");
  const attack = await openUnread(victim, 1_500, head + "a".repeat(59_000));
  try {
    expect((await readOther()).status).toBe(200);
    // A log-in needs no counted memory.
    const logIn = await call(victim.server.url, null, "POST", "/api/settings/session", {
      email: "a@example.com",
      password: "wrong password",
    });
    expect(logIn.status).toBe(401);
    expect(Object.keys(await readStatuses(attack))).toEqual(["429"]);
    expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
  } finally {
    attack.close();
  }
});
