import { spawn } from "node:child_process";
import { join } from "node:path";
import { decimal, spread, spreadOf } from "../output/numbers.ts";
import { type Memory, memoryOf, treeOf } from "../processes/stats.ts";
import type { Report } from "../output/report.ts";
import { ROOT, type Scene, endChild, sleep } from "../context.ts";
import { environmentOf } from "../servers/service.ts";
import type { Options } from "./load-context.ts";

const MAX_SECONDS = 1.5;
const MAX_MB = 150;
const IDLE_MS = 10_000;
const PATIENCE_MS = 30_000;
const MEGABYTE = 1_000_000;

type Started = { readonly seconds: number; readonly pid: number; stop(): Promise<void> };

/** `npm start`, as typed, up to its ready line. */
async function npmStart(scene: Scene, dataDir: string): Promise<Started> {
  const started = performance.now();
  const child = scene.keep(spawn("npm", ["start"], { cwd: ROOT, env: environmentOf(dataDir), stdio: ["ignore", "pipe", "inherit"] }));
  const seconds = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("npm start was not ready in time.")), PATIENCE_MS);
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
      // The server is the last of npm, its shell and what they run; the others end with it.
      const server = treeOf(pid).at(-1) ?? pid;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      process.kill(server, "SIGTERM");
      await Promise.race([gone, sleep(PATIENCE_MS)]);
      await endChild(child);
    },
  };
}

export async function runStart(scene: Scene, options: Options): Promise<Report> {
  const dataDir = join(scene.folder, "start");
  const times: number[] = [];
  for (let n = 0; n < (options.isQuick ? 3 : 5); n++) {
    const { seconds, stop } = await npmStart(scene, dataDir);
    times.push(seconds);
    await stop();
  }
  const all = spreadOf(times);
  const beside = `from npm start to the ready line, median of ${times.length}: ${spread(all)}; the first, on an empty folder, ${decimal(times[0] ?? Number.NaN)}`;
  return { figures: [{ name: "ready after npm start", value: all.median, unit: "s", most: MAX_SECONDS, beside }], sections: [] };
}

export async function runMemory(scene: Scene): Promise<Report> {
  const { pid, stop } = await npmStart(scene, join(scene.folder, "memory"));
  await sleep(IDLE_MS);
  const tree = treeOf(pid).map(memoryOf);
  await stop();
  const server = tree.at(-1) as Memory;
  const megabytes = (bytes: number | null): string => (bytes === null ? "unknown" : decimal(bytes / MEGABYTE, 1));
  return {
    figures: [
      {
        name: "memory at idle",
        value: server.rss / MEGABYTE,
        unit: "MB",
        most: MAX_MB,
        beside: `resident, the server's process 10 s after it was ready; its share (PSS) ${megabytes(server.pss)} MB`,
      },
    ],
    sections: [
      {
        title: "Processes of npm start at idle",
        columns: ["process", "resident MB", "share (PSS) MB"],
        rows: tree.map(({ name, rss, pss }) => [name, megabytes(rss), megabytes(pss)]),
      },
    ],
  };
}
