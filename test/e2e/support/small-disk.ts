import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of a few megabytes that only processes with its launcher see under `folder`. */
export type SmallDisk = {
  /** Its path for processes that are started with the launcher. */
  readonly folder: string;
  readonly launcher: readonly string[];
  /** Writes a file that leaves no free byte. */
  fill(): void;
  /** Removes that file. */
  free(): void;
  remove(): Promise<void>;
};

const LIFE_SECONDS = 300;
const BLOCK = Buffer.alloc(4_096, 1);

/**
 * Mounts a tmpfs in a mount namespace of its own, so that nothing else on this machine sees it. Root creates the namespace directly, other
 * users through a user namespace. Throws if neither is possible, because a test without its disk must not pass.
 */
export async function makeSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-disk-"));
  const isRoot = process.getuid?.() === 0;
  const script = `mount -t tmpfs -o size=${mebibytes}m,mode=700 tessera-test "$1" && echo mounted && exec sleep ${LIFE_SECONDS}`;
  const args = [...(isRoot ? [] : ["--map-root-user"]), "-m", "sh", "-c", script, "sh", folder];
  const holder = spawn("unshare", args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => holder.once("close", () => resolve()));
  let stderr = "";
  holder.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  await new Promise<void>((resolve, reject) => {
    const fail = (cause?: unknown): void =>
      reject(new Error(`No small disk could be mounted, which this test needs (unshare -m, mount, nsenter): ${stderr}`, { cause }));
    holder.once("error", fail);
    holder.once("close", fail);
    holder.stdout.once("data", () => resolve());
  });
  // The disk is not mounted for this process, but reachable through one that has it.
  const filler = join(`/proc/${holder.pid}/root${folder}`, "filler");
  return {
    folder,
    launcher: ["nsenter", "-t", String(holder.pid), "-m", ...(isRoot ? [] : ["-U", "--preserve-credentials"])],
    fill: () => fillDisk(filler),
    free: () => rmSync(filler, { force: true }),
    async remove() {
      holder.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fillDisk(file: string): void {
  const handle = openSync(file, "a");
  try {
    for (;;) writeSync(handle, BLOCK);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(handle);
  }
}
