// Runs a TypeScript entry on Node 24 or newer, installing what is missing first. Older Nodes must be able to run this file.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isNodeAtLeast, isTunedForServer, runNode, say } from "../server/bin/launch.mjs";
import { hasDevelopmentPackages, isInstalled } from "./installation.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const pinned = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");
const [entry, ...args] = process.argv.slice(2);
const RUNTIME_ENTRIES = ["scripts/start.ts", "scripts/build-web.ts", "src/cli/main.ts"];
const isServer = entry === "scripts/start.ts" || (entry === "src/cli/main.ts" && ["start", "serve"].includes(args[0]));
const hasNode24 = isNodeAtLeast("24");

installWhatIsMissing();
if (!hasNode24 || (isServer && !isTunedForServer())) {
  runNode(hasNode24 ? process.execPath : pinned, [fileURLToPath(import.meta.url), entry, ...args], isServer);
} else {
  keepCompiledCode();
  const { run } = await import(pathToFileURL(resolve(root, entry)).href);
  await run(args);
}

/**
 * Installs if a package is missing or has another version than the lock file, and at no other time. Starting and using the server, and
 * building its page, need no browsers, databases and linters: a clone that has never been developed in does without them.
 */
function installWhatIsMissing() {
  const hasDevelopment = !RUNTIME_ENTRIES.includes(entry);
  if ((hasNode24 || existsSync(pinned)) && isInstalled(root, hasDevelopment)) return;
  say("Installing what is missing …", isServer, "info");
  const isEnough = !hasDevelopment && !hasDevelopmentPackages(root);
  // "install" keeps to the lock file but, unlike "ci", forgives optional builds for other platforms that a registry lacks.
  // What npm says goes to stderr: a command's stdout is its result alone.
  const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", isEnough ? "--omit=dev" : "--include=dev"];
  const isJson = isServer && process.env.LOG_FORMAT === "json";
  const npm = spawnSync("npm", ["install", ...flags], { cwd: root, stdio: isJson ? ["ignore", "pipe", "pipe"] : ["ignore", 2, 2] });
  if (npm.status === 0) return;
  if (isJson) say(`${npm.stdout}${npm.stderr}`, isServer);
  say("The installation failed; see the messages above.", isServer);
  process.exit(1);
}

/** Compiled code is kept between starts, which takes 40 % off what a start costs; threads and processes begun from here read the variable. */
function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(modules, ".cache/compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
