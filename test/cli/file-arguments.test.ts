import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../e2e/support/commands.ts";
import { makeFolder, tesseraJson } from "../e2e/support/process.ts";
import { runProgram } from "../package/support/tools.ts";

const RUN = join(import.meta.dirname, "../../scripts/run.mjs");
const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");
const folder = makeFolder();
const environment = { DATA_DIR: folder.dataDir };
const [directory, file, link, missing] = ["directory", "file", "link", "missing"].map((name) => folder.path(name)) as [
  string,
  string,
  string,
  string,
];
let board = "";

beforeAll(async () => {
  mkdirSync(directory);
  writeFileSync(file, "text");
  symlinkSync(missing, link);
  await tesseraJson(environment, "init");
  board = (await tesseraJson(environment, "board", "list")).boards[0].id;
});
afterAll(() => folder.remove());

async function expectSentence(args: readonly string[], sentence: string, code = 1): Promise<void> {
  expect(await runCommand(environment, ...args)).toMatchObject({ code, stdout: "", stderr: `${sentence}\n` });
}

describe.each([
  ["import", ["import", "Copy"]],
  ["restore", ["restore"]],
] as const)("files of %s", (_, command) => {
  test.each([
    ["a folder", directory, `${directory} can't be read: it is a folder; give the name of a file.`],
    ["missing", missing, `There is no file ${missing}: check the path.`],
    ["a link to nothing", link, `There is no file ${missing}, which the link ${link} leads to: check the path.`],
    ["below a file", `${file}/x`, `${file}/x can't be read: a file is in the place of a folder of its path; correct the path.`],
    ["a device that never ends", "/dev/full", "/dev/full can't be read: it is a device; give the name of a file."],
  ])("the file of a command may not be %s", (_name, given, sentence) => expectSentence([...command, given], sentence));

  test("the file of a command may not be empty", () =>
    expectSentence([...command, ""], "The name of the file is empty. Give the path of a file.", 2));
});

// Root may read everything.
test.runIf(process.getuid?.() !== 0)("a command ends with one sentence if its file may not be read", async () => {
  chmodSync(file, 0);
  await expectSentence(["restore", file], `${file} can't be read: this user lacks the permission; grant it, or choose another place.`);
  chmodSync(file, 0o600);
});

test.each([
  ["backup", () => ["backup"]],
  ["export", () => ["export", board]],
])("%s overwrites nothing, not even a link that leads to nothing", async (_, command) => {
  for (const taken of [link, directory])
    await expectSentence([...command(), taken], `${taken} exists already. Choose another name, or remove it first.`);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(existsSync(missing)).toBe(false);
  await expectSentence(
    [...command(), `${file}/x`],
    `${file}/x can't be written: a file is in the place of a folder of its path; correct the path.`,
  );
});

test("import reads an export from a pipe", { timeout: 60_000 }, async () => {
  const exported = folder.path("board.jsonl");
  await tesseraJson(environment, "export", board, exported);
  // The name of standard input is a pipe here, as that of <(…) is in shells.
  const script = `cat "${exported}" | "${process.execPath}" "${RUN}" "${MAIN}" import Copy /dev/fd/0`;
  const env = { ...environment, EMBEDDINGS: "off", BASE_URL: undefined };
  expect(await runProgram("sh", ["-c", script], { cwd: directory, env })).toMatchObject({ code: 0, stderr: "" });
});

test("a data directory or database that is a link to nothing is named", { timeout: 60_000 }, async () => {
  const advice = "leads to nothing: create what it leads to, or set DATA_DIR to another folder.";
  for (const dataDir of [link, `${link}/below`]) {
    const { code, stderr } = await runCommand({ DATA_DIR: dataDir }, "init");
    expect({ code, stderr }).toEqual({ code: 1, stderr: `The data directory ${dataDir} can't be used, as the link ${link} ${advice}\n` });
  }
  const { code, stdout } = await runCommand({ DATA_DIR: link, PORT: "0" }, "doctor");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem {2}data directory .+ leads to nothing/m);
  const database = `${directory}/tessera.sqlite`;
  symlinkSync(missing, database);
  const failed = await runCommand({ DATA_DIR: directory }, "init");
  rmSync(database);
  expect(failed).toMatchObject({
    code: 1,
    stderr: `The data directory ${directory} can't be used, as the link ${database} ${advice}\n`,
  });
});
