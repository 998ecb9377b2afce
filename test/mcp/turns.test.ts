import { expect, it, vi } from "vitest";
import type { Actor } from "#domain/core/access.ts";
import { createMcpHandler } from "#mcp/handler.ts";
import type { ToolDeps } from "#mcp/tool.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";

const ACTOR = { kind: "operator", businessId: "biz_a" } as const satisfies Actor;
const signal = new AbortController().signal;
const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

/** A handler whose queue has one slot, and a count of what its store was asked for. */
function setUp() {
  const reads: string[] = [];
  const workQueue = createSemaphore({ slots: 1 });
  const store = new Proxy({}, { get: (_, name) => (reads.push(String(name)), undefined) });
  const deps = { workQueue, store, createBoundary: () => "f00d", log: { error: () => undefined } } as unknown as ToolDeps;
  const handler = createMcpHandler(deps, { name: 100, title: 300, content: 1_000_000, question: 4_000 });
  const call = async (message: object) => (await handler.handleMessage(message, { actor: ACTOR, version: undefined, signal }))?.json;
  return { reads, workQueue, call };
}

it("the work of a message waits for the caller's turn", async () => {
  const { call, reads, workQueue } = setUp();
  const gate = Promise.withResolvers<void>();
  const other = workQueue.run(() => gate.promise, { owner: "biz_b" });
  const stringify = vi.spyOn(JSON, "stringify");
  const answered: string[] = [];
  const messages = [request("tools/list"), request("tools/call", { name: "list_boards", arguments: {} }), request("initialize", {})];
  const calls = messages.map(async (message) => void answered.push(String(await call(message))));
  // The library is loaded by the first message.
  await import("@modelcontextprotocol/sdk/server/index.js");
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  expect({ answered, reads, written: stringify.mock.calls.length }).toEqual({ answered: [], reads: [], written: 0 });
  stringify.mockRestore();
  gate.resolve();
  await Promise.all([...calls, other]);
  expect(answered).toHaveLength(3);
  expect(reads).not.toEqual([]);
});

it("the list of tools is written once for all callers with the same tools", async () => {
  const { call } = setUp();
  const first = await call(request("tools/list"));
  const { result, ...rest } = JSON.parse(first ?? "") as { readonly result: { readonly tools: readonly object[] } };
  expect(rest).toEqual({ jsonrpc: "2.0", id: 1 });
  expect(result.tools[0]).toMatchObject({ name: "list_boards" });
  const stringify = vi.spyOn(JSON, "stringify");
  const listings = await Promise.all(Array.from({ length: 20 }, () => call(request("tools/list"))));
  const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length));
  stringify.mockRestore();
  expect(new Set(listings)).toEqual(new Set([first]));
  expect(longest).toBeLessThan(10);
});
