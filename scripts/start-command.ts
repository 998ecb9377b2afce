import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the server's process runs with: flags of Node, and variables that the C library reads before anything else. */
export type StartCommand = { readonly flags: readonly string[]; readonly environment: Readonly<Record<string, string>> };

/** Reads it from where `npm start` and the published command read it, so that benchmarks and tests run what users run. */
export const readStartCommand = (root: string): StartCommand =>
  JSON.parse(readFileSync(join(root, "server/bin/start-options.json"), "utf8")) as StartCommand;
