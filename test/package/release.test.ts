import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { VERSION } from "#domain/core/version.ts";
import { dateChangelog, findChangelogProblem } from "../../scripts/release/changelog.ts";
import { findProblems } from "../../scripts/release/checks.ts";
import { describeNextSteps } from "../../scripts/release/main.ts";
import { type ReleaseTools, makeRelease, listPackageFiles } from "../../scripts/release/release.ts";
import { listReleases } from "../../scripts/release/snapshots.ts";
import { compareVersions, listNextVersions, parseVersion, readVersion } from "../../scripts/release/versions.ts";
import {
  CHANGELOG,
  change,
  commit,
  createRepositories,
  createTools,
  git,
  readSource,
  readState,
  writePackages,
} from "./support/release-repository.ts";
import { runProgram } from "./support/tools.ts";

const ROOT = join(import.meta.dirname, "../..");
let repositories: ReturnType<typeof createRepositories>;
beforeAll(() => void (repositories = createRepositories()));
afterAll(() => repositories.remove());
const newRepository = (): string => repositories.create();

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
    "The build did not write tessera-board-sdk-0.2.0.tgz and tessera-board-server-0.2.0.tgz and tessera-board-server-0.2.0.cdx.json and tessera-board-node-red-contrib-tessera-0.2.0.tgz and tessera-board-n8n-nodes-tessera-0.2.0.tgz into dist.",
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
  for (const file of [
    "package.json",
    "sdk/package.json",
    "server/package.json",
    "web/package.json",
    "integrations/node-red/package.json",
    "integrations/n8n/package.json",
  ])
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
    "  npm publish ./dist/tessera-board-node-red-contrib-tessera-0.2.0.tgz --access public",
    "  npm publish ./dist/tessera-board-n8n-nodes-tessera-0.2.0.tgz --access public",
  ]);
});

it("npm run release prints each problem in a line", async () => {
  const { code, stdout, stderr } = await run("9.9.9", "--check");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^9\.9\.9 cannot follow \S+, which was released last; [^\n]+\.\n$/);
});
