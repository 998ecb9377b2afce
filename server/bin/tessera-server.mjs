#!/usr/bin/env node
// The command of the package: `tessera-server start`, and every command of the command line.
import { accessSync, constants } from "node:fs";
import module, { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The oldest that the bundled HTTP client supports.
const OLDEST_NODE = "22.19";
const file = fileURLToPath(import.meta.url);
const root = dirname(dirname(file));
const args = process.argv.slice(2);
const isServer = args[0] === "start" || args[0] === "serve";

const { isNodeAtLeast, isTunedForServer, runNode, say } = await load("./launch.mjs", "say");

if (!isNodeAtLeast(OLDEST_NODE)) runOnInstalledNode();
else if (isServer && !isTunedForServer()) runNode(process.execPath, [file, ...args], true);
else await runCommand();

async function runCommand() {
  keepCompiledCode();
  const { run } = await load("../lib/cli/main.js", "run");
  await run(args);
}

/** Imports a file of the package that must export the function. What is missing or damaged ends the process with one sentence. */
async function load(path, name) {
  try {
    const loaded = await import(new URL(path, import.meta.url).href);
    if (typeof loaded[name] !== "function") throw new Error(`${path} has no function ${name}.`);
    return loaded;
  } catch (error) {
    const sentence = `The package @tessera-board/server in ${root} is incomplete or unreadable: install it again. ${firstLine(error)}`;
    // Without launch.mjs there is no function for it yet.
    if (name === "say") process.stderr.write(`${sentence}\n`);
    else say(sentence, isServer);
    process.exit(1);
  }
}

/** The optional dependency `node` is Node 24, for machines that have an older one. */
function runOnInstalledNode() {
  let folder;
  let node;
  try {
    folder = dirname(createRequire(import.meta.url).resolve("node/package.json"));
    node = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    accessSync(node, constants.X_OK);
  } catch {
    endWith(
      `Tessera needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}: install a newer Node, or ${adviseNode(folder)}`,
    );
  }
  runNode(node, [file, ...args], isServer);
}

/** The package fetches Node in its install script, which npm and pnpm skip unless it is allowed. */
function adviseNode(folder) {
  return folder === undefined
    ? "install @tessera-board/server with its optional dependencies, which bring one."
    : "let the package node, which is installed, run its install script, which brings one: npm rebuild node --ignore-scripts=false (with -g for a global installation), or pnpm approve-builds.";
}

/** Compiled code is kept between starts, which halves the time of a start. Threads and processes started from here read the variable. */
function keepCompiledCode() {
  const folder = process.env.NODE_COMPILE_CACHE || compileCache();
  if (folder === undefined) return;
  process.env.NODE_COMPILE_CACHE = folder;
  if (module.enableCompileCache !== undefined) module.enableCompileCache(folder);
}

/** Not the common temporary folder, which is Node's default: there, other users could plant code. Undefined if there is no other. */
function compileCache() {
  const own = join(root, ".cache");
  try {
    accessSync(root, constants.W_OK);
    return own;
  } catch {
    const cache = process.env.XDG_CACHE_HOME || userCache();
    return cache === undefined ? undefined : join(cache, "tessera-server");
  }
}

/** A user without an entry in the list of users, as containers often have, has no home. */
function userCache() {
  try {
    return join(homedir(), ".cache");
  } catch {
    const advice = "Set HOME or NODE_COMPILE_CACHE to a folder that this user may write.";
    if (isServer) say(`This user has no home folder, so compiled code is not kept and every start is slower. ${advice}`, true, "warn");
    return undefined;
  }
}

function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split("\n")[0];
}

function endWith(sentence) {
  say(sentence, isServer);
  process.exit(1);
}
