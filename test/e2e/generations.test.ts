import { afterEach, beforeEach, expect, test } from "vitest";
import { type OpenAiServer, startOpenAiServer } from "../support/servers/openai-server.ts";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { type Receiver, openReceiver, until } from "./support/servers.ts";

let folder: ReturnType<typeof makeFolder>;
let receiver: Receiver;
let model: OpenAiServer;
let environment: Environment;
let key: string;
let board: string;
const servers: ServerProcess[] = [];

beforeEach(async () => {
  folder = makeFolder();
  receiver = await openReceiver();
  model = await startOpenAiServer(() => ({ text: "{", end: "hang" }));
  environment = {
    DATA_DIR: folder.dataDir,
    WEBHOOK_ALLOW: receiver.host,
    LOG_LEVEL: "warn",
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "mock",
    LLM_BASE_URL: model.url,
  };
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "one"));
  board = (await tesseraJson(environment, "board", "list")).boards[0].id;
  await tesseraJson(environment, "webhook", "set", receiver.url, "--events", "generation.complete,generation.failed");
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill("SIGKILL")));
  await Promise.all([receiver.close(), model.close()]);
  folder.remove();
});

async function boot(): Promise<ServerProcess> {
  const server = await startServer(environment);
  servers.push(server);
  return server;
}

/** Starts a server with a generation that waits for the model, and a client that waits for the generation. */
async function startGeneration(): Promise<{ readonly server: ServerProcess; readonly id: string; readonly waiting: Promise<unknown> }> {
  const server = await boot();
  await call(server.url, key, "POST", `/api/board/${board}/tiles`, { content: "The tide of the bay rises four metres twice a day." });
  const waiting = call(server.url, key, "POST", "/api/v1/generate", { board_id: board, asset_type: "post" }).catch(() => "aborted");
  await until("the model request", () => model.requests.length > 0);
  const { json } = await call(server.url, key, "GET", "/api/v1/generations");
  expect(json.generations).toMatchObject([{ status: "processing" }]);
  return { server, id: json.generations[0].id, waiting };
}

const getEvents = () => receiver.received.map(({ body }) => JSON.parse(body.toString("utf8")));

test("a generation of a killed server fails, with its event, after the next start", { timeout: 300_000 }, async () => {
  const { server, id, waiting } = await startGeneration();
  await server.kill("SIGKILL");
  expect(await waiting).toBe("aborted");
  const next = await boot();
  const ended = await until(
    "the end of the generation",
    async () => {
      const { json } = await call(next.url, key, "GET", `/api/v1/generations/${id}?wait=5`);
      return json.generation.status === "processing" ? false : json.generation;
    },
    40_000,
  );
  expect(ended).toMatchObject({
    status: "failed",
    output: null,
    error: { code: "interrupted", message: expect.stringMatching(/Send the request again/) },
  });
  await until("the event", () => getEvents().length > 0);
  const payload = { generationId: id, boardId: board, endpoint: "/api/v1/generate", assetType: "post" };
  expect(getEvents()).toMatchObject([{ event: "generation.failed", payload }]);
});

test("a stopping server ends its generations, and waiting clients get a 503", { timeout: 300_000 }, async () => {
  const { server, id, waiting } = await startGeneration();
  const { code } = await server.kill("SIGTERM");
  expect(code).toBe(0);
  expect(await waiting).toMatchObject({ status: 503, json: { error: expect.stringMatching(/Send the request again/) } });
  const next = await boot();
  const { json } = await call(next.url, key, "GET", `/api/v1/generations/${id}`);
  expect(json.generation).toMatchObject({ status: "failed", error: { code: "interrupted" } });
});
