import { spawn } from "node:child_process";
import { join } from "node:path";
import { formatDecimal, formatSpread, computeSpread } from "../output/numbers.ts";
import { type Memory, readMemory, listProcessTree } from "../processes/stats.ts";
import type { Report } from "../output/report.ts";
import { ROOT, type BenchContext, stopChild, sleep } from "../context.ts";
import { buildEnvironment } from "../servers/service.ts";
import type { Options } from "../load/load-context.ts";

const MAX_SECONDS = 1.5;
const MAX_MB = 150;
const IDLE_MS = 10_000;
const TIMEOUT_MS = 30_000;
const MEGABYTE = 1_000_000;

type Started = { readonly seconds: number; readonly pid: number; stop(): Promise<void> };

/** Runs `npm start` and measures the time until its ready line. */
async function runNpmStart(context: BenchContext, dataDir: string): Promise<Started> {
  const started = performance.now();
  const child = context.track(spawn("npm", ["start"], { cwd: ROOT, env: buildEnvironment(dataDir), stdio: ["ignore", "pipe", "inherit"] }));
  const seconds = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("npm start was not ready in time.")), TIMEOUT_MS);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes("Tessera is ready on")) return;
      clearTimeout(timer);
      resolve((performance.now() - started) / 1_000);
    });
    child.once("exit", () => reject(new Error(`npm start ended before it was ready:\n${output}`)));
  });
  const pid = child.pid ?? 0;
  return {
    seconds,
    pid,
    async stop() {
      // The server is the last process of the tree; npm and its shell exit with it.
      const server = listProcessTree(pid).at(-1) ?? pid;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      process.kill(server, "SIGTERM");
      await Promise.race([gone, sleep(TIMEOUT_MS)]);
      await stopChild(child);
    },
  };
}

export async function runStart(context: BenchContext, options: Options): Promise<Report> {
  const dataDir = join(context.folder, "start");
  const times: number[] = [];
  for (let n = 0; n < (options.isQuick ? 3 : 5); n++) {
    const { seconds, stop } = await runNpmStart(context, dataDir);
    times.push(seconds);
    await stop();
  }
  const all = computeSpread(times);
  const detail = `from npm start to the ready line, median of ${times.length}: ${formatSpread(all)}; the first, on an empty folder, ${formatDecimal(times[0] ?? Number.NaN)}`;
  return { figures: [{ name: "start-up time of npm start", value: all.median, unit: "s", max: MAX_SECONDS, detail }], sections: [] };
}

export async function runMemory(context: BenchContext): Promise<Report> {
  const { pid, stop } = await runNpmStart(context, join(context.folder, "memory"));
  await sleep(IDLE_MS);
  const tree = listProcessTree(pid).map(readMemory);
  await stop();
  const server = tree.at(-1) as Memory;
  const megabytes = (bytes: number | null): string => (bytes === null ? "unknown" : formatDecimal(bytes / MEGABYTE, 1));
  return {
    figures: [
      {
        name: "idle memory",
        value: server.rss / MEGABYTE,
        unit: "MB",
        max: MAX_MB,
        detail: `resident, the server process 10 s after it was ready; proportional set size (PSS) ${megabytes(server.pss)} MB`,
      },
    ],
    sections: [
      {
        title: "Processes of npm start at idle",
        columns: ["process", "resident MB", "PSS MB"],
        rows: tree.map(({ name, rss, pss }) => [name, megabytes(rss), megabytes(pss)]),
      },
    ],
  };
}
