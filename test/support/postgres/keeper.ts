import { spawn } from "node:child_process";
import { once } from "node:events";

/** Reads the process to end, the latest line counts, until its input ends; then it ends that process and removes the folder. */
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

export type Keeper = {
  /** Which process group has to end with the folder; null when none runs. */
  note(pid: number | null): void;
  /** Ends the noted process, removes the folder and waits until both are gone. */
  end(): Promise<void>;
};

/**
 * Starts the process that clears a folder away. It does so when it is told to, and also when this process ends in whatever way:
 * its input ends then, even after a SIGKILL, which no handler in here could answer.
 */
export function startKeeper(folder: string): Keeper {
  const keeper = spawn("/bin/sh", ["-c", SCRIPT, "keeper", folder], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(keeper, "exit");
  // A write to a keeper that somebody killed must not bring this process down.
  keeper.stdin.on("error", () => undefined);
  keeper.unref();
  return {
    note: (pid) => void (keeper.stdin.writable && keeper.stdin.write(`${pid ?? ""}\n`)),
    end: async () => {
      keeper.ref();
      keeper.stdin.end();
      await ended;
    },
  };
}
