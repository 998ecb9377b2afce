import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isWebBuilt } from "./build-web.ts";

/** `npm start`: builds the web page when its sources changed, in a process of its own that leaves nothing behind, and serves. */
export async function run(): Promise<void> {
  const root = join(import.meta.dirname, "..");
  if (!isWebBuilt(root)) {
    const build = spawnSync(process.execPath, [join(root, "scripts/run.mjs"), "scripts/build-web.ts"], { stdio: "inherit" });
    if (build.status !== 0) {
      process.exitCode = build.status ?? 1;
      return;
    }
  }
  const { run: serve } = await import("#main");
  await serve();
}
