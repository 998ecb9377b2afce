import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { type Client, RateLimitError, TimeoutError } from "@tessera-board/sdk";
import { createScriptedClient, failed, never, settle, slowAnswer, type Reply } from "./scripted-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("time limits", () => {
  it("a time limit ends a call, and the error says so", async () => {
    const { client } = createScriptedClient([never], { timeoutMs: 2_000, maxRetries: 0 });
    const { error, ms } = await settle(client.boards.list());
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe("The call was not answered within 2 seconds. The server may still have carried it out.");
    expect(ms).toBe(2_000);
  });

  it("a time limit includes repeats, and replaces that of the client", async () => {
    const { client, sent } = createScriptedClient([failed(503), never], { timeoutMs: 60_000 });
    const { error, ms } = await settle(client.boards.list({ timeoutMs: 3_000 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect([ms, sent.length]).toEqual([3_000, 2]);
  });

  it("a time limit ends a call at once if the server asks to wait beyond it", async () => {
    const { client, sent } = createScriptedClient([failed(429, { "retry-after": "30" })]);
    const { error, ms } = await settle(client.boards.list({ timeoutMs: 20_000 }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect([ms, sent.length]).toEqual([0, 1]);
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ["listing", (client) => client.boards.list()],
    ["answer", (client) => client.ask("b", "Why?")],
    ["thumbnail", (client) => client.tiles.thumbnail("b", "t")],
  ])("a time limit includes the body of a %s", async (_name, call) => {
    const stalled: Reply = async () =>
      new Response(new ReadableStream({ start: () => {} }), { headers: { "content-type": "application/json" } });
    const { client } = createScriptedClient([stalled], { timeoutMs: 1_000, maxRetries: 0 });
    const outcome = await settle(call(client));
    expect(outcome.error).toBeInstanceOf(TimeoutError);
  });

  it("a time limit does not limit how long a stream is read", async () => {
    const slow: Reply = async () => new Response(slowAnswer(10_000), { headers: { "content-type": "text/event-stream" } });
    const { client } = createScriptedClient([slow], { timeoutMs: 1_000 });
    expect(await settle(client.ask("b", "Why?", { onText: () => {} }))).toMatchObject({ result: { answer: "So." }, ms: 10_000 });
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { maxRetries: -1 }, { maxRetries: 1.5 }])(
    "a time limit that is invalid is rejected: %o",
    (options) => {
      expect(() => createScriptedClient([], options)).toThrow(RangeError);
    },
  );
});

test("an aborted signal leaves no timer", async () => {
  const { client, sent } = createScriptedClient([]);
  await expect(client.boards.list({ signal: AbortSignal.abort(new Error("no longer needed")) })).rejects.toThrow("no longer needed");
  expect(sent).toHaveLength(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("the time limit of a call is validated like that of the client", async () => {
  const { client } = createScriptedClient([]);
  await expect(client.boards.list({ timeoutMs: Number.POSITIVE_INFINITY })).rejects.toThrow(RangeError);
  await expect(client.boards.list({ maxRetries: Number.NaN })).rejects.toThrow(RangeError);
});

/** A response whose headers arrive, and whose body never ends. */
const stalledBody: Reply = async () =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) }));

it("the time limit includes the body of answers and pictures", async () => {
  const calls: ((client: Client) => Promise<unknown>)[] = [
    (client) => client.ask("brd_1", "When?", { timeoutMs: 5_000 }),
    (client) => client.tiles.thumbnail("brd_1", "til_1", { timeoutMs: 5_000 }),
  ];
  for (const call of calls) {
    const { client } = createScriptedClient([stalledBody]);
    const { error, ms } = await settle(call(client));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(ms).toBe(5_000);
  }
});
