import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why browser tests cannot run, with which each of them fails; "" if they can. */
    readonly missing: string;
  }
}

const ROOT = join(import.meta.dirname, "../../..");

/** Prepares the browser and builds the page. An error here fails the browser tests only. */
export function setup(project: TestProject): void {
  project.provide("missing", installChromium() ?? buildPage() ?? "");
}

/** Builds the page like `npm start`, in a separate process, because the test runner's environment would become part of the build. */
export function buildPage(): string | null {
  const { NODE_ENV: _, ...environment } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", "scripts/build-web.ts"], {
    cwd: ROOT,
    env: environment,
    encoding: "utf8",
  });
  return status === 0 ? null : stderr;
}
