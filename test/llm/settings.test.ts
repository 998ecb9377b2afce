import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "#config";
import { makeFolder, tessera } from "../e2e/support/process.ts";
import { type OpenAiServer, type Script, startOpenAiServer } from "../support/servers/openai-server.ts";

test.each([
  [{}, ""],
  [{ LLM_PROVIDER: "openai", LLM_MODEL: "m", LLM_API_KEY: "k" }, "openai"],
  [{ LLM_PROVIDER: "anthropic", LLM_MODEL: "m", LLM_API_KEY: "k" }, "anthropic"],
  [{ LLM_PROVIDER: "google", LLM_MODEL: "m", LLM_API_KEY: "k", LLM_BASE_URL: "https://proxy.example/" }, "google"],
  [{ LLM_PROVIDER: "openai-compatible", LLM_MODEL: "m", LLM_BASE_URL: "http://127.0.0.1:11434/v1/" }, "openai-compatible"],
])("settings of the language model accept %j", (environment, provider) => {
  const config = readConfig(environment);
  expect(config).toMatchObject({ llmProvider: provider, llmTimeoutMs: 60_000, llmMaxOutputTokens: 2_000 });
  expect(config.llmBaseUrl).not.toMatch(/\/$/);
});

test.each([
  [{ LLM_PROVIDER: "openai", LLM_API_KEY: "k" }, "LLM_MODEL is missing. Set it to the name of a model of LLM_PROVIDER=openai."],
  [{ LLM_PROVIDER: "openai", LLM_MODEL: "m" }, "LLM_API_KEY is missing. openai requires an API key."],
  [
    { LLM_PROVIDER: "openai", LLM_MODEL: "m", LLM_API_KEY: "sk-a\nb" },
    "LLM_API_KEY contains a space or an invalid character. Copy the key again.",
  ],
  [{ LLM_PROVIDER: "google", LLM_MODEL: "m" }, "LLM_API_KEY is missing. google requires an API key."],
  [
    { LLM_PROVIDER: "openai-compatible", LLM_MODEL: "m" },
    "LLM_BASE_URL is missing. Set it to the address of the OpenAI-compatible server, such as http://127.0.0.1:11434/v1.",
  ],
  [{ LLM_MODEL: "m" }, "LLM_MODEL is set without LLM_PROVIDER. Set it to openai, anthropic, google or openai-compatible."],
  [
    { LLM_PROVIDER: "ollama", LLM_MODEL: "m" },
    'LLM_PROVIDER must be one of openai, anthropic, google, openai-compatible, but is "ollama".',
  ],
  [
    { LLM_PROVIDER: "openai-compatible", LLM_MODEL: "m", LLM_BASE_URL: "ftp://x" },
    'LLM_BASE_URL must be an http or https address, but is "ftp://x".',
  ],
  [{ LLM_MAX_OUTPUT_TOKENS: "0" }, 'LLM_MAX_OUTPUT_TOKENS must be a whole number from 16 to 100000, but is "0".'],
])("settings of the language model reject %j with one sentence", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(new ConfigError(message));
});

describe("checks of the model by doctor", () => {
  const folder = makeFolder();
  let server: OpenAiServer;
  const environment = (more: Record<string, string> = {}) => ({
    DATA_DIR: folder.dataDir,
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "tiny",
    LLM_API_KEY: "sk-doctor-0123456789",
    LLM_BASE_URL: server.url,
    ...more,
  });
  beforeAll(async () => {
    server = await startOpenAiServer(() => ({ text: "Yes." }));
  });
  afterAll(async () => {
    await server.close();
    folder.remove();
  });
  const readModelCheck = async (more: Record<string, string> = {}) => {
    const { code, stdout } = await tessera(environment(more), "doctor", "--json");
    expect(stdout).not.toContain("0123456789");
    return { code, ...JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "model") };
  };

  test("doctor reports that the model answers, with a minimal request", async () => {
    expect(await readModelCheck()).toEqual({ code: 0, name: "model", ok: true, message: "openai-compatible/tiny answers" });
    expect(server.requests.at(-1)!.json.max_tokens).toBeLessThan(20);
  });

  test.each<[string, Script, number, RegExp]>([
    ["uses all its tokens for thoughts", () => ({ text: "", finish: "length" }), 0, /answers/],
    [
      "refuses the key",
      () => ({ status: 401, body: { error: { message: "wrong sk-doctor-0123456789" } } }),
      1,
      /refused the key. Check LLM_API_KEY.*wrong \[hidden\]/,
    ],
    ["is not known", () => ({ status: 404 }), 1, /was not found. Check LLM_MODEL/],
    ["does not respond", () => ({ text: "late", waitMs: 20_000 }), 1, /did not answer within 4000 ms/],
  ])("doctor reports a model that %s", async (_, script, code, message) => {
    server.script(script);
    expect(await readModelCheck({ LLM_TIMEOUT_MS: "4000" })).toMatchObject({
      code,
      ok: code === 0,
      message: expect.stringMatching(message),
    });
  });

  test("doctor reports extractive answers without a model", async () => {
    const { code, stdout } = await tessera({ DATA_DIR: folder.dataDir }, "doctor");
    expect([code, stdout]).toEqual([0, expect.stringContaining("none is configured; answers are extractive")]);
  });
});
