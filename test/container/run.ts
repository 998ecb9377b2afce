import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { until } from "../e2e/support/servers.ts";

export type Container = {
  readonly root: string;
  readonly data: string;
  readonly user: number;
  readonly environment: Readonly<Record<string, string>>;
};

type Ended = { readonly code: number | null; readonly output: string };

export type Running = {
  readonly ended: Promise<Ended>;
  /** Waits until the program has printed the text. */
  waitFor(text: string): Promise<void>;
  /** Sends SIGTERM to process 1. */
  stop(): Promise<Ended>;
};

/** The mounts of `--read-only --tmpfs /tmp --volume data:/data`, and no rights, then the program as process 1. */
const SCRIPT = `
root=$1 data=$2 user=$3; shift 3
mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" && cd "$root"
mount -t tmpfs tmpfs "$root/tmp" && mount --bind "$data" "$root/data" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" || exit 99
exec chroot "$root" setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

/** Runs a program in the file system of an image, in mount and process namespaces of its own. */
export function startContainer({ root, data, user, environment }: Container, command: readonly string[]): Running {
  const args = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", SCRIPT, "container", root, data, String(user), ...command];
  const child = spawn("unshare", args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
  return {
    ended,
    async waitFor(text) {
      await until(`"${text}"`, () => output.includes(text) || child.exitCode !== null);
      if (!output.includes(text)) throw new Error(`It ended with ${child.exitCode}:\n${output}`);
    },
    stop() {
      const [first] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
      if (first !== undefined && first !== "") process.kill(Number(first), "SIGTERM");
      return ended;
    },
  };
}
