import Database from "better-sqlite3";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { makeFolder, runServer, tessera, tesseraJson } from "../e2e/support/process.ts";
import { expectSentence } from "./sentence.ts";

const folder = makeFolder();

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
