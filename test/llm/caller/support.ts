import { afterAll, beforeAll, beforeEach } from "vitest";
import type { LanguageModel, ModelError, ModelRequest } from "#domain/model/model.ts";
import { openLanguageModel } from "#llm/model.ts";
import type { ModelSettings } from "#llm/providers.ts";
import { type OpenAiServer, startOpenAiServer } from "../../support/servers/openai-server.ts";

export const KEY = "sk-test-0123456789abcdef";
export const SAYS_HELLO = () => ({ text: "Hello there, you.", usage: { input: 31, output: 7 } });

export let server: OpenAiServer;
let opened: ReturnType<typeof openLanguageModel>;
export let model: LanguageModel;
export const settings = (more: Partial<ModelSettings> = {}): ModelSettings => ({
  provider: "openai-compatible",
  model: "tiny",
  apiKey: KEY,
  baseUrl: server.url,
  ...more,
});

export const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be kind.",
  prompt: "Say hello.",
  maxOutputTokens: 100,
  signal: AbortSignal.timeout(20_000),
  ...more,
});

export async function readAll(from: LanguageModel, more: Partial<ModelRequest> = {}) {
  const stream = from.stream(request(more));
  const pieces: string[] = [];
  let error: unknown = null;
  try {
    for await (const piece of stream.text) pieces.push(piece);
  } catch (thrown) {
    error = thrown;
  }
  return { pieces, text: pieces.join(""), error: error as ModelError, usage: await stream.usage };
}

export const SCHEMA = { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false };
export const object = (more: Partial<ModelRequest> = {}) => model.object({ ...request(more), schema: SCHEMA, schemaName: "number" });

/** Registers the hooks that set up and close what the tests of a file share. */
export function useModelServer(): void {
  beforeAll(async () => {
    server = await startOpenAiServer(SAYS_HELLO);
    opened = openLanguageModel(settings());
    model = opened.model;
  });
  beforeEach(() => server.script(SAYS_HELLO));
  afterAll(async () => {
    await opened.close();
    await server.close();
  });
}
