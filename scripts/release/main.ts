import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findProblems } from "./checks.ts";
import { type ReleaseTools, makeRelease, listPackageFiles } from "./release.ts";
import { buildCurrentDocument } from "./snapshots.ts";

const ROOT = join(import.meta.dirname, "../..");
const USAGE = "Usage: npm run release -- VERSION [--check], such as npm run release -- 0.2.0. --check only runs the checks.\n";

/** `npm run release -- VERSION`: makes a release in the working tree and in `dist/`. It publishes nothing. */
export async function run(args: readonly string[]): Promise<void> {
  const [version, ...others] = args.filter((argument) => argument !== "--check");
  if (version === undefined || version.startsWith("-") || others.length > 0) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  if (args.includes("--check")) {
    const problems = findProblems(ROOT, version, TOOLS);
    report(problems, `${version} can be released.\n`);
    return;
  }
  // The tests and the build end by these signals too; this process stays until it has undone its changes.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  const { problems, files } = await makeRelease(ROOT, version, TOOLS);
  report(problems, describeNextSteps(version, files));
}

function report(problems: readonly string[], success: string): void {
  process.stdout.write(problems.length === 0 ? success : "");
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** What to do after a release. A path without `./` would be a GitHub repository to npm. */
export function describeNextSteps(version: string, files: readonly string[]): string {
  const sources = files.filter((file) => !file.startsWith("dist"));
  const tarballs = listPackageFiles(version).filter((name) => name.endsWith(".tgz"));
  return [
    `Made the release ${version}:`,
    ...files.map((file) => `  ${file}`),
    "",
    "Nothing is published. Next:",
    `  git add ${sources.join(" ")}`,
    `  git commit -m "release: version ${version}"`,
    `  git tag -a v${version} -m "Tessera ${version}"`,
    `  git push origin main v${version}`,
    ...tarballs.map((name) => `  npm publish ./dist/${name} --access public`),
    "",
  ].join("\n");
}

/** Runs a command of npm with its output on the terminal; returns whether it succeeded. */
const runNpm = (...args: readonly string[]): boolean => spawnSync("npm", args, { cwd: ROOT, stdio: "inherit" }).status === 0;

const TOOLS: ReleaseTools = {
  runGit(args) {
    const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
    return status === 0 ? stdout : undefined;
  },
  describeApi: buildCurrentDocument,
  runTests: () => runNpm("test"),
  buildPackages: () => runNpm("run", "package", "--", "--sbom"),
  today: () => new Date().toISOString().slice(0, 10),
};
