import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import workerThreads from "node:worker_threads";

/** Unit tests start nothing: a server, a process or a thread that one of them starts is an error of that test. */
function forbid(what: string): never {
  throw new Error(`A unit test must not start ${what}. Take the file out of UNIT in vitest.config.ts, or use a fake.`);
}

net.Server.prototype.listen = () => forbid("a server");
for (const name of ["spawn", "fork", "exec", "execFile", "spawnSync", "execFileSync", "execSync"] as const) {
  Object.defineProperty(childProcess, name, { value: () => forbid("a process"), writable: true, configurable: true });
}
Object.defineProperty(workerThreads, "Worker", {
  value: class {
    constructor() {
      forbid("a thread");
    }
  },
  writable: true,
  configurable: true,
});
syncBuiltinESMExports();
