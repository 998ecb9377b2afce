#!/usr/bin/env node
// The command of the package: `tessera-server start`, and every command of the command line.
import { accessSync, constants } from "node:fs";
import module, { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isNodeAtLeast, isTunedForServer, runNode, say } from "./launch.mjs";

// The oldest that the bundled HTTP client supports.
const OLDEST_NODE = "22.19";
const file = fileURLToPath(import.meta.url);
const root = dirname(dirname(file));
const args = process.argv.slice(2);
const isServer = args[0] === "start" || args[0] === "serve";

if (!isNodeAtLeast(OLDEST_NODE)) runOnInstalledNode();
else if (isServer && !isTunedForServer()) runNode(process.execPath, [file, ...args], true);
else await runCommand();

async function runCommand() {
  keepCompiledCode();
  let commandLine;
  try {
    commandLine = await import(new URL("../lib/cli/main.js", import.meta.url).href);
  } catch (error) {
    endWith(`The package @tessera-board/server in ${root} is incomplete or unreadable: install it again. ${firstLine(error)}`);
  }
  await commandLine.run(args);
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
