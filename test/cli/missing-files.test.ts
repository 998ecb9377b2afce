import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolder, tessera, tesseraJson } from "../e2e/support/process.ts";
import { expectSentence, ROOT } from "./sentence.ts";

const folder = makeFolder();
afterAll(() => folder.remove());

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
    const dataDir = folder.path(`migrations-${release}`);
    await tesseraJson({ DATA_DIR: dataDir }, "init");
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
