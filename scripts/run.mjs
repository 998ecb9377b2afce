// Runs a TypeScript entry on Node 24 or newer, installing what is missing first. Older Nodes must be able to run this file.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import module from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isNodeAtLeast, isTunedForServer, runNode } from "../server/bin/launch.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const pinned = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");
const [entry, ...args] = process.argv.slice(2);
const RUNTIME_ENTRIES = ["scripts/start.ts", "scripts/build-web.ts", "src/cli/main.ts"];
const RUNTIME_MARK = " without development dependencies";
const isServer = entry === "scripts/start.ts";

installWhatIsMissing();
const hasNode24 = isNodeAtLeast("24");
if (!hasNode24 || (isServer && !isTunedForServer())) {
  runNode(hasNode24 ? process.execPath : pinned, [fileURLToPath(import.meta.url), entry, ...args], isServer);
} else {
  keepCompiledCode();
  const { run } = await import(pathToFileURL(resolve(root, entry)).href);
  await run(args);
}

/**
 * The lock file's hash is noted after each install, so that an install happens when it changed and at no other time. Starting and using
 * the server, and building its page, need no browsers, databases and linters: a clone that has never been developed in does without them.
 */
function installWhatIsMissing() {
  const mark = join(modules, ".installed");
  const noted = existsSync(pinned) && existsSync(mark) ? readFileSync(mark, "utf8") : "";
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const isEnough = RUNTIME_ENTRIES.includes(entry) && (noted === "" || noted.endsWith(RUNTIME_MARK));
  if (noted === wanted || (isEnough && noted === wanted + RUNTIME_MARK)) return;
  process.stderr.write("Installing what is missing …\n");
  // "install" keeps to the lock file but, unlike "ci", forgives optional builds for other platforms that a registry lacks.
  // What npm says goes to stderr: a command's stdout is its result alone.
  const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", isEnough ? "--omit=dev" : "--include=dev"];
  const npm = spawnSync("npm", ["install", ...flags], { cwd: root, stdio: ["ignore", 2, 2] });
  if (npm.status !== 0) {
    process.stderr.write("The installation failed; see the messages above.\n");
    process.exit(1);
  }
  writeFileSync(mark, isEnough ? wanted + RUNTIME_MARK : wanted);
}

/** Compiled code is kept between starts, which takes 40 % off what a start costs; threads and processes begun from here read the variable. */
function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(modules, ".cache/compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
