import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import workerThreads from "node:worker_threads";

/** Fails unit tests that start a server, a process or a thread, so that `npm run check` stays fast. */
function forbid(what: string): never {
  throw new Error(`A unit test must not start ${what}. Use a fake, or move the file out of UNIT in vitest.config.ts.`);
}

net.Server.prototype.listen = () => forbid("a server");
for (const name of ["spawn", "fork", "exec", "execFile", "spawnSync", "execFileSync", "execSync"] as const) {
  Object.defineProperty(childProcess, name, { value: () => forbid("a process") });
}
Object.defineProperty(workerThreads, "Worker", {
  value: function Worker() {
    forbid("a thread");
  },
});
syncBuiltinESMExports();
