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
  let node;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve("node/package.json"));
    node = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    accessSync(node, constants.X_OK);
  } catch {
    endWith(
      `Tessera needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}: install a newer Node, or install @tessera-board/server with its optional dependencies, which bring one.`,
    );
  }
  runNode(node, [file, ...args], isServer);
}

/** Compiled code is kept between starts, which halves the time of a start. Threads and processes started from here read the variable. */
function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || compileCache();
  if (module.enableCompileCache !== undefined) module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/** Not the common temporary folder, which is Node's default: there, other users could plant code. */
function compileCache() {
  const own = join(root, ".cache");
  try {
    accessSync(root, constants.W_OK);
    return own;
  } catch {
    return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tessera-server");
  }
}

function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split("\n")[0];
}

function endWith(sentence) {
  say(sentence, isServer);
  process.exit(1);
}
