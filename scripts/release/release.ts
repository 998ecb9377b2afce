import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dateChangelog } from "./changelog.ts";
import { type CheckTools, findProblems } from "./checks.ts";
import { writeChecksums } from "./checksums.ts";
import { renderSnapshot, getSnapshotFile } from "./snapshots.ts";
import { VERSION_FILE, replaceVersion } from "./versions.ts";

/** The parts of a release that start programs; tests replace them. */
export type ReleaseTools = CheckTools & {
  /** Runs all tests; false if one fails. */
  readonly runTests: () => boolean;
  /** Writes the tarballs and the bill of materials into `dist/`; false if that fails. */
  readonly buildPackages: () => boolean;
  /** The date of the release, as `2026-01-31`. */
  readonly today: () => string;
};

/** The problems that stopped the release, or the files that it wrote, relative to the root. */
export type ReleaseResult = { readonly problems: readonly string[]; readonly files: readonly string[] };

/**
 * Makes a release of the version without publishing it: checks, writes the version, the date and the snapshot of the API, runs the tests,
 * and builds everything into `dist/`. If anything fails, the sources are as before, and there is no `dist/`.
 */
export async function makeRelease(root: string, version: string, tools: ReleaseTools): Promise<ReleaseResult> {
  const problems = findProblems(root, version, tools);
  if (problems.length > 0) return { problems, files: [] };
  const sources = new SourceFiles(root);
  let isDone = false;
  try {
    const snapshot = await renderSnapshot(tools.describeApi(version));
    sources.write(VERSION_FILE, replaceVersion(sources.read(VERSION_FILE), version));
    sources.write("CHANGELOG.md", dateChangelog(sources.read("CHANGELOG.md"), version, tools.today()));
    sources.write(getSnapshotFile(version), snapshot);
    if (!tools.runTests()) return { problems: ["The tests failed; see above, and run npm test."], files: [] };
    rmSync(join(root, "dist"), { recursive: true, force: true });
    if (!tools.buildPackages()) return { problems: ["The packages could not be built; see above, and run npm run package."], files: [] };
    const missing = findMissingPackages(join(root, "dist"), version);
    if (missing.length > 0) return { problems: [`The build did not write ${missing.join(" and ")} into dist.`], files: [] };
    writeChecksums(join(root, "dist"));
    isDone = true;
    const built = readdirSync(join(root, "dist")).toSorted();
    return { problems: [], files: [...sources.written(), ...built.map((name) => join("dist", name))] };
  } finally {
    if (!isDone) {
      sources.restore();
      rmSync(join(root, "dist"), { recursive: true, force: true });
    }
  }
}

/** The files that every release has, as they are named in `dist/`. */
export const listPackageFiles = (version: string): readonly string[] => [
  `tessera-board-sdk-${version}.tgz`,
  `tessera-board-server-${version}.tgz`,
  `tessera-board-server-${version}.cdx.json`,
  `tessera-board-node-red-contrib-tessera-${version}.tgz`,
  `tessera-board-n8n-nodes-tessera-${version}.tgz`,
];

const findMissingPackages = (dist: string, version: string): readonly string[] =>
  listPackageFiles(version).filter((name) => !existsSync(join(dist, name)));

/** Changes files, and can undo that. */
class SourceFiles {
  readonly #root: string;
  /** What the files contained; undefined for new ones. */
  readonly #before = new Map<string, string | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  read(file: string): string {
    return readFileSync(join(this.#root, file), "utf8");
  }

  write(file: string, text: string): void {
    const path = join(this.#root, file);
    if (!this.#before.has(file)) this.#before.set(file, existsSync(path) ? readFileSync(path, "utf8") : undefined);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  written(): readonly string[] {
    return [...this.#before.keys()];
  }

  restore(): void {
    for (const [file, text] of this.#before) {
      const path = join(this.#root, file);
      if (text !== undefined) {
        writeFileSync(path, text);
        continue;
      }
      rmSync(path, { force: true });
      if (readdirSync(dirname(path)).length === 0) rmdirSync(dirname(path));
    }
  }
}
