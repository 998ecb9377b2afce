import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { runAsk, runAskBeside } from "./cases/ask.ts";
import { runCreate } from "./cases/create.ts";
import { runIngest } from "./cases/ingest.ts";
import { runTiles, runZones } from "./cases/lists.ts";
import { runMixed } from "./cases/mixed.ts";
import { runPartialLoad } from "./cases/partial-load.ts";
import { runPostgres } from "./cases/postgres.ts";
import { runMemory, runStart } from "./cases/start.ts";
import { type LoadedWorld, type Options, createWorld, withLoad } from "./cases/load-context.ts";
import { runChild } from "./processes/worker-process.ts";
import type { Figure, Report, Section } from "./output/report.ts";
import { writeDocument, writeResults } from "./output/results.ts";
import { type Scene, createScene } from "./context.ts";
import { asText } from "./output/table.ts";

/** Cases that need a quiet machine and services of their own, then those under load, which share theirs; creations last, for what they leave to be indexed. */
const ALONE: Readonly<Record<string, (scene: Scene, options: Options) => Promise<Report>>> = {
  start: runStart,
  memory: runMemory,
  ingest: runIngest,
  ask: runAsk,
  postgres: runPostgres,
};
const LOADED: Readonly<Record<string, (world: LoadedWorld) => Promise<Report>>> = {
  zones: runZones,
  tiles: runTiles,
  "partial-load": runPartialLoad,
  mixed: runMixed,
  "ask-beside": runAskBeside,
  create: runCreate,
};
const NAMES = [...Object.keys(ALONE), ...Object.keys(LOADED)];
const MANY = 1_000_000;
const QUICK_MANY = 100_000;

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean" }, only: { type: "string" }, tiles: { type: "string" } },
  });
  const tiles = Number(values.tiles ?? (values.quick === true ? QUICK_MANY : MANY));
  if (!Number.isSafeInteger(tiles) || tiles < 0)
    throw new Error("--tiles must be a whole number; 0 leaves out the service with many tiles.");
  if (values.only !== undefined && !NAMES.includes(values.only)) throw new Error(`--only must be one of ${NAMES.join(", ")}.`);
  return { isQuick: values.quick === true, tiles, only: values.only };
}

/** `npm run bench -- [--quick] [--only NAME] [--tiles N]`. */
export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === "child") return runChild(args[1] ?? "");
  const started = performance.now();
  const options = readOptions(args);
  const scene = createScene();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void scene.end().then(() => process.exit(1)));
  try {
    const { report, notes } = await runCases(scene, options);
    const command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
    const isWhole = args.length === 0;
    if (isWhole) writeDocument(report);
    const folder = writeResults(isWhole ? "latest" : "partial", report, { command, seconds: (performance.now() - started) / 1_000, notes });
    process.stdout.write(`\n${asText(report)}\nWritten to ${folder}\n`);
  } finally {
    await scene.end();
  }
}

async function runCases(scene: Scene, options: Options): Promise<{ report: Report; notes: string[] }> {
  const figures: Figure[] = [];
  const sections: Section[] = [];
  const notes: string[] = [];
  const busyness = [loadavg()[0] ?? 0];
  const isWanted = (name: string): boolean => options.only === undefined || options.only === name;
  const take = async (name: string, work: () => Promise<Report>): Promise<void> => {
    const started = performance.now();
    const report = await work();
    figures.push(...report.figures);
    sections.push(...report.sections);
    process.stderr.write(`${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s\n`);
  };
  for (const [name, runCase] of Object.entries(ALONE)) if (isWanted(name)) await take(name, () => runCase(scene, options));
  const loaded = Object.entries(LOADED).filter(([name]) => isWanted(name));
  if (loaded.length > 0) {
    const started = performance.now();
    const world = await createWorld(scene, options);
    notes.push("Services under load run with EMBEDDINGS=off: what vectors cost is shown by the case ask.");
    process.stderr.write(`services ready: ${((performance.now() - started) / 1_000).toFixed(0)} s\n`);
    if (world.big !== null)
      notes.push(
        `"With many tiles": ${world.big.seeded ?? ""}; they are in the search index, every board with the words of the first one.`,
      );
    for (const [name, runCase] of loaded) await take(name, () => withLoad(scene, world, runCase));
  }
  busyness.push(loadavg()[0] ?? 0);
  notes.push(`Load average of the machine: ${busyness.map((load) => load.toFixed(1)).join(" at the start, ")} at the end.`);
  return { report: { figures, sections }, notes };
}
