import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readMigrations } from "#storage/sqlite/engine/migrate.ts";
import { takeLock } from "#storage/sqlite/engine/lock.ts";
import { databaseFile } from "#storage/sqlite/store.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { makeFolder, runServer, startServer } from "../e2e/support/process.ts";

/** The data directory of a server of version 0.1.0. */
const FIXTURE = join(import.meta.dirname, "../package/fixtures/0.1.0");
const NEWEST = readMigrations().at(-1)!.number;

const folder = makeFolder();
const { dataDir } = folder;
const environment = { DATA_DIR: dataDir, PORT: "0", EMBEDDINGS: "off" };
let before: number;

beforeEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { mode: 0o700 });
  copyFileSync(join(FIXTURE, "secret.key"), join(dataDir, "secret.key"));
  writeFileSync(databaseFile(dataDir), gunzipSync(readFileSync(join(FIXTURE, "tessera.sqlite.gz"))));
  before = readVersion();
  expect(before).toBeLessThan(NEWEST);
});
afterAll(() => folder.remove());

function readVersion(): number {
  const db = new DatabaseSync(databaseFile(dataDir), { readOnly: true });
  const { user_version: version } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  db.close();
  return version;
}

async function examine(more: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand({ ...environment, ...more }, "doctor", "--json");
  expect(stderr).toBe("");
  const results: readonly { readonly name: string; readonly state: string; readonly found: string }[] = JSON.parse(stdout).results;
  return { code, results, find: (name: string) => results.find((each) => each.name === name) };
}

test("doctor does not migrate the database of an older version", async () => {
  const { code, results, find } = await examine();
  expect(code).toBe(0);
  expect(find("storage")).toMatchObject({ state: "warning", fix: "Back it up; the next start migrates it." });
  expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(["network guard", "log-in", "model", "sentence vectors"]));
  expect(find("backups")).toBeUndefined();
  expect(readVersion()).toBe(before);
  // A migration writes a copy there first.
  expect(readdirSync(dataDir)).not.toContain("backups");
});

test.each([false, true])("doctor reports a lost secret key, and creates none (migrated: %s)", async (isMigrated) => {
  if (isMigrated) expect((await runCommand(environment, "migrate")).code).toBe(0);
  const version = readVersion();
  rmSync(join(dataDir, "secret.key"));
  const { code, find } = await examine();
  expect(code).toBe(1);
  expect(find("secret key")).toMatchObject({ state: "problem", fix: expect.stringContaining("SECRET_KEY") });
  expect(find("storage")).toMatchObject({ state: isMigrated ? "ok" : "warning" });
  expect(readdirSync(dataDir)).not.toContain("secret.key");
  expect(readVersion()).toBe(version);
  // The database of the fixture has no check value yet: a start or a command records it.
  expect((await examine({ SECRET_KEY: "a".repeat(40) })).find("secret key")).toMatchObject({ state: isMigrated ? "problem" : "ok" });
});

test.each([["key", "list"], ["board", "create", "New"], ["import", "Copy", import.meta.filename], ["mcp"]])(
  "`%s %s` says that the database is of an earlier version, and changes nothing",
  async (...command) => {
    const refused = await runCommand({ ...environment, TESSERA_API_KEY: "tsr_x" }, ...command.filter((word) => word !== undefined));
    expect(refused).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `The database in ${dataDir} is of an earlier version of Tessera. Back it up; then start the server or run "tessera migrate", which upgrade it.\n`,
    });
    expect(readVersion()).toBe(before);
    expect(readdirSync(dataDir)).not.toContain("backups");
  },
);

test("migrate upgrades the database and says so, but not under a running server", async () => {
  const server = takeLock(dataDir, "server", "shared");
  expect(server).not.toBeNull();
  const refused = await runCommand(environment, "migrate");
  expect(refused).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^A Tessera server of an earlier version runs on [^\n]+\n$/),
  });
  // An API node would not need the lock of the worker.
  const api = await runServer({ ...environment, ROLE: "api" });
  expect(api).toMatchObject({ code: 1, stderr: expect.stringContaining("A Tessera server of an earlier version runs on") });
  expect(readVersion()).toBe(before);
  server?.release();
  const { code, stderr } = await runCommand(environment, "migrate");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      /^Upgraded the database in .+ to version \d+\. A copy from before is backups\/tessera-before-008\.sqlite in that folder\.\n$/,
    ),
  });
  expect(readVersion()).toBe(NEWEST);
  expect(readdirSync(join(dataDir, "backups"))).toEqual(["tessera-before-008.sqlite"]);
  expect(await runCommand(environment, "migrate")).toMatchObject({ code: 0, stderr: "" });
});

test("a start upgrades the database and says so", { timeout: 30_000 }, async () => {
  const server = await startServer(environment);
  await server.kill("SIGTERM");
  expect(server.stdout()).toContain("Upgraded the database in");
  expect(readVersion()).toBe(NEWEST);
});

test("a start on a port that is taken leaves nothing behind", async () => {
  rmSync(dataDir, { recursive: true, force: true });
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await runServer({ ...environment, PORT: String(port) });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use by another program`) });
  expect(existsSync(dataDir)).toBe(false);
  await new Promise((resolve) => other.close(resolve));
});

test("an import of a file that does not exist creates no installation", async () => {
  rmSync(dataDir, { recursive: true, force: true });
  const { code, stderr } = await runCommand(environment, "import", "Copy", folder.path("missing.jsonl"));
  expect({ code, stderr }).toEqual({ code: 1, stderr: `There is no file ${folder.path("missing.jsonl")}: check the path.\n` });
  expect(existsSync(dataDir)).toBe(false);
});
