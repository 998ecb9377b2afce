import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import {
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TesseraError,
  createClient,
} from "@tessera-board/sdk";
import { BOARDS, createScriptedClient, failed, ok, settle, type Reply } from "./scripted-client.ts";

const unreachable: Reply = async () => {
  throw new TypeError("fetch failed");
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("repeated calls", () => {
  it.each([429, 503])("a call is repeated after %i, with increasing delays", async (status) => {
    const { client, sent } = createScriptedClient([failed(status), failed(status), BOARDS]);
    const { result, ms } = await settle(client.boards.list());
    expect(result).toEqual([]);
    expect(sent).toHaveLength(3);
    expect(ms).toBeGreaterThanOrEqual(250 + 500);
    expect(ms).toBeLessThanOrEqual(500 + 1_000);
  });

  it("a call waits as long as Retry-After says", async () => {
    const { client } = createScriptedClient([failed(429, { "retry-after": "7" }), BOARDS]);
    const { result, ms } = await settle(client.boards.list());
    expect(result).toEqual([]);
    expect(ms).toBeGreaterThanOrEqual(7_000);
    expect(ms).toBeLessThanOrEqual(7_500);
  });

  it("a call is not repeated if the server asks for more than a minute", async () => {
    const { client, sent } = createScriptedClient([failed(429, { "retry-after": "3600" })]);
    const { error } = await settle(client.boards.list());
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 3_600 });
    expect(sent).toHaveLength(1);
  });

  it("a call fails with the last error after the last retry", async () => {
    const { client, sent } = createScriptedClient([failed(503), failed(503), failed(503)]);
    expect((await settle(client.boards.list({ maxRetries: 2 }))).error).toBeInstanceOf(ServerError);
    expect(sent).toHaveLength(3);
  });

  it("a call is repeated up to five times", async () => {
    const { client, sent } = createScriptedClient(Array.from({ length: 6 }, () => failed(503)));
    expect((await settle(client.boards.list())).error).toBeInstanceOf(ServerError);
    expect(sent).toHaveLength(6);
  });

  it.each([400, 401, 404, 409, 500, 501])("a call is not repeated after %i", async (status) => {
    const { client, sent } = createScriptedClient([failed(status)]);
    expect((await settle(client.boards.list())).error).toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });

  it.each([502, 504])("a call that reads is repeated after %i, which proxies answer for a server that restarts", async (status) => {
    const { client, sent } = createScriptedClient([failed(status), failed(status), BOARDS]);
    expect((await settle(client.boards.list())).result).toEqual([]);
    expect(sent).toHaveLength(3);
    const creating = createScriptedClient([failed(status)]);
    expect((await settle(creating.client.zones.create("b", { name: "Z" }))).error).toMatchObject({ status });
    expect(creating.sent).toHaveLength(1);
  });

  it("a call uses its own number of retries, or that of the client", async () => {
    const none = createScriptedClient([failed(503)], { maxRetries: 0 });
    expect((await settle(none.client.boards.list())).error).toBeInstanceOf(ServerError);
    const one = createScriptedClient([failed(503), BOARDS], { maxRetries: 0 });
    expect((await settle(one.client.boards.list({ maxRetries: 1 }))).result).toEqual([]);
  });
});

it("a request with side effects is repeated after 429, but not after 503, when it may have succeeded", async () => {
  const refused = createScriptedClient([failed(503)]);
  expect((await settle(refused.client.settings.webhook.rotate())).error).toBeInstanceOf(ServerError);
  expect(refused.sent).toHaveLength(1);
  const limited = createScriptedClient([failed(429), ok({ retried: 3 })]);
  expect((await settle(limited.client.tiles.retryFailed("b"))).result).toBe(3);
});

it("a generation is not repeated after a lost connection, since the server may be writing it", async () => {
  const { client, sent } = createScriptedClient([unreachable]);
  const call = client.generate({ boardId: "b", assetType: "post" }, { idempotencyKey: "mine" });
  expect((await settle(call)).error).toBeInstanceOf(ConnectionError);
  expect(sent).toHaveLength(1);
});

describe("failed connections", () => {
  it.each([new TypeError("fetch failed"), new Error("Network connection lost.")])(
    "a read is repeated after a failed connection: %o",
    async (reason) => {
      const { client, sent } = createScriptedClient([() => Promise.reject(reason), BOARDS]);
      expect((await settle(client.boards.list())).result).toEqual([]);
      expect(sent).toHaveLength(2);
    },
  );

  it("the last error after failed connections has what fetch threw as its cause", async () => {
    const reason = new TypeError("fetch failed");
    const { client, sent } = createScriptedClient([unreachable, unreachable, () => Promise.reject(reason)]);
    expect((await settle(client.boards.list({ maxRetries: 2 }))).error).toMatchObject({ name: "ConnectionError", cause: reason });
    expect(sent).toHaveLength(3);
  });

  it.each(["AbortError", "TimeoutError"])("an %s of the caller's own fetch stays, and is not repeated", async (name) => {
    const reason = new DOMException("Enough.", name);
    const { client, sent } = createScriptedClient([() => Promise.reject(reason)]);
    expect((await settle(client.boards.list())).error).toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it("a creation is repeated with the same key after a failed connection", async () => {
    const { client, sent } = createScriptedClient([unreachable, unreachable, ok({ zone: { id: "z" } })]);
    expect((await settle(client.zones.create("b", { name: "Z" }))).result).toMatchObject({ id: "z" });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it("a request with side effects is not repeated after a failed connection", async () => {
    const { client, sent } = createScriptedClient([unreachable]);
    expect((await settle(client.tiles.retryFailed("b"))).error).toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(1);
  });
});

test("each creation has its own idempotency key, or that of the caller", async () => {
  const { client, sent } = createScriptedClient([ok({ board: {} }), ok({ board: {} }), ok({ board: {} }), ok({ boards: [] })]);
  await client.boards.create({ name: "A" });
  await client.boards.create({ name: "B" });
  await client.boards.create({ name: "C" }, { idempotencyKey: "mine" });
  await client.boards.list();
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
  expect(sent.slice(2).map(({ key }) => key)).toEqual(["mine", null]);
});

test("a listing with an undefined limit reads pages of 100", async () => {
  const { client, sent } = createScriptedClient([ok({ tiles: [] }), ok({ generations: [] })]);
  for await (const _ of client.tiles.iterate("b", { limit: undefined } as object));
  for await (const _ of client.generations.iterate({ limit: undefined } as object));
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?limit=100", "?limit=100"]);
});

test("errors have a class for their status", async () => {
  const types = [
    [400, InvalidRequestError],
    [404, NotFoundError],
    [409, ConflictError],
    [429, RateLimitError],
    [503, ServerError],
    [418, TesseraError],
  ] as const;
  for (const [status, type] of types) {
    const { client } = createScriptedClient([failed(status)], { maxRetries: 0 });
    const { error } = await settle(client.boards.list());
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(TesseraError);
    expect((error as Error).name).toBe(type.name);
  }
});

test("an undefined limit of an iterator is the default", async () => {
  const urls: string[] = [];
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    urls.push(String(url));
    return Response.json({ tiles: [], generations: [], nextCursor: null });
  };
  const client = createClient({ baseUrl: "http://tessera.test", fetch: fetch as typeof globalThis.fetch });
  for await (const _ of client.tiles.iterate("brd_1", { limit: undefined } as never)) expect.unreachable();
  for await (const _ of client.generations.iterate({ limit: undefined } as never)) expect.unreachable();
  expect(urls.map((url) => new URL(url).searchParams.get("limit"))).toEqual(["100", "100"]);
});
