import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestService, startTestService } from "../support/service.ts";

/** The number of distinct inputs of each kind, and their length: in total far more than the allowed heap growth. */
const INPUTS = 900;
const LENGTH = 14_000;
const MAX_GROWTH_BYTES = 7 * 1_048_576;
const CONCURRENCY = 8;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "0" });
  for (const name of ["One", "Two"]) await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name } });
  for (let n = 0; n < 20; n++) await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: `Tile ${n}` } });
});
afterAll(() => service.stop());

const long = (n: number, length = LENGTH): string => `${n}x`.padEnd(length, "abcdefghij");
async function heapBytes(): Promise<number> {
  for (let n = 0; n < 3; n++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function drive(call: (n: number) => Promise<unknown>, from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += CONCURRENCY) await Promise.all(Array.from({ length: CONCURRENCY }, (_, i) => call(n + i)));
}

type Driver = readonly [name: string, call: (n: number) => Promise<{ readonly status: number }>, statuses: readonly number[]];
const board = (): string => `/api/board/${service.boardId}`;
const DRIVERS: readonly Driver[] = [
  ["unknown parameters of a listing", (n) => service.call("GET", `${board()}/zones?limit=1&p=${long(n)}`), [200]],
  ["values of updated_since", (n) => service.call("GET", `${board()}/tiles?limit=20&updated_since=${new Date(n).toISOString()}`), [200]],
  ["spellings of one query", (n) => service.call("GET", `${board()}/tiles?limit=1${"&q".repeat(n % 900)}&z=${n}`), [200]],
  ["unknown boards", (n) => service.call("GET", `/api/board/${long(n)}/zones`), [404]],
  ["unknown zones and tiles", (n) => service.call("GET", `/api/board/${n % 2 === 0 ? "zones" : "tiles"}/${long(n)}`), [404]],
  ["unknown keys", (n) => service.call("GET", "/api/me", { key: `tsr_${long(n, 8_000)}` }), [401]],
  ["foreign cursors", (n) => service.call("GET", `${board()}/tiles?cursor=${long(n)}`), [400]],
  ["unknown paths", (n) => service.call("GET", `/nowhere/${long(n)}`), [404]],
  ["idempotency keys", (n) => service.call("POST", `${board()}/zones`, { body: {}, headers: { "idempotency-key": long(n, 250) } }), [400]],
  [
    "user agents and forwarded addresses",
    (n) => service.call("GET", "/api/me", { headers: { "user-agent": long(n, 6_000), "x-forwarded-for": long(n, 6_000) } }),
    [200],
  ],
  [
    "ids of MCP requests",
    (n) =>
      service.call("POST", "/mcp", {
        body: { jsonrpc: "2.0", id: long(n), method: "ping" },
        headers: { accept: "application/json, text/event-stream" },
      }),
    [200],
  ],
];

test.each(DRIVERS)("varying input does not grow the memory: %s", { timeout: 180_000 }, async (_name, call, statuses) => {
  expect(statuses).toContain((await call(1_000_000)).status);
  // Modules and caches filled by the first calls do not count as growth.
  await drive(call, 500_000, 80);
  const before = await heapBytes();
  await drive(call, 0, INPUTS);
  expect(((await heapBytes()) - before) / 1_048_576).toBeLessThan(MAX_GROWTH_BYTES / 1_048_576);
});
