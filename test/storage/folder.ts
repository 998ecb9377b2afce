import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A new folder that is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-storage-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a script, given as a URL, as a process, which is killed at the latest when the test ends. */
export function startProcess(
  script: string,
  ...args: readonly string[]
): { readonly process: ChildProcess; readonly lines: string[]; readonly ended: Promise<void> } {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    child.emit("lines");
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      resolve();
      child.emit("lines");
    });
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { process: child, lines, ended };
}

/** Waits until the process has printed this many lines. */
export async function untilLines({ process: child, lines }: ReturnType<typeof startProcess>, count: number): Promise<void> {
  while (lines.length < count) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The process ended after ${lines.length} lines.`);
    await new Promise<void>((resolve) => child.once("lines", resolve));
  }
}
