import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openOutput } from "../src/composition/start/output.ts";
import { isWebBuilt } from "./build-web.ts";

/** `npm start`: builds the web page if its sources changed, then starts the server. A separate process builds, so its memory is freed. */
export async function run(): Promise<void> {
  const root = join(import.meta.dirname, "..");
  if (!isWebBuilt(root)) {
    const command = [join(root, "scripts/run.mjs"), "scripts/build-web.ts"];
    const isJson = process.env.LOG_FORMAT === "json";
    const build = spawnSync(process.execPath, command, { stdio: isJson ? "pipe" : "inherit", encoding: "utf8" });
    if (isJson) openOutput("json")(build.status === 0 ? "info" : "fatal", build.stderr.trim());
    if (build.status !== 0) {
      process.exitCode = build.status ?? 1;
      return;
    }
  }
  const { run: serve } = await import("#main");
  await serve();
}
