import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, makeFolder, tesseraJson } from "../e2e/support/process.ts";

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir };
const run = (...args: string[]) => runCommand(environment, ...args);
const json = (...args: string[]) => tesseraJson(environment, ...args);

beforeAll(async () => void (await json("init")));
afterAll(() => folder.remove());

test("doctor warns of logins over plain HTTP and exits with 0", async () => {
  const { code, stdout } = await runCommand({ ...environment, BASE_URL: "http://board.example" }, "doctor", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).checks).toContainEqual({
    name: "log-in",
    ok: true,
    message: expect.stringMatching(/^warning: .*plain http/),
  });
});

test("doctor accepts a valid install and shows every setting but no secret", async () => {
  const secretKey = readFileSync(join(folder.dataDir, "secret.key"), "utf8");
  const { code, stdout } = await runCommand({ ...environment, METRICS_TOKEN: "m3trics", SECRET_KEY: secretKey }, "doctor", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, checks: expect.any(Array), settings: expect.any(Array) });
  expect(stdout).not.toContain("m3trics");
  expect(stdout).not.toContain(secretKey);
  const text = await run("doctor");
  expect(text).toMatchObject({ code: 0, stderr: "" });
  for (const name of ["PORT", "DATA_DIR", "FETCH_ALLOW", "WEBHOOK_ALLOW", "INGEST_TIMEOUT_MS", "SECRET_KEY"])
    expect(text.stdout).toContain(name);
});

test.each([
  ["PORT", "abc"],
  ["DATABASE_URL", "postgres://user:s3cretpw@db/x"],
  ["FETCH_ALLOW", "nonsense"],
  ["FETCH_ALLOW", "169.254.169.254:80"],
  ["DATA_DIR", "/dev/null/x"],
])("doctor reports the problem of %s=%s and exits with 1", async (name, value) => {
  const { code, stdout } = await runCommand({ ...environment, [name]: value }, "doctor", "--json");
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report.ok).toBe(false);
  expect(report.checks.filter(({ ok }: { ok: boolean }) => !ok)).toHaveLength(1);
  expect(stdout).not.toContain("s3cretpw");
  expect((await runCommand({ ...environment, [name]: value }, "doctor")).code).toBe(1);
});

test("other commands stop with a sentence at an invalid setting", async () => {
  const { code, stdout, stderr } = await runCommand({ ...environment, PORT: "abc" }, "board", "list", "--json");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("PORT");
});

test("migrate works, and so does every form of help", async () => {
  expect(await json("migrate")).toMatchObject({ migrated: true });
  expect(await run("migrate")).toMatchObject({ code: 0, stderr: "" });
  for (const args of [[], ["--help"], ["help"]]) {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of [
      "serve",
      "migrate",
      "doctor",
      "business create",
      "board list",
      "key create",
      "webhook set",
      "webhook deliveries",
      "backup",
      "restore",
      "export",
      "import",
    ]) {
      expect(stdout).toContain(`tessera ${name}`);
    }
  }
  expect((await run("key", "create", "--help")).stdout).toContain("--permission");
});
