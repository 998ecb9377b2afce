import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { COMMANDS } from "#cli/commands/all.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { until } from "../e2e/support/servers.ts";
import { CREATED, call, makeFolder, startServer, tessera, tesseraJson, tesseraWith } from "../e2e/support/process.ts";

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const environment = () => ({ DATA_DIR: folder.dataDir });

describe("init", () => {
  test("init prepares an installation without questions, and says what to do next", { timeout: 300_000 }, async () => {
    const made = await tessera({ ...environment(), TESSERA_COMMAND: "tessera-server", PORT: "9123" }, "init");
    expect(made).toMatchObject({ code: 0, stderr: "" });
    for (const line of [
      `Tessera is installed in ${folder.dataDir}.`,
      "tessera-server start",
      "http://127.0.0.1:9123",
      "one-time link",
      'tessera-server key create --name "My first key"',
      "tessera-server doctor",
      "http://127.0.0.1:9123/docs",
    ])
      expect(made.stdout).toContain(line);
    const [, guide = ""] = /Read the documentation +(\S+);/.exec(made.stdout) ?? [];
    expect(existsSync(guide)).toBe(true);
    expect(readdirSync(folder.dataDir).toSorted()).toEqual(["secret.key", "tessera.sqlite"]);
    expect(statSync(join(folder.dataDir, "secret.key")).mode & 0o777).toBe(0o600);
    const { boards } = await tesseraJson(environment(), "board", "list");
    expect(boards).toMatchObject([{ isDefault: true }]);
    const { key } = await tesseraJson(environment(), "key", "create", "--name", "first");
    const server = await startServer(environment());
    await until("the link", () => /one-time link: http\S+\/claim#/.test(server.stdout()));
    expect((await call(server.url, key, "GET", "/api/board/boards")).json.boards).toMatchObject(boards);
    await server.kill("SIGTERM");
  });

  test("init changes nothing where there is an installation", { timeout: 300_000 }, async () => {
    expect(await tesseraJson(environment(), "init")).toMatchObject({ init: { created: true, location: folder.dataDir } });
    const before = [readFileSync(databaseFile(folder.dataDir)), readFileSync(join(folder.dataDir, "secret.key"))];
    const again = await tessera(environment(), "init");
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toMatch(/^There is a Tessera installation in .+ already\. Nothing was changed\.\n/);
    const { init } = await tesseraJson(environment(), "init");
    expect(init).toMatchObject({ created: false, next: expect.arrayContaining([{ task: "Start the server", how: "tessera start" }]) });
    expect([readFileSync(databaseFile(folder.dataDir)), readFileSync(join(folder.dataDir, "secret.key"))]).toEqual(before);
    expect(readdirSync(folder.dataDir).toSorted()).toEqual(["secret.key", "tessera.sqlite"]);
  });

  test("init names npm start in a clone", async () => {
    const clone = { npm_package_name: "tessera", npm_lifecycle_event: "tessera" };
    const { stdout } = await tessera({ ...environment(), ...clone }, "init");
    expect(stdout).toMatch(/Start the server +npm start\n/);
    expect(stdout).toContain("npm run -s tessera -- doctor");
  });
});

describe("commands without an installation", () => {
  const words = (name: string): string[] => {
    const command = COMMANDS.find((each) => each.name === name)!;
    const required = Object.entries(command.options ?? {}).flatMap(([option, { isRequired }]) =>
      isRequired ? [`--${option}`, "given"] : [],
    );
    const options = name === "backups set" ? ["--every", "day"] : required;
    return [...name.split(" "), ...(command.parameters ?? []).map(() => folder.path("parameter")), ...options];
  };

  test.each(COMMANDS.filter(({ installation }) => installation === "required").map(({ name }) => name))(
    "the command %s without an installation ends with one sentence, and creates none",
    async (name) => {
      const ended = await runCommand({ ...environment(), TESSERA_API_KEY: "tsr_x" }, ...words(name), "--json");
      const sentence = `There is no Tessera installation in ${folder.dataDir}: create one with "tessera init", or set DATA_DIR to the folder of yours.\n`;
      expect(ended).toMatchObject({ code: 1, stdout: "", stderr: sentence });
      expect(existsSync(folder.dataDir)).toBe(false);
    },
  );

  test.each([
    [["board", "create", "B"]],
    [["business", "create", "B"]],
    [["key", "create", "--name", "k"]],
    [["webhook", "set", "https://hooks.example.com/in"]],
    [["migrate"]],
  ])("the command %j without an installation creates one, and says so on standard error", async (args) => {
    const made = await runCommand(environment(), ...args, "--json");
    expect(made).toMatchObject({ code: 0, stderr: `Created a new Tessera installation in ${folder.dataDir}.\n` });
    expect(() => JSON.parse(made.stdout)).not.toThrow();
    expect(await runCommand(environment(), "board", "list")).toMatchObject({ code: 0, stderr: "" });
  });

  test("member create, import and restore create an installation, and say so too", { timeout: 300_000 }, async () => {
    const [board, backup] = [folder.path("board.jsonl"), folder.path("backup.sqlite")];
    const args = ["member", "create", "--email", "ada@example.com", "--password-stdin"];
    expect(await tesseraWith(environment(), "correct horse battery", ...args)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(CREATED),
    });
    const [{ id }] = (await tesseraJson(environment(), "board", "list")).boards;
    await tesseraJson(environment(), "export", id, board);
    await tesseraJson(environment(), "backup", backup);
    const imported = await runCommand({ DATA_DIR: folder.path("two") }, "import", "Copy", board);
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringMatching(CREATED) });
    const restored = await runCommand({ DATA_DIR: folder.path("three") }, "restore", backup);
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(CREATED) });
  });
});

test("the webhook commands refuse a word that is no address, and a long overlap", async () => {
  const word = await runCommand(environment(), "webhook", "set", "foo");
  expect(word).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^"foo" is not a complete url: .+\n$/) });
  await tesseraJson(environment(), "webhook", "set", "https://hooks.example.com/in");
  const long = await runCommand(environment(), "webhook", "rotate", "--overlap", "1000h");
  expect(long).toMatchObject({ code: 2, stdout: "", stderr: "--overlap must be at most 720h.\n" });
  expect((await runCommand(environment(), "webhook", "rotate", "--overlap", "720h")).code).toBe(0);
});

test("files that can't be used end a command with one sentence", async () => {
  await tesseraJson(environment(), "init");
  const [{ id }] = (await tesseraJson(environment(), "board", "list")).boards;
  const missing = join(folder.path("none"), "x");
  for (const args of [
    ["backup", missing],
    ["export", id, missing],
  ])
    expect(await runCommand(environment(), ...args)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `${missing} can't be written: there is no folder ${folder.path("none")}; create it, or choose another one.\n`,
    });
  expect(await runCommand(environment(), "import", "B", folder.dataDir)).toMatchObject({
    code: 1,
    stderr: `${folder.dataDir} can't be read: it is a folder; give the name of a file.\n`,
  });
});
