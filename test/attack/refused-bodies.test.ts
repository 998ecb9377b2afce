import { afterAll, beforeAll, expect, test } from "vitest";
import { pour } from "../support/clients/raw.ts";
import { tesseraJson } from "../e2e/support/process.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, timeDuring, type Victim } from "./support/victim.ts";

const LONG = "x".repeat(15_500_000);
const CONNECTIONS = 4;
const ROUNDS = 3;
const TIMEOUT_MS = 60_000;

let victim: Victim;
let revokedKey: string;
beforeAll(async () => {
  victim = await startVictim();
  const created = await tesseraJson(victim.environment, "key", "create", "--name", "revoked", "--business", victim.attacker.businessId);
  revokedKey = created.key;
  await tesseraJson(victim.environment, "key", "revoke", created.apiKey.id);
}, TIMEOUT_MS);
afterAll(() => victim.stop());

const BOARDS = "/api/board/boards";
const JSON_TYPE = "application/json";
const readOther = () => callAs(victim, victim.other, "GET", BOARDS);

type Attack = readonly [name: string, path: string, type: string, body: () => string | Buffer, status: number];
const ATTACKS: readonly Attack[] = [
  ["are not JSON", BOARDS, JSON_TYPE, () => `{"name": "${LONG}`, 400],
  ["are not UTF-8", BOARDS, JSON_TYPE, () => Buffer.concat([Buffer.from(`{"name": "${LONG}`), Buffer.from([0xff])]), 400],
  ["have a field that is too long", BOARDS, JSON_TYPE, () => `{"name": "${LONG}"}`, 400],
  ["are for an unknown board", "/api/inbound/tiles", JSON_TYPE, () => `{"board_id": "brd_x", "content": "a", "unknown": "${LONG}"}`, 404],
  ["are not a message of MCP", "/mcp", JSON_TYPE, () => `{"jsonrpc": "${LONG}"}`, 400],
  ["are not a multipart form", "/api/inbound/tiles", "multipart/form-data; boundary=b", () => LONG, 400],
];

test("bodies with several keys of one business do not stay in memory", { timeout: TIMEOUT_MS }, async () => {
  const keys = [victim.attacker.key, await victim.newKey(), await victim.newKey()];
  const body = `{"name": "${LONG}"}`;
  const attack = async (key: string): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const response = await fetch(victim.server.url + BOARDS, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": JSON_TYPE },
        body,
      });
      expect([400, 429]).toContain(response.status);
      await response.text();
    }
  };
  await timeDuring(Promise.all([...keys, ...keys, ...keys].map(attack)), readOther, 1);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test.each(ATTACKS)("bodies that %s do not stay in memory", { timeout: TIMEOUT_MS }, async (_name, path, type, body, status) => {
  const bytes = body();
  const attack = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const headers = { "x-api-key": victim.attacker.key, "content-type": type, accept: "application/json, text/event-stream" };
      const response = await fetch(victim.server.url + path, { method: "POST", headers, body: bytes });
      expect([status, 429]).toContain(response.status);
      await response.text();
    }
  };
  await timeDuring(Promise.all(Array.from({ length: CONNECTIONS }, attack)), readOther, 1);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test.each([
  ["a revoked key", "POST", BOARDS, () => revokedKey, 401],
  ["an unknown path", "POST", "/api/nowhere", () => victim.attacker.key, 404],
  ["a method that the path does not have", "PATCH", BOARDS, () => victim.attacker.key, 405],
  ["an unknown board", "POST", "/api/board/brd_x/tiles", () => victim.attacker.key, 404],
  ["an unsupported media type", "POST", BOARDS, () => victim.attacker.key, 415],
  ["a file that is no form", "POST", () => `/api/board/${victim.attacker.boardId}/files`, () => victim.attacker.key, 415],
  ["a listing", "GET", BOARDS, () => victim.attacker.key, 200],
  ["the page", "GET", "/", () => victim.attacker.key, 200],
] as const)("the body of a request with %s is not received", async (_name, method, path, key, status) => {
  const url = typeof path === "string" ? path : path();
  const head = `${method} ${url} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key()}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const answer = await pour(victim.server.url, head, Buffer.alloc(65_536, 0x20), 256 * 1_048_576);
  expect(answer.isClosedByServer).toBe(true);
  // A connection that is closed while the client sends can lose the response.
  expect([status, 0]).toContain(answer.status);
});

test("uploads that are aborted do not stay in memory", { timeout: TIMEOUT_MS }, async () => {
  const type = `X-API-Key: ${victim.attacker.key}\r\nContent-Type: application/json\r\nContent-Length: ${LONG.length}\r\n\r\n`;
  for (let round = 0; round < 10; round++)
    await Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        pour(victim.server.url, `POST ${BOARDS} HTTP/1.1\r\nHost: a\r\n${type}`, Buffer.alloc(1_048_576, 0x20), 12 * 1_048_576),
      ),
    );
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
  const long = { name: "Harbour", unknown: LONG };
  const post = async () => (await callAs(victim, victim.attacker, "POST", BOARDS, long)).status;
  await expect.poll(post, { timeout: 10_000 }).toBe(200);
});
