import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

type Package = { readonly version: string; readonly dev?: true; readonly optional?: true };

const ROOT = join(import.meta.dirname, "../..");
const SERVER = "src/cli/main.ts";
const DEVELOPMENT = "scripts/test.ts";

const USED: Record<string, Package> = { fastify: { version: "5.0.0" } };
const TOOLS: Record<string, Package> = { vitest: { version: "5.0.0", dev: true } };
const OTHER_PLATFORM: Record<string, Package> = { "node-bin-windows": { version: "24.0.0", optional: true } };
const WANTED = { ...USED, ...TOOLS, ...OTHER_PLATFORM };

let clone: string;

const writePackages = (file: string, packages: Record<string, Package>): void => {
  const entries = Object.entries(packages).map(([name, value]) => [`node_modules/${name}`, value]);
  const links = { "": { name: "tessera" }, web: { name: "web" }, "node_modules/web": { link: true } };
  writeFileSync(join(clone, file), JSON.stringify({ packages: { ...links, ...Object.fromEntries(entries) } }));
};
const noteInstalled = (packages: Record<string, Package>): void => writePackages("node_modules/.package-lock.json", packages);

/** The flag by which npm was told what to install; null if npm was not run. */
const start = (entry: string): string | null => {
  const log = join(clone, "npm.log");
  rmSync(log, { force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", entry], {
    cwd: clone,
    encoding: "utf8",
    env: { PATH: `${join(clone, "path")}${delimiter}${process.env["PATH"]}` },
  });
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: "ran\n" });
  return existsSync(log) ? (/--(?:omit|include)=dev/.exec(readFileSync(log, "utf8"))?.[0] ?? "npm") : null;
};

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "tessera-clone-"));
  for (const folder of ["scripts", "src/cli", "server", "path", "node_modules/.bin"]) mkdirSync(join(clone, folder), { recursive: true });
  for (const file of ["scripts/run.mjs", "scripts/installation.mjs", "server/bin"]) {
    cpSync(join(ROOT, file), join(clone, file), { recursive: true });
  }
  for (const entry of [SERVER, DEVELOPMENT]) {
    writeFileSync(join(clone, entry), 'export const run = (): void => void process.stdout.write("ran\\n");');
  }
  writeFileSync(join(clone, "package.json"), '{ "type": "module" }');
  writeFileSync(join(clone, "path/npm"), `#!/bin/sh\necho "$@" > "${clone}/npm.log"\n`);
  chmodSync(join(clone, "path/npm"), 0o755);
  writePackages("package-lock.json", WANTED);
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

it("an entry of a clone installs what it needs in an empty clone", () => {
  expect(start(SERVER)).toBe("--omit=dev");
  expect(start(DEVELOPMENT)).toBe("--include=dev");
});

it("an entry of a clone accepts what npm has installed by hand", () => {
  noteInstalled({ ...USED, ...TOOLS });
  expect([start(SERVER), start(DEVELOPMENT)]).toEqual([null, null]);
});

it("an entry of a clone adds what is for development when it is needed", () => {
  noteInstalled(USED);
  expect([start(SERVER), start(DEVELOPMENT)]).toEqual([null, "--include=dev"]);
});

it("an entry of a clone keeps what is for development when the lock file changes", () => {
  noteInstalled({ ...USED, ...TOOLS });
  writePackages("package-lock.json", { ...WANTED, fastify: { version: "5.0.1" } });
  expect([start(SERVER), start(DEVELOPMENT)]).toEqual(["--include=dev", "--include=dev"]);
});

it("an entry of a clone starts the server if only what is for development changed", () => {
  noteInstalled({ ...USED, ...TOOLS });
  writePackages("package-lock.json", { ...WANTED, vitest: { version: "5.0.1", dev: true } });
  expect([start(SERVER), start(DEVELOPMENT)]).toEqual([null, "--include=dev"]);
});

it("an entry of a clone needs no package that the lock file lists no more", () => {
  noteInstalled({ ...USED, ...TOOLS, leftpad: { version: "1.0.0" } });
  expect([start(SERVER), start(DEVELOPMENT)]).toEqual([null, null]);
});
