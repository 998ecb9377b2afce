import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Runs a program of node_modules, or npm, and returns what it printed. Throws with its output if it fails. */
export function runTool(root: string, name: string, args: readonly string[], cwd: string): string {
  const isNpm = name === "npm";
  const command = isNpm ? "npm" : process.execPath;
  const all = isNpm ? args : [join(root, "node_modules/.bin", name), ...args];
  const { status, stdout, stderr, error } = spawnSync(command, all, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")} failed: ${error?.message ?? ""}${stdout}${stderr}`);
  return stdout;
}

/** Packs the folder as npm would publish it, and returns the path of the tarball in `target`. */
export function pack(root: string, folder: string, target: string): string {
  const [packed] = JSON.parse(runTool(root, "npm", ["pack", "--json", "--pack-destination", target], folder)) as {
    readonly filename: string;
  }[];
  return join(target, packed?.filename ?? "");
}
