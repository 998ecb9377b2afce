import { readFileSync, readdirSync } from "node:fs";

/** Linux reports CPU time in hundredths of a second, independent of the kernel's tick. */
const TICKS_PER_SECOND = 100;

/** The CPU time of a process with all its threads, including those that have ended, in seconds. */
export function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name in parentheses may contain spaces, so the fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export type Memory = { readonly pid: number; readonly name: string; readonly rss: number; readonly pss: number | null };

const KIB = 1_024;

/** The memory of a process in bytes: resident and proportional set size (null if it cannot be read). */
export function readMemory(pid: number): Memory {
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return { pid, name: command.map((part) => part.split("/").at(-1)).join(" "), rss: readField(status, "VmRSS") ?? 0, pss: readPss(pid) };
}

function readPss(pid: number): number | null {
  try {
    return readField(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"), "Pss");
  } catch {
    return null;
  }
}

function readField(text: string, field: string): number | null {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text);
  return found === null ? null : Number(found[1]) * KIB;
}

/** A process and all its descendants, parents before children. */
export function listProcessTree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(listProcessTree)];
}
