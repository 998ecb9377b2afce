import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ImageConfig, buildImage } from "./image.ts";
import { checkConfig, checkRun } from "./checks.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * `npm run test:container`: builds the image with buildah and runs it as its user on a read-only file system. It needs root, Debian and
 * several minutes, so it is not part of `npm test`. There is no container engine: no network of its own, no limits, no other processor.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-container-"));
  let failed = 0;
  let passed = 0;
  const check = async (name: string, run: () => void | Promise<void>): Promise<void> => {
    try {
      await run();
      passed++;
      process.stdout.write(`ok: ${name}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`FAILED: ${name}\n${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
  try {
    let image: { readonly config: ImageConfig; readonly root: string } | undefined;
    await check("the image is built", () => {
      image = buildImage(ROOT, folder);
    });
    if (image !== undefined) {
      await checkConfig(image, check);
      await checkRun(image, join(folder, "data"), check);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${passed} passed, ${failed} failed, 0 skipped\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
