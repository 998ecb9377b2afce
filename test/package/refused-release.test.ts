import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findProblems } from "../../scripts/release/checks.ts";
import { change, commit, createRepositories, createTools, describeApi, git } from "./support/release-repository.ts";

let repositories: ReturnType<typeof createRepositories>;
beforeAll(() => void (repositories = createRepositories()));
afterAll(() => repositories.remove());
const newRepository = (): string => repositories.create();

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
