import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/domain/core/version.ts";
import { pack, runTool } from "./pack.ts";

const FILES = ["*.{json,md,mjs}", "{credentials,icons,nodes}/**/*.*"];

/** Builds the nodes for n8n and packs them into `target`; returns the path of the tarball. Installs what the build needs, which is large. */
export function packN8n(root: string, target: string): string {
  const source = join(root, "integrations/n8n");
  runTool(root, "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], source);
  const folder = mkdtempSync(join(source, "node_modules/.package-"));
  try {
    buildN8n(root, folder);
    return pack(root, folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files from which the package is built, relative to the folder of the integration. */
export const listN8nFiles = (source: string): readonly string[] => globSync(FILES, { cwd: source }).toSorted();

/** Writes the package for n8n into `folder`, and compiles it. The folder is below the `node_modules` of the integration, which the compiler reads. */
export function buildN8n(root: string, folder: string): void {
  const source = join(root, "integrations/n8n");
  for (const file of listN8nFiles(source)) cpSync(join(source, file), join(folder, file));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const { name, ...others } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name, version: VERSION, ...others }, null, 2)}\n`);
  runTool(root, "npm", ["run", "--silent", "build"], folder);
}
