import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why no browser test can run, for each of them to fail with; "" when all is there. */
    readonly missing: string;
  }
}

const ROOT = join(import.meta.dirname, "../../..");

/** Has the browser and a page built from the sources as they are. What fails here fails the browser's tests, and no others. */
export function setup(project: TestProject): void {
  project.provide("missing", installChromium() ?? buildPage() ?? "");
}

/** As `npm start` does, in a process of its own, since the test runner's environment would be built into the page. */
export function buildPage(): string | null {
  const { NODE_ENV: _, ...environment } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", "scripts/build-web.ts"], {
    cwd: ROOT,
    env: environment,
    encoding: "utf8",
  });
  return status === 0 ? null : stderr;
}
