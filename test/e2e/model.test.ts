import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenAiServer, startOpenAiServer } from "../support/servers/openai-server.ts";
import { type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";

const KEY = "sk-operators-key-0123456789";

const folder = makeFolder();
let model: OpenAiServer;
let server: ServerProcess;
let key: string;
let board: string;

beforeAll(async () => {
  model = await startOpenAiServer(() => ({ text: 'At nine. [1: "opens at nine"]' }));
  const environment = {
    DATA_DIR: folder.dataDir,
    LOG_LEVEL: "debug",
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "tiny",
    LLM_API_KEY: KEY,
    LLM_BASE_URL: model.url,
  };
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "asks"));
  server = await startServer(environment);
  board = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
  await call(server.url, key, "POST", `/api/board/${board}/tiles`, { content: "The harbour office opens at nine." });
});
afterAll(async () => {
  await server.kill("SIGKILL");
  await model.close();
  folder.remove();
});
const ask = () => call(server.url, key, "POST", `/api/board/${board}/ask`, { question: "When does the harbour office open?" });

test("a server with a language model answers with the model, and logs a failure with its cause, without the key", async () => {
  expect((await ask()).json).toMatchObject({ mode: "model", answer: "At nine. [1]" });
  model.script(() => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}. Their own words.` } } }));
  expect((await ask()).json).toMatchObject({ mode: "extractive", notice: expect.stringContaining("Check LLM_API_KEY") });
  await expect.poll(() => server.stdout()).toContain("The language model refused the key. Check LLM_API_KEY.");
  const line = server
    .stdout()
    .split("\n")
    .find((text) => text.includes("refused the key"))!;
  expect(JSON.parse(line)).toMatchObject({ level: "warn", failure: "refused", cause: expect.stringContaining("Their own words") });
  expect(server.stdout()).not.toContain(KEY);
  expect(server.stdout()).not.toContain("harbour office");
});

test("a server with a language model stops without waiting for a model that hangs", async () => {
  model.script(() => ({ text: "x", end: "hang" }));
  const before = model.requests.length;
  const asked = ask().catch(() => null);
  await expect.poll(() => model.requests.length - before).toBe(1);
  const ended = await server.kill("SIGTERM");
  expect(ended).toMatchObject({ code: 0 });
  await asked;
  await expect.poll(() => model.cancelled()).toBe(1);
});
