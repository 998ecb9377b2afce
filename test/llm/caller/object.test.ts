import { expect, test } from "vitest";
import { ModelError, type ModelRequest, type TokenUsage } from "#domain/model/model.ts";
import { openLanguageModel } from "#llm/model.ts";
import { type OpenAiServer, startOpenAiServer } from "../../support/servers/openai-server.ts";
import { KEY, SAYS_HELLO, server, settings, readAll, SCHEMA, object, useModelServer } from "./support.ts";

useModelServer();

test("an object is requested by its schema", async () => {
  server.script(() => ({ text: '{"n": 4}', usage: { input: 9, output: 4 } }));
  expect(await object()).toEqual({ value: { n: 4 }, usage: { input: 9, output: 4 } });
  const { json } = server.requests.at(-1)!;
  expect(json.response_format).toMatchObject({ type: "json_schema", json_schema: { name: "number", schema: SCHEMA } });
});

test.each([
  ["in a fence", '```json\n{"n": 4}\n```'],
  ["after text", 'Here it is:\n{"n": 4}\nDone.'],
])("an object is parsed from JSON %s", async (_, text) => {
  server.script(() => ({ text }));
  expect((await object()).value).toEqual({ n: 4 });
});

test("an object is requested in the prompt if the server does not support or ignores schemas", async () => {
  for (const first of [{ status: 400, body: { error: { message: "unknown field response_format" } } }, { text: "I would say four." }]) {
    server.script(({ json }) => (json.response_format === undefined ? { text: '{"n": 4}', usage: { input: 1, output: 1 } } : first));
    expect((await object()).value).toEqual({ n: 4 });
    expect(server.requests.at(-1)!.system).toContain(JSON.stringify(SCHEMA));
  }
});

test.each([
  ["text", () => ({ text: "no JSON here" }), "wrong_answer"],
  ["nothing", () => ({ text: "" }), "wrong_answer"],
  ["an answer cut at its limit", () => ({ text: '{"n":', finish: "length" as const }), "cut_off"],
  ["a cut connection", () => ({ text: '{"n": 4}', end: "cut" as const }), "cut_off"],
  ["garbage", () => ({ status: 200, body: "<h1>" }), "wrong_answer"],
  ["a wrong key", () => ({ status: 401, body: { error: { message: KEY } } }), "refused"],
])("an object from %s is an error", async (_, script, failure) => {
  server.script(script);
  const error = await object().then(
    () => null,
    (thrown: unknown) => thrown as ModelError,
  );
  expect(error).toBeInstanceOf(ModelError);
  expect(error!.failure).toBe(failure);
  expect(String(error!.stack) + String((error!.cause as Error | undefined)?.stack)).not.toContain(KEY);
});

test("an object that fails reports its tokens, unless nothing was read", async () => {
  const usageAfter = async (script: Parameters<OpenAiServer["script"]>[0], more: Partial<ModelRequest> = {}) => {
    server.script(script);
    return (await object(more).then(
      () => undefined,
      (thrown: unknown) => (thrown as ModelError).usage,
    )) as TokenUsage | undefined;
  };
  const usage = { input: 30, output: 9 };
  expect(await usageAfter(() => ({ text: '{"n":', finish: "length", usage }))).toEqual(usage);
  // Requested by schema, then in the prompt.
  expect(await usageAfter(() => ({ text: "no JSON here", usage }))).toEqual({ input: 60, output: 18 });
  expect(await usageAfter(() => ({ status: 200, body: "<h1>" }))).toMatchObject({ input: 5, output: 0 });
  for (const status of [401, 429, 500]) {
    const headers = { "retry-after": "900" };
    expect(await usageAfter(() => ({ status, headers }))).toEqual({ input: 0, output: 0 });
  }
  const deadline = new AbortController();
  setTimeout(() => deadline.abort(new ModelError("timeout", "Too slow.")), 50);
  expect(await usageAfter(() => ({ text: "{}", waitMs: 2_000 }), { signal: deadline.signal })).toMatchObject({ input: 5 });
});

test("an object longer than the limit is rejected even if it is complete", async () => {
  const long = JSON.stringify({ n: 4, more: "x".repeat(2_000) });
  server.script(() => ({ text: long }));
  await expect(object({ maxOutputTokens: 100 })).rejects.toMatchObject({ failure: "cut_off" });
  expect((await object({ maxOutputTokens: 200 })).value).toMatchObject({ n: 4 });
});

test("an aborted object ends with the signal's reason", async () => {
  server.script(() => ({ text: "{}", waitMs: 5_000 }));
  const abort = new AbortController();
  const asked = object({ signal: abort.signal });
  setTimeout(() => abort.abort(new Error("enough")), 100);
  await expect(asked).rejects.toThrow("enough");
});

test("the providers include Google, whose response to a wrong key is recognised", async () => {
  server.script(() => ({ status: 400, body: { error: { code: 400, message: "bad", details: [{ reason: "API_KEY_INVALID" }] } } }));
  const other = openLanguageModel(settings({ provider: "google" }));
  expect((await readAll(other.model)).error.message).toBe("The language model refused the key. Check LLM_API_KEY.");
  await other.close();
});

test.each([
  ["openai", "/v1/chat/completions", "authorization"],
  ["anthropic", "/v1/messages", "x-api-key"],
  ["google", "/v1/models/tiny:streamGenerateContent?alt=sse", "x-goog-api-key"],
] as const)("the provider %s is called in its own format, with the key", async (provider, path, header) => {
  server.script(() => ({ status: 401, body: { error: { message: "no" } } }));
  const other = openLanguageModel(settings({ provider }));
  const { error } = await readAll(other.model);
  expect(error.message).toBe("The language model refused the key. Check LLM_API_KEY.");
  const sent = server.requests.at(-1)!;
  expect([sent.path, String(sent.headers[header])]).toEqual([path, expect.stringContaining(KEY)]);
  await other.close();
});

test("providers ignore the environment variables of the SDK", async () => {
  const canary = await startOpenAiServer(SAYS_HELLO);
  const names = ["HTTP_PROXY", "http_proxy", "OPENAI_BASE_URL", "OPENAI_API_KEY"];
  for (const name of names) process.env[name] = canary.url;
  const other = openLanguageModel(settings({ provider: "openai" }));
  expect((await readAll(other.model)).text).toBe("Hello there, you.");
  expect(canary.requests).toHaveLength(0);
  for (const name of names) delete process.env[name];
  await other.close();
  await canary.close();
});
