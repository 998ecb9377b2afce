import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runOrThrow } from "../../package/support/tools.ts";

const ROOT = join(import.meta.dirname, "../../..");
const POLL_INTERVAL_MS = 250;

/**
 * Installs what the lock file of an integration asks for into its `node_modules`, unless it is there, and returns the integration's folder.
 * The packages are not among those of the repository, since they are large and needed by these tests only. Of test files that run at the
 * same time, one installs, and the others wait.
 */
export async function installIntegration(name: string): Promise<string> {
  const { isInstalled } = (await import(join(ROOT, "scripts/installation.mjs"))) as { isInstalled(folder: string, dev: boolean): boolean };
  const folder = join(ROOT, "integrations", name);
  const lock = join(ROOT, "node_modules/.cache", `install-${name}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  while (!isInstalled(folder, true)) {
    if (!takeLock(lock)) {
      await delay(POLL_INTERVAL_MS);
      continue;
    }
    try {
      // Another file may have installed it just before the lock was taken. A second installation would take it from those that use it.
      if (!isInstalled(folder, true)) await runOrThrow("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return folder;
}

/** Takes the lock; one that was left by a process that does not run any more is removed, and can be taken next time. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock: string): boolean {
  try {
    // Signal 0 only checks whether the process exists.
    return process.kill(Number(readFileSync(lock, "utf8")), 0);
  } catch {
    return false;
  }
}
