import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, makeFolder, tessera, tesseraJson } from "../e2e/support/process.ts";

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir };
const run = (...args: string[]) => runCommand(environment, ...args);
const json = (...args: string[]) => tesseraJson(environment, ...args);

beforeAll(async () => void (await json("init")));
afterAll(() => folder.remove());

test("the command reindex waits for every board, and prints its result", async () => {
  await json("board", "create", "Second to index");
  const count = (await json("board", "list")).boards.length;
  const { code, stdout, stderr } = await tessera(environment, "reindex", "--json");
  expect([code, stderr.includes("Warning")]).toEqual([0, false]);
  // It covers the boards of all businesses.
  expect(JSON.parse(stdout).reindex.boards.length).toBeGreaterThanOrEqual(count);
});

test.each([
  [["business", "list"], 0],
  [["board", "list"], 0],
  [["key", "list"], 0],
  [["member", "list"], 0],
  [["webhook", "deliveries"], 0],
  [["backups"], 0],
  [["migrate"], 0],
  [["doctor"], 0],
  [["help"], 0],
  [["key", "revoke", "key_unknown"], 1],
  [["key", "create"], 2],
  [["bord", "list"], 2],
])("%j exits with the same output and code as in a shared process", async (args, code) => {
  const ended = await tessera(environment, ...args);
  expect(ended).toEqual(await run(...args));
  expect(ended).toMatchObject({ code, signal: null });
});

test("a command in its own process prints a new key", async () => {
  const created = await tessera(environment, "key", "create", "--name", "Own process", "--json");
  expect(created).toMatchObject({ code: 0, signal: null, stderr: "" });
  expect((await json("key", "list")).apiKeys).toContainEqual(JSON.parse(created.stdout).apiKey);
});
