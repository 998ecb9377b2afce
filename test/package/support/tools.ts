import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CACHE = join(import.meta.dirname, "../../../node_modules/.cache");

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a program to its end. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<Finished> {
  const child = spawn(command, args, { ...options, env: { ...process.env, ...options.env }, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, stdout, stderr };
}

/** The same; throws with what the program wrote if it fails. */
export async function runOrThrow(...[command, args, options]: Parameters<typeof runProgram>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/**
 * Installs packages that only these tests need, once for each list of versions, and returns the folder. They are not among the
 * dependencies, since some are large, and others need another version of TypeScript.
 */
export async function installTools(versions: Readonly<Record<string, string>>): Promise<string> {
  const content = JSON.stringify({ private: true, dependencies: versions }, null, 2);
  const folder = join(CACHE, `tools-${createHash("sha256").update(content).digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    writeFileSync(join(unfinished, "package.json"), content);
    await runOrThrow("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"], { cwd: unfinished });
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Installs tarballs into an empty folder, as a user does. */
export async function installTarballs(folder: string, ...files: readonly string[]): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  await runOrThrow("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...files], { cwd: folder });
}

/** The packages below a folder of modules, as name@version. */
export function listInstalled(modules: string): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(modules)) {
    if (entry.startsWith(".")) continue;
    const names = entry.startsWith("@") ? readdirSync(join(modules, entry)).map((name) => join(entry, name)) : [entry];
    for (const name of names) {
      const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
      found.push(`${name}@${version}`);
      const nested = join(modules, name, "node_modules");
      if (existsSync(nested)) found.push(...listInstalled(nested));
    }
  }
  return found;
}
