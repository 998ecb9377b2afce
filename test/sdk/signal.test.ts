import { afterEach, beforeEach, expect, it, test, vi } from "vitest";
import { BOARDS, createScriptedClient, failed, never, ok, settle, slowAnswer, type Reply } from "./scripted-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a signal aborts a running call with its reason", async () => {
  const controller = new AbortController();
  const { client, sent } = createScriptedClient([never]);
  const call = settle(client.boards.list({ signal: controller.signal, timeoutMs: 60_000 }));
  controller.abort(new Error("no longer needed"));
  expect((await call).error).toMatchObject({ message: "no longer needed" });
  expect(sent).toHaveLength(1);
});

it("a signal aborts the delay before a retry", async () => {
  const controller = new AbortController();
  const { client, sent } = createScriptedClient([failed(429, { "retry-after": "30" })]);
  setTimeout(() => controller.abort(new Error("no longer needed")), 1_000);
  const { error, ms } = await settle(client.boards.list({ signal: controller.signal }));
  expect(error).toMatchObject({ message: "no longer needed" });
  expect(ms).toBe(1_000);
  expect(sent).toHaveLength(1);
});

test("a signal shared by many calls keeps no listeners", async () => {
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, "addEventListener");
  const remove = vi.spyOn(signal, "removeEventListener");
  const { client } = createScriptedClient([BOARDS, failed(404), failed(503), BOARDS]);
  for (let call = 0; call < 3; call++) await settle(client.boards.list({ signal }));
  expect(add.mock.calls.length).toBe(3);
  expect(remove.mock.calls.length).toBe(add.mock.calls.length);
});

test("a signal keeps no listeners after answers, pictures and streams, and aborts those while they are read", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const add = vi.spyOn(signal, "addEventListener");
  const remove = vi.spyOn(signal, "removeEventListener");
  const stream = (): Reply => async () => new Response(slowAnswer(1_000), { headers: { "content-type": "text/event-stream" } });
  const { client } = createScriptedClient([ok({ answer: "So." }), ok({}), stream(), stream()]);
  await settle(client.ask("b", "Why?", { signal }));
  await settle(client.tiles.thumbnail("b", "t", { signal }));
  await settle(client.ask("b", "Why?", { signal, onText: () => {} }));
  expect(add.mock.calls.length).toBe(3);
  expect(remove.mock.calls.length).toBe(3);
  setTimeout(() => controller.abort(new Error("no longer needed")), 500);
  const { error, ms } = await settle(client.boards.follow("b", () => {}, { signal }));
  expect([(error as Error).message, ms]).toEqual(["no longer needed", 500]);
  expect(remove.mock.calls.length).toBe(4);
});
