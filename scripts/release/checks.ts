import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findChangelogProblem } from "./changelog.ts";
import { compareReleases, readAccepted, readSnapshot, listReleases } from "./snapshots.ts";
import type { Json } from "./openapi-facts.ts";
import { VERSION_FILE, listNextVersions, parseVersion, readVersion } from "./versions.ts";

/** What the checks ask of the machine. */
export type CheckTools = {
  /** Runs git in the repository; returns what it printed, or undefined if it failed. */
  readonly runGit: (args: readonly string[]) => string | undefined;
  /** The OpenAPI document of this version of the code. */
  readonly describeApi: (version: string) => Json;
};

/** Packages of this repository. They state no version: the tarballs get it from the version file. */
const MANIFESTS = [
  "package.json",
  "sdk/package.json",
  "server/package.json",
  "web/package.json",
  "integrations/node-red/package.json",
  "integrations/n8n/package.json",
];

/** What keeps this version from being released: a sentence for each problem. A wrong version is the only one, since nothing else can be checked. */
export function findProblems(root: string, version: string, tools: CheckTools): readonly string[] {
  const wrong = findWrongVersion(root, version);
  if (wrong !== undefined) return [wrong];
  return [
    ...checkRepository(version, tools),
    ...checkVersions(root, version),
    ...checkChangelog(root, version),
    ...checkApi(root, version, tools),
  ];
}

function findWrongVersion(root: string, version: string): string | undefined {
  if (parseVersion(version) === undefined)
    return `"${version}" is not a version; a release has three numbers, such as 0.2.0, without a "v" before or a suffix after them.`;
  const last = listReleases(root).at(-1);
  if (last === undefined) return undefined;
  const next = listNextVersions(last);
  return next.includes(version)
    ? undefined
    : `${version} cannot follow ${last}, which was released last; the next version is ${next.join(", ")}.`;
}

function checkRepository(version: string, { runGit }: CheckTools): readonly string[] {
  const status = runGit(["status", "--porcelain"]);
  if (status === undefined) return ["This folder is not a git repository; a release is made in a clone."];
  const problems: string[] = [];
  const changed = status.split("\n").filter((line) => line !== "");
  if (changed.length > 0)
    problems.push(
      `The working tree has ${changed.length} changed ${changed.length === 1 ? "file" : "files"}, such as ${changed[0]?.slice(3)}; commit or remove them.`,
    );
  const branch = runGit(["branch", "--show-current"])?.trim() ?? "";
  if (branch !== "main")
    problems.push(`A release is made on main, and this is ${branch === "" ? "no branch" : branch}; run git switch main.`);
  if ((runGit(["tag", "--list", `v${version}`]) ?? "").trim() !== "")
    problems.push(`The tag v${version} exists; choose another version, or delete the tag.`);
  return problems;
}

function checkVersions(root: string, version: string): readonly string[] {
  const problems = MANIFESTS.filter(
    (file) => existsSync(join(root, file)) && "version" in (JSON.parse(readFileSync(join(root, file), "utf8")) as object),
  ).map((file) => `${file} states a version; remove it, because the version stands in ${VERSION_FILE} only.`);
  const stated = readVersion(readFileSync(join(root, VERSION_FILE), "utf8"));
  const last = listReleases(root).at(-1);
  if (stated !== version && stated !== last)
    problems.push(`${VERSION_FILE} states ${stated ?? "no version"}; it must state ${last ?? version}, which the release replaces.`);
  return problems;
}

function checkChangelog(root: string, version: string): readonly string[] {
  const problem = findChangelogProblem(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version);
  return problem === undefined ? [] : [problem];
}

function checkApi(root: string, version: string, { describeApi }: CheckTools): readonly string[] {
  const last = listReleases(root).at(-1);
  if (last === undefined) return [];
  try {
    const { problems, unused } = compareReleases(readSnapshot(root, last), describeApi(version), readAccepted(root, last));
    return [
      ...problems.map((problem) => `The API changed for clients of ${last}: ${problem}`),
      ...unused.map((difference) => `The accepted difference "${difference}" to ${last} does not occur; remove it.`),
    ];
  } catch (error) {
    return [`The API cannot be compared with ${last}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
