import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ModelError } from "#domain/model/model.ts";
import { createModelFetch } from "#llm/fetch.ts";
import { openLanguageModel } from "#llm/model.ts";
import { openProvider } from "#llm/providers.ts";
import { createLanguageModel } from "#llm/caller.ts";
import { startOrigin } from "../../support/servers/origin.ts";
import { KEY, SAYS_HELLO, server, model, settings, request, readAll, object, useModelServer } from "./support.ts";

useModelServer();

test("a stream arrives in chunks, with the provider's token counts; the request has the given fields", async () => {
  const before = server.requests.length;
  const { text, pieces, usage, error } = await readAll(model);
  expect([text, error, usage]).toEqual(["Hello there, you.", null, { input: 31, output: 7 }]);
  expect(pieces.length).toBeGreaterThan(1);
  const [sent, ...more] = server.requests.slice(before);
  expect(more).toHaveLength(0);
  expect(sent).toMatchObject({ path: "/v1/chat/completions", system: "Be kind.", prompt: "Say hello." });
  expect(sent!.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(sent!.json).toMatchObject({ model: "tiny", max_tokens: 100, stream: true });
  expect(model.name).toBe("openai-compatible/tiny");
});

test("a stream has estimated tokens if the provider reports none", async () => {
  server.script(() => ({ text: "x".repeat(400), usage: null }));
  const { usage } = await readAll(model, { prompt: "y".repeat(792) });
  expect(usage).toEqual({ input: 200, output: 100 });
});

test.each([
  [401, {}, "refused", "The language model refused the key. Check LLM_API_KEY.", 1],
  [403, {}, "refused", "The language model refused the key. Check LLM_API_KEY.", 1],
  [404, {}, "refused", /not found. Check LLM_MODEL/, 1],
  [400, {}, "refused", /rejected the request \(status 400\)/, 1],
  [429, {}, "rate_limited", /rate limit/, 3],
  [429, { "retry-after": "3600" }, "rate_limited", /rate limit/, 1],
  [500, {}, "unreachable", /is unavailable/, 3],
  [503, {}, "unreachable", /is unavailable/, 3],
  [504, {}, "timeout", /in time/, 1],
  [302, { location: "http://127.0.0.1:1/" }, "refused", /redirects elsewhere/, 1],
] as const)("a stream with status %i %j fails with %s", async (status, headers, failure, message, calls) => {
  server.script(() => ({ status, headers, body: { error: { message: `Bad key ${KEY}, do not show me sk-abc***xyz123` } } }));
  const before = server.requests.length;
  const { error, pieces, usage } = await readAll(model);
  expect(error).toBeInstanceOf(ModelError);
  expect([error.failure, pieces]).toEqual([failure, []]);
  if (typeof message === "string") expect(error.message).toBe(message);
  else expect(error.message).toMatch(message);
  expect(error.message).not.toContain("Bad key");
  expect(JSON.stringify([error.message, (error.cause as Error).message, (error.cause as Error).stack])).not.toMatch(/0123456789|abc\*/);
  expect((error.cause as Error).message).toContain("Bad key [hidden]");
  expect(server.requests.length - before).toBe(calls);
  if (failure !== "timeout") expect(usage).toEqual({ input: 0, output: 0 });
  expect(error.retryAfterSeconds).toBe("retry-after" in headers ? 3_600 : undefined);
});

test("a stream is retried after a temporary failure, after the requested delay", async () => {
  let calls = 0;
  server.script(() => (++calls === 1 ? { status: 429, headers: { "retry-after": "1" } } : calls === 2 ? { status: 500 } : SAYS_HELLO()));
  const started = performance.now();
  const { text, error } = await readAll(model);
  expect([text, error, calls]).toEqual(["Hello there, you.", null, 3]);
  expect(performance.now() - started).toBeGreaterThan(1_000);
});

test("a stream is retried if the connection breaks before the first word, and not after it", async () => {
  let calls = 0;
  server.script(() => (++calls === 1 ? { text: [], end: "cut" } : SAYS_HELLO()));
  expect((await readAll(model)).text).toBe("Hello there, you.");
  calls = 0;
  server.script(() => {
    calls++;
    return { text: ["Hello ", "there"], end: "cut" };
  });
  const { text, error, usage } = await readAll(model);
  expect([text, error.failure, error.message, calls]).toEqual(["Hello there", "cut_off", "The language model's answer was cut off.", 1]);
  expect(usage).toEqual({ input: 5, output: 3 });
});

test("a stream that reached its token limit is cut off", async () => {
  server.script(() => ({ text: "Hello", finish: "length" }));
  const { text, error } = await readAll(model);
  expect([text, error.failure]).toEqual(["Hello", "cut_off"]);
  expect(error.message).toContain("LLM_MAX_OUTPUT_TOKENS");
});

test("a stream that never ends is aborted, and so is its request", async () => {
  function* forever() {
    for (;;) yield "never ending ";
  }
  server.script(() => ({ text: forever(), pieceMs: 0 }));
  const before = server.cancelled();
  const { text, error } = await readAll(model, { maxOutputTokens: 50 });
  expect(error.failure).toBe("cut_off");
  expect(text.length).toBeLessThanOrEqual(600);
  await expect.poll(() => server.cancelled() - before).toBe(1);
});

test.each([
  ["garbage", () => ({ status: 200, headers: { "content-type": "text/event-stream" }, body: "data: {broken\n\n" }), "wrong_answer"],
  ["an HTML page", () => ({ status: 200, headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" }), "wrong_answer"],
  [
    "unexpected JSON",
    () => ({ status: 200, headers: { "content-type": "text/event-stream" }, body: 'data: {"a":1}\n\ndata: [DONE]\n\n' }),
    "wrong_answer",
  ],
  ["an empty answer", () => ({ text: "" }), "wrong_answer"],
  ["a refusal", () => ({ text: "I", finish: "content_filter" as const }), "refused"],
])("a stream of %s fails with the right kind of error", async (_, script, failure) => {
  server.script(script);
  const { error } = await readAll(model);
  expect(error).toBeInstanceOf(ModelError);
  expect(error.failure).toBe(failure);
});

test("a stream fails as unreachable if no server listens", async () => {
  const gone = await startOrigin(() => {});
  await gone.close();
  const absent = openLanguageModel(settings({ baseUrl: `${gone.url}/v1` }));
  const { error } = await readAll(absent.model);
  expect([error.failure, error.message]).toEqual([
    "unreachable",
    "The language model can't be reached. Check LLM_BASE_URL and the network.",
  ]);
  await absent.close();
});

test.each(["before its first word", "in the middle", "while it hangs"])(
  "a stream aborted %s ends with the signal's reason",
  async (when) => {
    server.script(() =>
      when === "before its first word"
        ? { text: "late", waitMs: 60_000 }
        : { text: ["Hello ", "there "], ...(when === "in the middle" ? { pieceMs: 60_000 } : { end: "hang" as const }) },
    );
    const before = server.cancelled();
    const abort = new AbortController();
    const reason = new Error("enough");
    const reading = readAll(model, { signal: abort.signal });
    await sleep(300);
    abort.abort(reason);
    const { error, usage } = await reading;
    expect(error).toBe(reason);
    expect(usage.input).toBeGreaterThan(0);
    await expect.poll(() => server.cancelled() - before).toBe(1);
  },
);

test("a stream is aborted when its reader stops reading", async () => {
  server.script(() => ({ text: Array.from({ length: 50 }, () => "word "), pieceMs: 100 }));
  const before = server.cancelled();
  const stream = model.stream(request());
  for await (const _ of stream.text) break;
  expect((await stream.usage).output).toBeGreaterThan(0);
  await expect.poll(() => server.cancelled() - before).toBe(1);
});

test("a stream of too many bytes is aborted", async () => {
  const way = createModelFetch(20_000);
  const small = createLanguageModel("small", async () => openProvider(settings(), way.fetch), KEY);
  server.script(() => ({ text: Array.from({ length: 1_000 }, () => "x"), pieceMs: 0 }));
  const { error } = await readAll(small, { maxOutputTokens: 10_000 });
  expect(error.failure).toBe("cut_off");
  await way.close();
});

const ANSWER = "It leaves at <six>.</think> Be there.";

test.each([
  ["after its thoughts", `\n<think>\nFerries… <think> {"n": 1}\n</think>${ANSWER}`, ANSWER],
  ["without thoughts", ANSWER, ANSWER],
  ["that only starts like a tag", "<thi", "<thi"],
  ["with a later tag", "Say <think>this</think>.", "Say <think>this</think>."],
])("the answer of a model that sends its thoughts is parsed %s, however it is split", async (_, said, answer) => {
  for (const text of [[said], said.split("")]) {
    server.script(() => ({ text }));
    expect(await readAll(model)).toMatchObject({ text: answer, error: null });
  }
});

test("a model that sends its thoughts without an answer fails, and JSON after its thoughts is parsed", async () => {
  server.script(() => ({ text: "<think>and on and on" }));
  expect((await readAll(model)).error).toMatchObject({ failure: "wrong_answer" });
  server.script(() => ({ text: '<think>{"n": 1}? No.</think>\n{"n": 4}' }));
  expect((await object()).value).toEqual({ n: 4 });
});
