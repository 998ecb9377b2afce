import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { VERSION } from "#domain/core/version.ts";
import { dateChangelog, findChangelogProblem } from "../../scripts/release/changelog.ts";
import { findProblems } from "../../scripts/release/checks.ts";
import { describeNextSteps } from "../../scripts/release/main.ts";
import { type ReleaseTools, makeRelease, listPackageFiles } from "../../scripts/release/release.ts";
import { listReleases } from "../../scripts/release/snapshots.ts";
import { compareVersions, listNextVersions, parseVersion, readVersion, replaceVersion } from "../../scripts/release/versions.ts";
import { runProgram } from "./support/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
const MANIFESTS = ["package.json", "sdk/package.json", "web/package.json"];
const CHANGELOG = "# Changelog\n\n## 0.2.0 (unreleased)\n\n### Added\n\n- Bulk changes.\n\n## 0.1.0\n\nThe first version.\n";

/** A document with an operation that every release has. */
const describeApi = (version: string) => ({
  openapi: "3.1.0",
  info: { version },
  paths: { "/api/me": { get: { operationId: "getMe", responses: { 200: {} } } } },
});

const folder = mkdtempSync(join(tmpdir(), "tessera-release-"));
const TEMPLATE = join(folder, "template");
let count = 0;
beforeAll(() => {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(TEMPLATE, file)), { recursive: true });
    writeFileSync(join(TEMPLATE, file), text);
  };
  for (const file of MANIFESTS) write(file, readSource(file));
  write("src/domain/core/version.ts", replaceVersion(readSource("src/domain/core/version.ts"), "0.1.0"));
  write("releases/0.1.0/openapi.json", JSON.stringify(describeApi("0.1.0")));
  write("CHANGELOG.md", CHANGELOG);
  write(".gitignore", "dist/\n");
  git(TEMPLATE, "init", "--quiet", "--initial-branch=main");
  commit(TEMPLATE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A repository on main in which 0.2.0 can be released after 0.1.0. */
function newRepository(): string {
  const root = join(folder, String((count += 1)));
  cpSync(TEMPLATE, root, { recursive: true });
  return root;
}

const readSource = (file: string): string => readFileSync(join(ROOT, file), "utf8");

function git(root: string, ...args: readonly string[]): string | undefined {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
  const { status, stdout } = spawnSync("git", [...identity, ...args], { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

function commit(root: string): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "all: change something");
}

/** Tools that start nothing but git. The build writes the files that the real one does. */
function createTools(root: string, replaced: Partial<ReleaseTools> = {}): ReleaseTools {
  return {
    runGit: (args) => git(root, ...args),
    describeApi,
    runTests: () => true,
    buildPackages: () => writePackages(root, listPackageFiles("0.2.0")),
    today: () => "2026-12-01",
    ...replaced,
  };
}

function writePackages(root: string, names: readonly string[]): boolean {
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const name of names) writeFileSync(join(root, "dist", name), name);
  return true;
}

const change = (root: string, file: string, edit: (text: string) => string): void =>
  writeFileSync(join(root, file), edit(readFileSync(join(root, file), "utf8")));

/** What git and the folder `dist` show. */
const readState = (root: string) => ({ status: git(root, "status", "--porcelain"), hasDist: existsSync(join(root, "dist")) });

describe("releases", () => {
  it("a release writes the version, the date, the snapshot and the checksums", async () => {
    const root = newRepository();
    const seen: string[] = [];
    const runTests = () => seen.push(readFileSync(join(root, "src/domain/core/version.ts"), "utf8")) > 0;
    const { problems, files } = await makeRelease(root, "0.2.0", createTools(root, { runTests }));
    expect(problems).toEqual([]);
    expect(files).toEqual([
      "src/domain/core/version.ts",
      "CHANGELOG.md",
      "releases/0.2.0/openapi.json",
      "dist/SHA256SUMS",
      ...listPackageFiles("0.2.0")
        .map((name) => `dist/${name}`)
        .toSorted(),
    ]);
    // The tests run on what is released.
    expect(readVersion(seen[0] ?? "")).toBe("0.2.0");
    expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toContain("## 0.2.0 (2026-12-01)\n");
    const { info } = JSON.parse(readFileSync(join(root, "releases/0.2.0/openapi.json"), "utf8"));
    expect(info.version).toBe("0.2.0");
    expect(git(root, "status", "--porcelain")?.trimEnd().split("\n")).toEqual([
      " M CHANGELOG.md",
      " M src/domain/core/version.ts",
      "?? releases/0.2.0/",
    ]);
    const sums = readFileSync(join(root, "dist/SHA256SUMS"), "utf8").trimEnd().split("\n");
    expect(sums).toEqual(
      listPackageFiles("0.2.0")
        .toSorted()
        .map((name) => `${createHash("sha256").update(name).digest("hex")}  ${name}`),
    );
  });

  it("a release can be followed by the next one", async () => {
    const root = newRepository();
    await makeRelease(root, "0.2.0", createTools(root));
    commit(root);
    expect(findProblems(root, "0.2.0", createTools(root))).toEqual([
      "0.2.0 cannot follow 0.2.0, which was released last; the next version is 0.2.1, 0.3.0, 1.0.0.",
    ]);
    expect(findProblems(root, "0.2.1", createTools(root))).toEqual([
      'CHANGELOG.md begins with 0.2.0; its first heading must be "## 0.2.1 (unreleased)".',
    ]);
    change(root, "CHANGELOG.md", (text) => text.replace("## 0.2.0", "## 0.2.1 (unreleased)\n\n- A correction.\n\n## 0.2.0"));
    commit(root);
    const result = await makeRelease(
      root,
      "0.2.1",
      createTools(root, { buildPackages: () => writePackages(root, listPackageFiles("0.2.1")) }),
    );
    expect(result.problems).toEqual([]);
  });

  it.each<[string, (root: string) => Partial<ReleaseTools>, string]>([
    ["its tests fail", () => ({ runTests: () => false }), "The tests failed; see above, and run npm test."],
    [
      "its build fails halfway",
      (root) => ({ buildPackages: () => !writePackages(root, ["tessera-board-sdk-0.2.0.tgz"]) }),
      "The packages could not be built; see above, and run npm run package.",
    ],
    [
      "its build writes packages of another version",
      (root) => ({ buildPackages: () => writePackages(root, listPackageFiles("0.1.0")) }),
      "The build did not write tessera-board-sdk-0.2.0.tgz and tessera-board-server-0.2.0.tgz and tessera-board-server-0.2.0.cdx.json into dist.",
    ],
  ])("a release leaves nothing behind if %s", async (_name, replace, problem) => {
    const root = newRepository();
    writePackages(root, ["of-an-earlier-build.tgz"]);
    expect(await makeRelease(root, "0.2.0", createTools(root, replace(root)))).toEqual({ problems: [problem], files: [] });
    expect(readState(root)).toEqual({ status: "", hasDist: false });
    expect(readdirSync(join(root, "releases"))).toEqual(["0.1.0"]);
  });

  it("a release leaves nothing behind if a step throws", async () => {
    const root = newRepository();
    const buildPackages = () => {
      throw new Error("No space left.");
    };
    await expect(makeRelease(root, "0.2.0", createTools(root, { buildPackages }))).rejects.toThrow("No space left.");
    expect(readState(root)).toEqual({ status: "", hasDist: false });
  });

  it("a release starts no tests and writes nothing if a check fails", async () => {
    const root = newRepository();
    const runTests = () => expect.unreachable("the tests were started");
    const { problems } = await makeRelease(root, "0.3.0", createTools(root, { runTests }));
    expect(problems).toEqual(["0.3.0 cannot follow 0.1.0, which was released last; the next version is 0.1.1, 0.2.0, 1.0.0."]);
    expect(readState(root)).toEqual({ status: "", hasDist: false });
  });
});

describe("refused releases", () => {
  it.each(["0.2", "v0.2.0", "0.2.0-rc.1", "00.2.0", "0.2.0 ", "next", ""])("a release is refused for the version %j", (version) => {
    const root = newRepository();
    expect(findProblems(root, version, createTools(root))).toEqual([
      `"${version}" is not a version; a release has three numbers, such as 0.2.0, without a "v" before or a suffix after them.`,
    ]);
  });

  it.each(["0.1.0", "0.0.9", "0.1.2", "0.3.0", "2.0.0"])("a release is refused for %s, which cannot follow 0.1.0", (version) => {
    const root = newRepository();
    expect(findProblems(root, version, createTools(root))).toEqual([
      expect.stringMatching(/^\S+ cannot follow 0\.1\.0, which was released last; .*\.$/),
    ]);
  });

  it.each<[string, (root: string) => void, string]>([
    [
      "a changed file",
      (root) => change(root, "CHANGELOG.md", (text) => `${text}\n`),
      "The working tree has 1 changed file, such as CHANGELOG.md; commit or remove them.",
    ],
    [
      "new files",
      (root) => ["a.txt", "b.txt"].forEach((name) => writeFileSync(join(root, name), "")),
      "The working tree has 2 changed files, such as a.txt; commit or remove them.",
    ],
    [
      "another branch",
      (root) => void git(root, "switch", "--create", "work"),
      "A release is made on main, and this is work; run git switch main.",
    ],
    ["no branch", (root) => void git(root, "switch", "--detach"), "A release is made on main, and this is no branch; run git switch main."],
    ["a tag", (root) => void git(root, "tag", "v0.2.0"), "The tag v0.2.0 exists; choose another version, or delete the tag."],
    [
      "a version in a package.json",
      (root) => {
        change(root, "sdk/package.json", (text) => text.replace("{", '{ "version": "0.1.0",'));
        commit(root);
      },
      "sdk/package.json states a version; remove it, because the version stands in src/domain/core/version.ts only.",
    ],
    [
      "another version in the sources",
      (root) => {
        change(root, "src/domain/core/version.ts", (text) => text.replace("0.1.0", "0.9.0"));
        commit(root);
      },
      "src/domain/core/version.ts states 0.9.0; it must state 0.1.0, which the release replaces.",
    ],
    [
      "an accepted difference that does not occur",
      (root) => {
        const accepted = [{ difference: "* was removed.", reason: "It never worked." }];
        writeFileSync(join(root, "releases/0.1.0/accepted-differences.json"), JSON.stringify(accepted));
        commit(root);
      },
      'The accepted difference "* was removed." to 0.1.0 does not occur; remove it.',
    ],
  ])("a release is refused because of %s", (_name, prepare, problem) => {
    const root = newRepository();
    prepare(root);
    expect(findProblems(root, "0.2.0", createTools(root))).toEqual([problem]);
  });

  it("a release is refused outside of a repository", () => {
    const root = newRepository();
    expect(findProblems(root, "0.2.0", createTools(root, { runGit: () => undefined }))).toEqual([
      "This folder is not a git repository; a release is made in a clone.",
    ]);
  });

  it("a release is refused because of an operation that was removed", () => {
    const root = newRepository();
    const removed = (version: string) => ({ ...describeApi(version), paths: {} });
    const tools = createTools(root, { describeApi: removed });
    expect(findProblems(root, "0.2.0", tools)).toEqual(["The API changed for clients of 0.1.0: /api/me was removed."]);
  });

  it("a release is refused because the documents cannot be compared", () => {
    const root = newRepository();
    const describeApi = () => ({ paths: { "/api/me": { $ref: "#/none" } } });
    expect(findProblems(root, "0.2.0", createTools(root, { describeApi }))).toEqual([
      "The API cannot be compared with 0.1.0: The reference #/none leads to nothing.",
    ]);
  });
});

it.each([
  ["# Changelog\n", 'CHANGELOG.md has no version; begin it with "## 0.2.0 (unreleased)".'],
  ["## 0.1.0\n\n- One.\n", 'CHANGELOG.md begins with 0.1.0; its first heading must be "## 0.2.0 (unreleased)".'],
  [
    "## Next version of it\n\n- One.\n",
    'CHANGELOG.md begins with a heading without a version; its first heading must be "## 0.2.0 (unreleased)".',
  ],
  ["## 0.2.0\n\n- One.\n", 'CHANGELOG.md has 0.2.0 without a date; write "## 0.2.0 (unreleased)", which the release replaces by the date.'],
  [
    "## 0.2.0 (soon)\n\n- One.\n",
    'CHANGELOG.md has 0.2.0 without a date; write "## 0.2.0 (unreleased)", which the release replaces by the date.',
  ],
  ["## 0.2.0 (unreleased)\n\n## 0.1.0\n\n- One.\n", "CHANGELOG.md lists no change under 0.2.0."],
  ["## 0.2.0 (unreleased)", "CHANGELOG.md lists no change under 0.2.0."],
])("the changelog is refused: %j", (text, problem) => expect(findChangelogProblem(text, "0.2.0")).toBe(problem));

it("the changelog may have a date already, which stays", () => {
  const dated = CHANGELOG.replace("unreleased", "2026-11-30");
  expect(findChangelogProblem(dated, "0.2.0")).toBeUndefined();
  expect(dateChangelog(dated, "0.2.0", "2026-12-01")).toBe(dated);
});

test("versions are ordered by their numbers", () => {
  expect(["0.10.0", "0.9.1", "1.0.0", "0.9.0"].toSorted(compareVersions)).toEqual(["0.9.0", "0.9.1", "0.10.0", "1.0.0"]);
  expect(listNextVersions("0.9.9")).toEqual(["0.9.10", "0.10.0", "1.0.0"]);
  expect(parseVersion("1.2.3")).toEqual([1, 2, 3]);
});

test("the version is that of the last release until the next one, and no package.json states it", () => {
  expect(VERSION).toBe(listReleases(ROOT).at(-1));
  for (const file of ["package.json", "sdk/package.json", "server/package.json", "web/package.json"])
    if (existsSync(join(ROOT, file))) expect(JSON.parse(readSource(file)), file).not.toHaveProperty("version");
});

const run = (...args: readonly string[]) =>
  runProgram(process.execPath, ["scripts/run.mjs", "scripts/release/main.ts", ...args], { cwd: ROOT });

it.each([[[]], [["--check"]], [["--skip-tests", "0.2.0"]], [["0.2.0", "0.3.0"]]])(
  "npm run release explains how it is called instead of %j",
  async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Usage: npm run release -- VERSION/m),
    });
  },
);

it("npm run release prints commands that publish the files, and no repositories of GitHub", () => {
  const lines = describeNextSteps("0.2.0", ["CHANGELOG.md"]).split("\n");
  expect(lines.filter((line) => line.includes("npm publish"))).toEqual([
    "  npm publish ./dist/tessera-board-sdk-0.2.0.tgz --access public",
    "  npm publish ./dist/tessera-board-server-0.2.0.tgz --access public",
  ]);
});

it("npm run release prints each problem in a line", async () => {
  const { code, stdout, stderr } = await run("9.9.9", "--check");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^9\.9\.9 cannot follow \S+, which was released last; [^\n]+\.\n$/);
});
