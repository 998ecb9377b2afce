import { spawn } from "node:child_process";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeFolder, tessera, tesseraJson } from "../e2e/support/process.ts";
import { type McpClient, connectClient, toolCall } from "../support/clients/mcp.ts";

const ROOT = join(import.meta.dirname, "../..");
const folder = makeFolder();
const environment = { DATA_DIR: folder.dataDir };
let boardId: string;
let key: { key: string; apiKey: { id: string } };

beforeAll(async () => {
  await tesseraJson(environment, "init");
  boardId = (await tesseraJson(environment, "board", "list")).boards[0].id;
  key = await tesseraJson(environment, "key", "create", "--name", "Agent");
});
afterAll(() => folder.remove());

const createEnvironment = (apiKey: string) => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  ...environment,
  TESSERA_API_KEY: apiKey,
});

/** Starts the command like an MCP client. */
async function connect(apiKey = key.key): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT, "scripts/run.mjs"), join(ROOT, "src/cli/main.ts"), "mcp"],
    env: createEnvironment(apiKey),
    cwd: ROOT,
    stderr: "ignore",
  });
  const client = await connectClient(transport as Transport);
  onTestFinished(() => client.close());
  return client;
}

/** Writes these lines to the command and closes its input. */
function pipe(lines: readonly string[], apiKey = key.key, settings: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(ROOT, "scripts/run.mjs"), "src/cli/main.ts", "mcp"], {
    cwd: ROOT,
    env: { ...createEnvironment(apiKey), ...settings },
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (out.stderr += text));
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  return new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...out }));
  });
}

test("the tools work on the same data without a server, with the permissions of the key", async () => {
  const client = await connect();
  expect((await client.client.listTools()).tools.map(({ name }) => name)).toContain("ask_board");
  const added = await client.call("add_tile", { board_id: boardId, text: "The kiln fires at nine hundred degrees." });
  const answer = await client.call("ask_board", { board_id: boardId, question: "At how many degrees does the kiln fire?" });
  expect(answer.data).toMatchObject({ answered: true, citations: [{ tileId: added.data.tile.id }] });
  const { key: reader } = await tesseraJson(environment, "key", "create", "--name", "Reader", "--permission", "read");
  const reading = await connect(reader);
  expect((await reading.client.listTools()).tools.map(({ name }) => name)).not.toContain("add_tile");
  expect((await reading.call("read_tile", { tile_id: added.data.tile.id })).data.text).toContain("kiln");
  expect(await reading.call("add_tile", { board_id: boardId, text: "x" })).toMatchObject({
    isError: true,
    text: "This API key does not have the permission for this operation.",
  });
});

test("a key revoked meanwhile is rejected by the next call", async () => {
  const made = await tesseraJson(environment, "key", "create", "--name", "Short");
  const client = await connect(made.key);
  expect((await client.call("list_boards")).isError).toBe(false);
  await tesseraJson(environment, "key", "revoke", made.apiKey.id);
  expect(await client.call("list_boards")).toMatchObject({ isError: true, text: "Invalid API key.", data: { code: "key_invalid" } });
  await expect(client.client.listTools()).rejects.toMatchObject({ code: -32_600, data: { code: "key_invalid" } });
});

test("stdout has protocol messages only, and pending requests are answered before exit", async () => {
  const lines = [
    "{ not json",
    '{"jsonrpc":"1.0","id":1}',
    "[]",
    JSON.stringify(toolCall("list_boards", {}, 1)),
    JSON.stringify(toolCall("no_such_tool", {}, 2)),
    JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: 5 } }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    JSON.stringify(toolCall("read_tile", { tile_id: "til_unknown" }, "four")),
  ];
  const { code, stdout, stderr } = await pipe(lines);
  expect(code).toBe(0);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, "four"]);
  const of = (id: unknown) => answers.find((answer) => answer.id === id);
  expect(of(1).result.structuredContent.boards).toHaveLength(1);
  expect(of(2).error.code).toBe(-32_602);
  expect(of(3).error.code).toBe(-32_602);
  expect(of("four").result).toMatchObject({ isError: true, content: [{ text: "Tile not found." }] });
  expect(stderr).toBe("Ignored an invalid JSON-RPC message.\n".repeat(3));
});

test("a failure of the model is written to stderr, and the question is answered without it", async () => {
  // No connection is made to port 1.
  const model = { LLM_PROVIDER: "openai-compatible", LLM_MODEL: "none", LLM_BASE_URL: "http://127.0.0.1:1/v1" };
  const settings = { ...model, EMBEDDINGS: "off" };
  const question = toolCall("ask_board", { board_id: boardId, question: "At how many degrees does the kiln fire?" }, 1);
  const { stdout, stderr } = await pipe([JSON.stringify(question)], key.key, settings);
  expect(JSON.parse(stdout).result.structuredContent).toMatchObject({ answered: true, mode: "extractive" });
  expect(stderr).toMatch(/"failure":"\w+"/);
});

test("messages may be as long as a request body, and a longer one ends the process with a sentence", async () => {
  const add = (text: string) => JSON.stringify(toolCall("add_tile", { board_id: boardId, text }, 1));
  // As long as a text may be, and written as JSON may be.
  const longest = add("🌊".repeat(1_000_000)).replaceAll("🌊", String.raw`\ud83c\udf0a`);
  const { stdout } = await pipe([longest]);
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { structuredContent: { created: true } } });
  const client = await connect();
  await expect(client.call("add_tile", { board_id: boardId, text: "x".repeat(17 * 1_048_576) })).rejects.toThrow("Connection closed");
});

test("a text is generated, and waited for", async () => {
  const client = await connect();
  await client.call("add_tile", { board_id: boardId, text: "The kiln was built in 1921, of red brick." });
  const { data } = await client.call("generate_text", { board_id: boardId, asset_type: "post", prompt: "The kiln" });
  expect(data.generation).toMatchObject({ status: "complete", output: { text: expect.stringContaining("kiln") } });
});

test("an empty input exits at once", async () => {
  expect(await pipe([])).toEqual({ code: 0, stdout: "", stderr: "" });
});

test.each([
  ["no key", "", /^TESSERA_API_KEY is missing\./],
  ["an invalid key", "tsr_nobody", /^TESSERA_API_KEY: Invalid API key\.\n$/],
])("%s exits with a message", async (_what, apiKey, message) => {
  const { code, stdout, stderr } = await tessera({ ...environment, TESSERA_API_KEY: apiKey }, "mcp");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(message);
});
