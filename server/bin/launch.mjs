// Starts Node again with what the server needs. Plain JavaScript that old versions of Node can run.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const START_OPTIONS = JSON.parse(readFileSync(new URL("./start-options.json", import.meta.url), "utf8"));
if (!Array.isArray(START_OPTIONS.flags)) throw new Error("start-options.json has no flags.");

/** Writes a sentence to standard error, for the server as `LOG_FORMAT` says. */
export function say(sentence, isServer, level = "error") {
  const isJson = isServer && (process.env.LOG_FORMAT || "").trim() === "json";
  const line = isJson ? JSON.stringify({ level, time: new Date().toISOString(), msg: sentence }) : sentence;
  process.stderr.write(`${line}\n`);
}

/** Whether the Node that runs this process is the given version, such as "22.19", or a newer one. */
export function isNodeAtLeast(version) {
  const [wanted, running] = [version, process.versions.node].map((text) => text.split(".").map(Number));
  return running[0] > wanted[0] || (running[0] === wanted[0] && running[1] >= (wanted[1] || 0));
}

/** Whether this process has the flags of Node that the server needs. */
export function isTunedForServer() {
  return START_OPTIONS.flags.every((flag) => process.execArgv.includes(flag));
}

/**
 * Runs `node` with the arguments, and for the server with its flags and variables. Replaces this process where Node can, so that a supervisor sees one process; otherwise starts a child and forwards signals.
 */
export function runNode(node, args, isServer) {
  const flags = isServer ? START_OPTIONS.flags.filter((flag) => !process.execArgv.includes(flag)) : [];
  const all = [...process.execArgv, ...flags, ...args];
  const env = isServer ? { ...START_OPTIONS.environment, ...process.env } : process.env;
  if (process.platform !== "win32" && process.execve !== undefined) process.execve(node, [node, ...all], env);
  else runChild(node, all, env, isServer);
}

function runChild(node, args, env, isServer) {
  const child = spawn(node, args, { stdio: "inherit", env });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code === null ? 1 : code));
  child.on("error", (error) => {
    say(`${node} could not be started: ${error.message}`, isServer);
    process.exit(1);
  });
}
