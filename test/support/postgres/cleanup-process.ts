import { spawn } from "node:child_process";
import { once } from "node:events";

/** Reads process groups from its input; the last line counts. When the input ends, kills that group and removes the folder. */
const SCRIPT = `
trap '' HUP INT TERM
folder=$1 pid= tries=0
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -s QUIT -- "-$pid"
  while [ -e "$folder/data/postmaster.pid" ] && [ $tries -lt 100 ]; do sleep 0.02; tries=$((tries + 1)); done
  kill -s KILL -- "-$pid"
fi
rm -rf -- "$folder" || { sleep 1; rm -rf -- "$folder"; }
`;

export type CleanupProcess = {
  /** Sets the process group that is killed before the folder is removed; null if none is running. */
  setProcessGroup(pid: number | null): void;
  /** Kills the process group, removes the folder, and waits until both are gone. */
  cleanUp(): Promise<void>;
};

/**
 * Starts a process that removes a folder and kills the programs that use it. It does so after `cleanUp()`, and when this process ends,
 * because its input is closed then. This includes SIGKILL, which no handler in this process could catch.
 */
export function startCleanupProcess(folder: string): CleanupProcess {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "cleanup", folder], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(child, "exit");
  // If the process was killed, a write to it fails. This must not crash the tests.
  child.stdin.on("error", () => undefined);
  child.unref();
  return {
    setProcessGroup: (pid) => void (child.stdin.writable && child.stdin.write(`${pid ?? ""}\n`)),
    cleanUp: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
