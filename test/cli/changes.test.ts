import { afterAll, beforeAll, expect, test } from "vitest";
import { startEntry } from "../e2e/support/start-entry.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { call, type Environment, makeFolder, type ServerProcess, startServer, tesseraJson } from "../e2e/support/process.ts";
import { until } from "../e2e/support/servers.ts";

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir };
const run = (...args: string[]) => runCommand(environment, ...args);
let server: ServerProcess;
let key: string;
let boardId: string;
beforeAll(async () => {
  key = (await tesseraJson(environment, "key", "create", "--name", "changes")).key;
  boardId = (await tesseraJson(environment, "board", "list")).boards[0].id;
  server = await startServer(environment);
});
afterAll(async () => {
  await server.kill("SIGKILL");
  folder.remove();
});

const create = (title: string) => call(server.url, key, "POST", `/api/board/${boardId}/tiles`, { title, content: "A note" });

test("changes are printed as text and as one JSON value, of one board and some events", async () => {
  const { id } = (await create("First")).json.tile;
  const text = await run("changes", "--since", "1h");
  expect(text).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(new RegExp(`^\\S+Z  tile.created  ${id}  First\n$`)) });
  const { changes } = await tesseraJson(environment, "changes", "--board", boardId, "--events", "tile.created");
  expect(changes).toMatchObject([{ id: expect.stringMatching(/^evt_/), event: "tile.created", payload: { tileId: id, title: "First" } }]);
  expect(await tesseraJson(environment, "changes", "--events", "tile.deleted")).toEqual({ changes: [] });
});

test("changes are followed until the command is stopped", async () => {
  const child = startEntry("src/cli/main.ts", ["changes", "--follow", "--json"], environment);
  let printed = "";
  child.stdout.on("data", (text: string) => (printed += text));
  const ended = new Promise((resolve) => child.once("close", resolve));
  await until("a change", async () => {
    await create("Again");
    return printed.includes("\n");
  });
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  for (const line of printed.trim().split("\n"))
    expect(JSON.parse(line)).toMatchObject({ event: "tile.created", payload: { title: "Again" } });
});

test.each([
  [["changes", "--events", "tile.eaten"], 2, /^--events takes tile\.created, /],
  [["changes", "--since", "yesterday"], 2, /^--since takes a time such as .* or a duration such as 2h, not "yesterday"/],
  [["changes", "--board", "brd_missing"], 1, /^Board not found/],
])("%j is refused", async (args, code, message) => {
  expect(await run(...args)).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(message) });
});
