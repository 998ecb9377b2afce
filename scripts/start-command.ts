import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What `npm start` gives the process: flags of Node, and variables that the C library reads before anything else. */
export type StartCommand = { readonly flags: readonly string[]; readonly environment: Readonly<Record<string, string>> };

/** Reads it from package.json, so that benchmarks and tests run what users run. */
export function readStartCommand(root: string): StartCommand {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  const words = scripts.start.split(" ");
  const variables = words.slice(0, words.indexOf("exec")).map((word): [string, string] => {
    const at = word.indexOf("=");
    return [word.slice(0, at), word.slice(at + 1)];
  });
  return { flags: words.filter((word) => word.startsWith("--")), environment: Object.fromEntries(variables) };
}
