import { createServer } from "node:http";
import { chmodSync, existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseFile } from "#storage/sqlite/store.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { changeRows } from "../support/engine.ts";
import { makeFolder, startServer, tessera, tesseraJson } from "../e2e/support/process.ts";

type Result = { readonly name: string; readonly state: string; readonly found: string; readonly fix?: string };

const folder = makeFolder();
const environment = { DATA_DIR: folder.dataDir, PORT: "0" };

beforeAll(() => tesseraJson(environment, "init"));
afterAll(() => folder.remove());

async function examine(more: Record<string, string> = {}): Promise<{ readonly code: number | null; readonly results: readonly Result[] }> {
  const { code, stdout, stderr } = await runCommand({ ...environment, ...more }, "doctor", "--json");
  expect(stderr).toBe("");
  return { code, results: JSON.parse(stdout).results };
}
const find = async (name: string, more: Record<string, string>): Promise<Result> =>
  (await examine(more)).results.find((each) => each.name === name)!;

test("doctor prints a line for each check, with its state", async () => {
  const { code, stdout } = await tessera(environment, "doctor");
  expect(code).toBe(0);
  const names = ["Node", "settings", "data directory", "disk", "clock", "port"];
  for (const name of [...names, "storage", "secret key", "network guard", "log-in", "model", "sentence vectors"])
    expect(stdout).toMatch(new RegExp(`^ok {7}${name} +\\S`, "m"));
  expect(stdout).toMatch(/^warning  backups +none are scheduled\n +Fix: Schedule them with ".*backups set --every day/m);
  // A clone without a build has no page.
  expect(stdout).toMatch(/^(ok|warning) +web page +/m);
  const lines = stdout.split("\n").filter((line) => /^(ok|warning|problem) /.test(line));
  const columns = new Set(lines.map((line) => /^\S+ +(?:\S+ )*?\S+ {2,}/.exec(line)?.[0].length));
  expect(columns.size).toBe(1);
});

test("doctor has colours if they are forced, and the same text", async () => {
  const plain = (await runCommand(environment, "doctor")).stdout;
  const coloured = (await runCommand({ ...environment, FORCE_COLOR: "1" }, "doctor")).stdout;
  expect(coloured).toContain("\u001b[32mok");
  expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain);
});

test.skipIf(process.platform === "win32")("doctor warns of a key file that others can read", async () => {
  const file = folder.path("data/secret.key");
  chmodSync(file, 0o644);
  const found = await find("secret key", {});
  chmodSync(file, 0o600);
  expect(found).toMatchObject({ state: "warning", found: expect.stringContaining("its mode is 644") });
  expect(found.fix).toContain(`chmod 600 ${file}`);
  expect(await find("secret key", {})).toMatchObject({ state: "ok" });
});

test("doctor creates no installation", async () => {
  const missing = folder.path("missing");
  const { code, results } = await examine({ DATA_DIR: missing });
  expect(code).toBe(0);
  expect(results).toContainEqual({
    name: "storage",
    state: "ok",
    found: `no installation in ${missing} yet; the first start or "tessera init" creates it`,
  });
  expect(existsSync(missing)).toBe(false);
  expect(readdirSync(folder.dataDir).toSorted()).toEqual(["secret.key", "tessera.sqlite"]);
});

test("doctor finds a key that is another one, a short one, and scheduled backups", async () => {
  expect(await find("secret key", { SECRET_KEY: "b".repeat(40) })).toMatchObject({
    state: "warning",
    fix: expect.stringContaining("from before"),
  });
  const dataDir = folder.path("short");
  const short = { DATA_DIR: dataDir, SECRET_KEY: "short", PORT: "0" };
  const sentence = "SECRET_KEY has 5 characters";
  expect(await runCommand(short, "init")).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(sentence) });
  expect(existsSync(databaseFile(dataDir))).toBe(false);
  await tesseraJson({ DATA_DIR: dataDir }, "init");
  expect(await runCommand(short, "key", "list")).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  // As an installation of an earlier version, which took any key.
  await changeRows(short, "DELETE FROM secret_key");
  const server = await startServer(short);
  await server.kill("SIGTERM");
  expect(server.stdout().split(sentence)).toHaveLength(2);
  expect(await find("secret key", short)).toMatchObject({ state: "warning", found: expect.stringContaining("5 characters") });
  expect(await find("backups", short)).toMatchObject({ state: "warning", fix: expect.stringContaining("backups set") });
  await tesseraJson(short, "backups", "set", "--every", "day");
  expect(await find("backups", short)).toMatchObject({ state: "ok", found: expect.stringContaining("the next is due") });
});

test("doctor names the fix of a problem on the next line", async () => {
  const { code, stdout } = await runCommand({ ...environment, DATA_DIR: "/dev/null/x" }, "doctor");
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^problem +data directory +The data directory \/dev\/null\/x can't be created.*\n +Fix: Set DATA_DIR to a folder\.$/m,
  );
});

test("doctor finds a backup directory that can't be written", async () => {
  expect(await find("backup directory", { BACKUP_DIR: "/dev/null/x" })).toMatchObject({
    state: "problem",
    found: expect.stringContaining("/dev/null/x"),
    fix: expect.stringContaining("BACKUP_DIR"),
  });
  expect(await find("backup directory", { BACKUP_DIR: folder.path("backups") })).toMatchObject({ state: "ok" });
});

test("doctor finds a port that another program uses, or Tessera itself", { timeout: 300_000 }, async () => {
  const other = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const taken = String((other.address() as AddressInfo).port);
  const { code, results } = await examine({ PORT: taken });
  expect(code).toBe(1);
  expect(results.filter(({ state }) => state === "problem")).toEqual([
    {
      name: "port",
      state: "problem",
      found: `Port ${taken} of 127.0.0.1 is in use by another program`,
      fix: "Stop that program, or set PORT to another port (0 picks a free one).",
    },
  ]);
  await new Promise((resolve) => other.close(resolve));
  expect(await find("port", { PORT: taken })).toMatchObject({ state: "ok", found: `${taken} of 127.0.0.1 is free` });
  const server = await startServer({ ...environment, PORT: taken });
  expect(await find("port", { PORT: taken })).toMatchObject({ state: "ok", found: `a Tessera server listens on ${taken} of 127.0.0.1` });
  await server.kill("SIGTERM");
});

test("doctor finds a clock that was set back, a damaged database, and a setting", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  const dataDir = folder.path("ahead");
  await tesseraJson({ DATA_DIR: dataDir }, "init");
  utimesSync(databaseFile(dataDir), tomorrow, tomorrow);
  expect(await find("clock", { DATA_DIR: dataDir })).toMatchObject({ state: "warning", fix: expect.stringContaining("NTP") });
  writeFileSync(databaseFile(dataDir), "no database ".repeat(1_000));
  expect(await find("storage", { DATA_DIR: dataDir })).toMatchObject({
    state: "problem",
    fix: expect.stringContaining('Restore a backup with "tessera restore FILE"'),
  });
  expect(await examine({ LLM_MODEL: "m" })).toMatchObject({
    code: 1,
    results: [{ name: "Node" }, { name: "settings", state: "problem" }],
  });
});
