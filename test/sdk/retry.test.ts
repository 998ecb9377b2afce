import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import {
  type Client,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TesseraError,
  TimeoutError,
  createClient,
} from "@tessera-board/sdk";

type Reply = () => Promise<Response>;
type Sent = { readonly method: string; readonly url: string; readonly key: string | null };

const ok =
  (body: object): Reply =>
  async () =>
    Response.json(body);
const failed =
  (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  async () =>
    Response.json({ error: `Status ${status}.` }, { status, headers });
const unreachable: Reply = async () => {
  throw new TypeError("fetch failed");
};

/** Creates a client whose calls get these replies in order. */
function createScriptedClient(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetch = async (url: string | URL | Request, { method = "GET", headers, signal }: RequestInit = {}): Promise<Response> => {
    sent.push({ method, url: String(url), key: new Headers(headers).get("idempotency-key") });
    const reply = replies[sent.length - 1];
    if (reply === undefined) throw new Error("There is no reply left.");
    return Promise.race([
      reply(),
      new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true })),
    ]);
  };
  return { client: createClient({ baseUrl: "http://tessera.test", fetch: fetch as typeof globalThis.fetch, ...options }), sent };
}

/** An answer as a stream that ends after that time. */
const slowAnswer = (ms: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(stream) {
      setTimeout(() => {
        stream.enqueue(new TextEncoder().encode('event: done\ndata: {"answer":"So."}\n\n'));
        stream.close();
      }, ms);
    },
  });

/** Runs a call with fake timers. Resolves with its result or its error, and how long it took. */
async function settle<T>(call: Promise<T>): Promise<{ readonly result?: T; readonly error?: unknown; readonly ms: number }> {
  const started = Date.now();
  const settled = call.then(
    (result) => ({ result, ms: Date.now() - started }),
    (error: unknown) => ({ error, ms: Date.now() - started }),
  );
  await vi.runAllTimersAsync();
  return settled;
}

const BOARDS = ok({ boards: [] });
const never: Reply = () => new Promise(() => {});

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

it("a body that is no JSON is not taken for a failed connection", async () => {
  const { client, sent } = createScriptedClient([BOARDS, BOARDS, BOARDS]);
  const { error, ms } = await settle(client.zones.create("b", { name: 1n as never }));
  expect(error).toBeInstanceOf(TypeError);
  expect([ms, sent.length]).toEqual([0, 0]);
});

it("an idempotency key with a line break is not taken for a failed connection", async () => {
  const { client, sent } = createScriptedClient([]);
  const call = client.zones.create("b", { name: "Z" }, { idempotencyKey: "one\ntwo" });
  expect(await settle(call)).toMatchObject({ error: expect.any(TypeError), ms: 0 });
  expect(sent).toEqual([]);
});

it("an error of the caller's own function is not taken for a failed connection", async () => {
  const reply: Reply = async () => new Response("event: revision\ndata: {}\n\n", { headers: { "content-type": "text/event-stream" } });
  const { client, sent } = createScriptedClient([reply, reply]);
  const mistake = () => {
    throw new TypeError("x is not a function");
  };
  expect((await settle(client.boards.follow("b", mistake))).error).toMatchObject({ message: "x is not a function" });
  expect(sent).toHaveLength(1);
});

test("an error of an asynchronous function of the caller ends the call, and the next part waits for it", async () => {
  const events = ["revision", "progress", "token"].map((name) => `event: ${name}\ndata: {"tiles":[],"text":"So."}\n\n`.repeat(2)).join("");
  const reply: Reply = async () => new Response(events, { headers: { "content-type": "text/event-stream" } });
  const { client } = createScriptedClient([reply, reply, reply]);
  let calls = 0;
  const fail = async () => {
    calls += 1;
    await Promise.resolve();
    throw new Error("The disk is full.");
  };
  for (const call of [
    () => client.boards.follow("b", fail),
    () => client.boards.follow("b", () => {}, { onProgress: fail }),
    () => client.ask("b", "Why?", { onText: fail }),
  ])
    expect((await settle<unknown>(call())).error).toMatchObject({ message: "The disk is full." });
  expect(calls).toBe(3);
});

test("a listing with an undefined limit reads pages of 100", async () => {
  const { client, sent } = createScriptedClient([ok({ tiles: [] }), ok({ generations: [] })]);
  for await (const _ of client.tiles.iterate("b", { limit: undefined } as object));
  for await (const _ of client.generations.iterate({ limit: undefined } as object));
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?limit=100", "?limit=100"]);
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

/** A response whose headers arrive, and whose body never ends. */
const stalledBody: Reply = async () =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) }));

it("the time limit includes the body of answers and pictures", async () => {
  const calls: ((client: ReturnType<typeof createClient>) => Promise<unknown>)[] = [
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

it("a mistake in the arguments is thrown at once, and not taken for a failed connection", async () => {
  const { client, sent } = createScriptedClient([]);
  const { error, ms } = await settle(client.tiles.create("brd_1", { content: "A note", title: 1n as never }));
  expect([error, ms, sent.length]).toEqual([expect.any(TypeError), 0, 0]);
});

it("a missing address is named", () => {
  expect(() => createClient({} as never)).toThrow(
    new RangeError("baseUrl is missing: the server's address, such as https://boards.example.com."),
  );
  expect(() => (createClient as (options?: object) => unknown)()).toThrow("baseUrl is missing");
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
