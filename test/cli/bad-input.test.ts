import Database from "better-sqlite3";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { type Finished, makeFolder, runServer, tessera, tesseraJson } from "../e2e/support/process.ts";

const ROOT = join(import.meta.dirname, "../..");
const folder = makeFolder();

/** Fails unless the process ended with exit code 1 and one line on standard error that has no stack. */
function expectSentence(ended: Finished, sentence: string | RegExp): void {
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
  if (typeof sentence === "string") expect(ended.stderr).toContain(sentence);
  else expect(ended.stderr).toMatch(sentence);
}

/** Creates an installation under this name, and changes its database file. */
async function damage(name: string, change: (file: string) => void): Promise<string> {
  const dataDir = folder.path(name);
  await tesseraJson({ DATA_DIR: dataDir }, "init");
  change(databaseFile(dataDir));
  return dataDir;
}

function withDatabase(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

const COMMANDS = [["start"], ["board", "list"], ["key", "create", "--name", "k"], ["init"]] as const;

beforeAll(() => writeFileSync(folder.path("file"), "text"));
afterAll(() => folder.remove());

describe("data directories that can't be used", () => {
  test.each<[string, () => Promise<string> | string, string]>([
    ["is a file", () => folder.path("file"), "as a file is in its place: set DATA_DIR to a folder."],
    ["is below a file", () => folder.path("file/x"), "as a file is in its place: set DATA_DIR to a folder."],
    [
      "has a damaged database",
      () => damage("damaged", (file) => writeFileSync(file, "damaged ".repeat(9_000))),
      "a damaged tessera.sqlite",
    ],
    ["has half a database", () => damage("half", (file) => truncateSync(file, 20_000)), "a damaged tessera.sqlite"],
    [
      "has a folder as database",
      () =>
        damage("folder", (file) => {
          rmSync(file);
          mkdirSync(file);
        }),
      "has a folder in place of a file",
    ],
    [
      "has the database of another program",
      () =>
        damage("foreign", (file) => {
          rmSync(file);
          withDatabase(file, "CREATE TABLE note (text); PRAGMA user_version = 3");
        }),
      "is the database of another program: set DATA_DIR to another folder.",
    ],
  ])("a command ends with one sentence if its data directory %s", { timeout: 300_000 }, async (_, prepare, sentence) => {
    const dataDir = await prepare();
    const file = databaseFile(dataDir);
    const read = () => (existsSync(file) && dataDir.endsWith("foreign") ? readFileSync(file) : null);
    const before = read();
    for (const command of COMMANDS) expectSentence(await tessera({ DATA_DIR: dataDir, PORT: "0" }, ...command), sentence);
    expectSentence(await runServer({ DATA_DIR: dataDir }), `Tessera could not start: `);
    // The file of another program is not changed.
    expect(read()).toEqual(before);
  });

  test("a command ends with one sentence if its data directory is of a newer version", { timeout: 300_000 }, async () => {
    const dataDir = await damage("newer", (file) => withDatabase(file, "PRAGMA user_version = 4711"));
    const sentence = "The database is of version 4711, newer than this Tessera knows";
    expectSentence(await runServer({ DATA_DIR: dataDir }), sentence);
    expectSentence(await tessera({ DATA_DIR: dataDir }, "board", "list"), sentence);
  });

  test("a command ends with one sentence if its data directory has an empty secret key", async () => {
    const dataDir = await damage("keyless", () => {});
    writeFileSync(join(dataDir, "secret.key"), "");
    expectSentence(await runServer({ DATA_DIR: dataDir }), "secret.key is empty: put its content back from a backup");
  });

  test("a data directory can't be created below /proc, where Node's recursive mkdir never returns", { timeout: 300_000 }, async () => {
    for (const dataDir of ["/proc/x", "/proc/x/y"]) {
      expectSentence(
        await runServer({ DATA_DIR: dataDir }),
        `The data directory ${dataDir} can't be created there: set DATA_DIR to a folder on a disk.`,
      );
      expectSentence(await tessera({ DATA_DIR: dataDir }, "init"), "can't be created there");
    }
  });
});

const isRoot = process.getuid?.() === 0;
/** A namespace in which disks can be mounted; `unshare` and `setpriv` are in the package util-linux. */
const MOUNTS = ["unshare", "--mount", ...(isRoot ? [] : ["--map-root-user"])];

/** Runs a shell script that starts commands, and returns all of its output. */
async function runScript(script: string, environment: Record<string, string>, prefix: readonly string[] = []): Promise<string> {
  const [program = "", ...args] = [...prefix, "sh", "-c", script];
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", NODE: process.execPath, EMBEDDINGS: "off", PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part: string) => (output += part));
  await once(child, "close");
  return output;
}

const run = '"$NODE" scripts/run.mjs src/cli/main.ts';

test("a read-only disk is named", { timeout: 300_000 }, async () => {
  await tesseraJson({ DATA_DIR: folder.path("disk/data") }, "init");
  const disk = folder.path("disk");
  const script = `mount --bind "$DISK" "$DISK" && mount -o remount,bind,ro "$DISK" || exit
      for command in start "board list" "key create --name k"; do ${run} $command; echo "code $?"; done
      DATA_DIR="$DISK/new" ${run} init; echo "code $?"`;
  const output = await runScript(script, { DISK: disk, DATA_DIR: join(disk, "data") }, MOUNTS);
  const [start, ...others] = output.trim().split(/\ncode 1(?:\n|$)/);
  const sentence = (name: string) =>
    `The data directory ${join(disk, name)} is on a read-only disk: make the disk writable, or set DATA_DIR to another folder.`;
  expect(start).toBe(`Tessera could not start: ${sentence("data")}`);
  expect(others.filter((text) => text !== "")).toEqual([sentence("data"), sentence("data"), sentence("new")]);
  expect(existsSync(join(disk, "new"))).toBe(false);
});

test("a folder of another user is named", { timeout: 300_000 }, async () => {
  const dataDir = folder.path("owned/data");
  await tesseraJson({ DATA_DIR: dataDir }, "init");
  for (const [path, mode] of [
    [dirname(folder.path("owned")), 0o711],
    [folder.path("owned"), 0o555],
    [dataDir, isRoot ? 0o700 : 0o000],
  ] as const)
    chmodSync(path, mode);
  const script = `for command in start "board list" init; do ${run} $command; echo "code $?"; done
      DATA_DIR="$PARENT/new" ${run} start; echo "code $?"`;
  const nobody = isRoot ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : [];
  const output = await runScript(script, { PARENT: folder.path("owned"), DATA_DIR: dataDir, HOME: "/nonexistent" }, nobody);
  for (const path of [folder.path("owned"), dataDir]) chmodSync(path, 0o700);
  const texts = output
    .trim()
    .split(/\ncode 1(?:\n|$)/)
    .filter((text) => text !== "");
  expect(texts).toHaveLength(4);
  for (const text of texts) {
    expect(text.split("\n")).toHaveLength(1);
    expect(text).toMatch(
      /The data directory \S+ can't be written by this user: let the user read and write everything in it, or set DATA_DIR/,
    );
  }
});

test("an address that can't be listened on is named with the setting", { timeout: 300_000 }, async () => {
  const other = createServer();
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const dataDir = folder.path("port");
  const taken = await runServer({ DATA_DIR: dataDir, PORT: String(port) });
  expectSentence(
    taken,
    `Port ${port} of 127.0.0.1 is in use by another program: stop that program, or set PORT to another port (0 picks a free one).`,
  );
  other.close();
  expectSentence(await runServer({ DATA_DIR: dataDir, HOST: "192.0.2.1" }), "HOST is 192.0.2.1, which is no address of this machine");
  expectSentence(await runServer({ DATA_DIR: dataDir, HOST: "no such host" }), "HOST is no such host, which is no address of this machine");
  expectSentence(await runServer({ DATA_DIR: dataDir, PORT: "65536" }), "Invalid setting: PORT must be a whole number");
  expectSentence(
    await runServer({ DATA_DIR: dataDir, ROLE: "boss" }),
    'Invalid setting: ROLE must be one of all, api, worker, but is "boss".',
  );
});

const copy = folder.path("copy");

beforeAll(() => {
  mkdirSync(copy);
  for (const part of ["src", "scripts", "server", "sdk", "package.json", "package-lock.json"])
    if (existsSync(join(ROOT, part)))
      cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter: (path) => !path.includes("node_modules") });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});

test.each(readdirSync(join(ROOT, "src/storage/sqlite/engine/migrations")))(
  "a copy of Tessera with missing files names the migrations of %s, and leaves the database as it is",
  { timeout: 300_000 },
  async (release) => {
    const dataDir = await damage(`migrations-${release}`, () => {});
    const migrations = join(copy, "src/storage/sqlite/engine/migrations", release);
    rmSync(migrations, { recursive: true });
    const child = spawn(process.execPath, ["scripts/run.mjs", "src/cli/main.ts", "start"], {
      cwd: copy,
      env: { PATH: process.env.PATH ?? "", EMBEDDINGS: "off", PORT: "0", DATA_DIR: dataDir },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (part: string) => (out.stdout += part));
    child.stderr.setEncoding("utf8").on("data", (part: string) => (out.stderr += part));
    const [code] = await once(child, "close");
    cpSync(join(ROOT, "src/storage/sqlite/engine/migrations", release), migrations, { recursive: true });
    expectSentence(
      { code, signal: null, ...out },
      `This copy of Tessera is incomplete, as files are missing in ${migrations}: install it again.`,
    );
    expect((await tessera({ DATA_DIR: dataDir }, "board", "list")).code).toBe(0);
  },
);
