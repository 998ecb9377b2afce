import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const INSTALL_MS = 300_000;
/** Debian has servers in folders that the path of a user may lack. */
const FOLDERS = ["/usr/sbin", "/sbin", "/usr/local/sbin"];

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Returns the path of a program, installed from Debian's package if it is missing. Throws if that fails: these tests are never skipped. */
export function findProgram(name: string, debianPackage = name): string {
  const found = find(name);
  if (found !== undefined) return found;
  const how = `Install ${name} (Debian: apt-get install ${debianPackage}).`;
  if (process.getuid?.() !== 0) throw new Error(`There is no ${name}, and only root may install it. ${how}`);
  process.stderr.write(`Installing ${debianPackage} …\n`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: INSTALL_MS, encoding: "utf8" } as const;
  spawnSync("apt-get", ["update"], options);
  const { stderr, error } = spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", debianPackage], options);
  const installed = find(name);
  if (installed === undefined)
    throw new Error(`There is no ${name}, and installing it failed: ${(error?.message ?? stderr).trim()}\n${how}`);
  return installed;
}
