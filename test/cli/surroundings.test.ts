import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runProgram } from "../package/support/tools.ts";
import { makeFolder, tesseraJson } from "../e2e/support/process.ts";
import { runCommand } from "../e2e/support/commands.ts";

const RUN = join(import.meta.dirname, "../../scripts/run.mjs");
const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");
const folder = makeFolder();

afterAll(() => folder.remove());

test.skipIf(process.platform === "win32")(
  "a removed current folder ends each command with one sentence",
  { timeout: 100_000 },
  async () => {
    const gone = folder.path("gone");
    mkdirSync(gone);
    const run = `"$NODE" ${RUN} ${MAIN}`;
    const script = `rmdir "$PWD"; ${run} key list; echo "code $?"; DATA_DIR="$DATA" ${run} start; echo "code $?"`;
    const { stdout, stderr } = await runProgram("sh", ["-c", script], {
      cwd: gone,
      env: {
        ...{ NODE: process.execPath, DATA: folder.path("other"), PORT: "0" },
        ...{ DATA_DIR: undefined, DATABASE_URL: undefined, BASE_URL: undefined, LOG_FORMAT: undefined },
      },
    });
    expect(stdout).toBe("code 1\ncode 1\n");
    const [command, start] = stderr.trimEnd().split("\n");
    expect(command).toBe("DATA_DIR is below the current folder, which was removed: change to another folder, or set an absolute path.");
    expect(start).toBe("Tessera could not start: The current folder was removed: change to another one, and try again.");
    expect(stderr.trimEnd().split("\n")).toHaveLength(2);
    expect(() => rmdirSync(gone)).toThrow("ENOENT");
  },
);

test("an address of another database is named without its password, and alone", async () => {
  const { code, stderr } = await runCommand({ DATABASE_URL: "mysql://user:secret@host/database" }, "key", "list");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^DATABASE_URL must be the address of a PostgreSQL database, such as [^\n]+, and not mysql:\/\/\.\n$/);
  expect(stderr).not.toContain("secret");
});

test("an address with a stray % is named without its password", async () => {
  const url = "postgres://user:100%secret@127.0.0.1:1/database";
  const { code, stderr } = await runCommand({ DATABASE_URL: url, SECRET_KEY: "k".repeat(40) }, "key", "list");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^DATABASE_URL has a % that is not part of an encoded character: write %25 for it[^\n]+\n$/);
  expect(stderr).not.toContain("secret");
});

test("control characters in names are escaped", { timeout: 60_000 }, async () => {
  const environment = { DATA_DIR: folder.dataDir };
  const name = "a\u001b[31m\u009b2J\u202eb";
  const { board } = await tesseraJson(environment, "board", "create", name);
  expect(board.name).toBe(name);
  const { stdout } = await runCommand(environment, "board", "list");
  expect(stdout).toContain(`${board.id}  a\\u001b[31m\\u009b2J\\u202eb\n`);
});
