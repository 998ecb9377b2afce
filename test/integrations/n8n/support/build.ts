import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildN8n, listN8nFiles } from "../../../../scripts/package/n8n.ts";
import { installIntegration } from "../../support/install.ts";

const ROOT = join(import.meta.dirname, "../../../..");

/**
 * Builds the package as for a release, and returns the folder. Each state of the sources is built once, so that test files that run at
 * the same time do not read half a build.
 */
export async function buildPackage(): Promise<string> {
  const source = await installIntegration("n8n");
  const hash = createHash("sha256");
  for (const file of listN8nFiles(source)) hash.update(`${file}\n`).update(readFileSync(join(source, file)));
  const folder = join(source, "node_modules/.cache", `build-${hash.digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    buildN8n(ROOT, unfinished);
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
