import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ReleaseTools, listPackageFiles } from "../../../scripts/release/release.ts";
import { replaceVersion } from "../../../scripts/release/versions.ts";

const ROOT = join(import.meta.dirname, "../../..");
export const MANIFESTS = ["package.json", "sdk/package.json", "web/package.json"];
export const CHANGELOG = "# Changelog\n\n## 0.2.0 (unreleased)\n\n### Added\n\n- Bulk changes.\n\n## 0.1.0\n\nThe first version.\n";

/** A document with an operation that every release has. */
export const describeApi = (version: string) => ({
  openapi: "3.1.0",
  info: { version },
  paths: { "/api/me": { get: { operationId: "getMe", responses: { 200: {} } } } },
});

export const readSource = (file: string): string => readFileSync(join(ROOT, file), "utf8");

export function git(root: string, ...args: readonly string[]): string | undefined {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
  const { status, stdout } = spawnSync("git", [...identity, ...args], { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

export function commit(root: string): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "all: change something");
}

/** Tools that start nothing but git. The build writes the files that the real one does. */
export function createTools(root: string, replaced: Partial<ReleaseTools> = {}): ReleaseTools {
  return {
    runGit: (args) => git(root, ...args),
    describeApi,
    runTests: () => true,
    buildPackages: () => writePackages(root, listPackageFiles("0.2.0")),
    today: () => "2026-12-01",
    ...replaced,
  };
}

export function writePackages(root: string, names: readonly string[]): boolean {
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const name of names) writeFileSync(join(root, "dist", name), name);
  return true;
}

export const change = (root: string, file: string, edit: (text: string) => string): void =>
  writeFileSync(join(root, file), edit(readFileSync(join(root, file), "utf8")));

/** What git and the folder `dist` show. */
export const readState = (root: string) => ({ status: git(root, "status", "--porcelain"), hasDist: existsSync(join(root, "dist")) });

/** Repositories in a temporary folder, each on main, in which 0.2.0 can be released after 0.1.0. */
export function createRepositories() {
  const folder = mkdtempSync(join(tmpdir(), "tessera-release-"));
  const template = join(folder, "template");
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(template, file)), { recursive: true });
    writeFileSync(join(template, file), text);
  };
  for (const file of MANIFESTS) write(file, readSource(file));
  write("src/domain/core/version.ts", replaceVersion(readSource("src/domain/core/version.ts"), "0.1.0"));
  write("releases/0.1.0/openapi.json", JSON.stringify(describeApi("0.1.0")));
  write("CHANGELOG.md", CHANGELOG);
  write(".gitignore", "dist/\n");
  git(template, "init", "--quiet", "--initial-branch=main");
  commit(template);
  let count = 0;
  const create = (): string => {
    const root = join(folder, String((count += 1)));
    cpSync(template, root, { recursive: true });
    return root;
  };
  return { create, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
