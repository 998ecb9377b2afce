import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runOrThrow } from "../../../package/support/tools.ts";
import { installIntegration } from "../../support/install.ts";

/**
 * Builds the package as its publisher does, and returns the folder. Each state of the sources is built once, in a copy below the
 * integration's `node_modules`, so that test files that run at the same time do not read half a build.
 */
export async function buildPackage(): Promise<string> {
  const source = await installIntegration("n8n");
  const files = listFiles(source);
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(source, file)));
  const folder = join(source, "node_modules/.cache", `build-${hash.digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    for (const file of files) cpSync(join(source, file), join(unfinished, file));
    await runOrThrow("npm", ["run", "--silent", "build"], { cwd: unfinished });
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

const listFiles = (folder: string): readonly string[] =>
  globSync(["*.*", "LICENSE", "{credentials,icons,nodes}/**/*.*"], { cwd: folder, exclude: ["node_modules", "dist"] }).toSorted();
