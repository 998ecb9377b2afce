// Runs a TypeScript entry on Node 24 or newer, installing what is missing first. This file alone must run on older Nodes.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import module from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const pinned = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");
const [entry, ...args] = process.argv.slice(2);

installWhatIsMissing();
if (Number(process.versions.node.split(".")[0]) >= 24) {
  keepCompiledCode();
  const { run } = await import(pathToFileURL(resolve(root, entry)).href);
  await run(args);
} else {
  runOnPinnedNode();
}

/** The lock file's hash is noted after each install, so that an install happens when it changed and at no other time. */
function installWhatIsMissing() {
  const mark = join(modules, ".installed");
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(pinned) && existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  process.stderr.write("Installing what is missing …\n");
  // "install" keeps to the lock file but, unlike "ci", forgives optional builds for other platforms that a registry lacks.
  // What npm says goes to stderr: a command's stdout is its result alone.
  const npm = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (npm.status !== 0) {
    process.stderr.write("The installation failed; see the messages above.\n");
    process.exit(1);
  }
  writeFileSync(mark, wanted);
}

/** Compiled code is kept between starts, which takes 40 % off what a start costs; threads and processes begun from here read the variable. */
function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(modules, ".cache/compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

function runOnPinnedNode() {
  const child = spawn(pinned, [...process.execArgv, fileURLToPath(import.meta.url), entry, ...args], {
    cwd: process.cwd(),
    stdio: "inherit",
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
  child.on("error", (error) => {
    process.stderr.write(`Node 24 could not be started: ${error.message}\n`);
    process.exit(1);
  });
}
