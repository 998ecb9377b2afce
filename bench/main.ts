import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { runAsk, runAskWithManyTiles } from "./cases/ask.ts";
import { runCreate } from "./cases/create.ts";
import { runEvents } from "./cases/events.ts";
import { runIngest } from "./cases/ingest.ts";
import { runLabels } from "./cases/labels.ts";
import { runTiles, runZones } from "./cases/lists.ts";
import { runMixed } from "./cases/mixed.ts";
import { runPartialLoad } from "./cases/partial-load.ts";
import { runPostgres } from "./cases/postgres/postgres.ts";
import { runShares } from "./cases/shares.ts";
import { runMemory, runStart } from "./cases/start.ts";
import { type LoadContext, type Options, startLoadFixtures, withLoadGenerator } from "./load/load-context.ts";
import { runWorker } from "./processes/worker-process.ts";
import type { Figure, Report, Section } from "./output/report.ts";
import { writeDocument, writeResults } from "./output/results.ts";
import { type BenchContext, createBenchContext } from "./context.ts";
import { formatText } from "./output/table.ts";

/** Cases on services of their own run first, on a quiet machine; load cases share services. Creations are last, since they leave tiles to index. */
const ISOLATED_CASES: Readonly<Record<string, (context: BenchContext, options: Options) => Promise<Report>>> = {
  start: runStart,
  memory: runMemory,
  ingest: runIngest,
  ask: runAsk,
  shares: runShares,
  labels: runLabels,
  events: runEvents,
  postgres: runPostgres,
};
const LOAD_CASES: Readonly<Record<string, (fixtures: LoadContext) => Promise<Report>>> = {
  zones: runZones,
  tiles: runTiles,
  "partial-load": runPartialLoad,
  mixed: runMixed,
  "ask-many-tiles": runAskWithManyTiles,
  create: runCreate,
};
const CASE_NAMES = [...Object.keys(ISOLATED_CASES), ...Object.keys(LOAD_CASES)];
const DEFAULT_TILES = 1_000_000;
const QUICK_TILES = 100_000;

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean" }, only: { type: "string" }, tiles: { type: "string" } },
  });
  const tiles = Number(values.tiles ?? (values.quick === true ? QUICK_TILES : DEFAULT_TILES));
  if (!Number.isSafeInteger(tiles) || tiles < 0) throw new Error("--tiles must be a whole number; 0 omits the service with many tiles.");
  if (values.only !== undefined && !CASE_NAMES.includes(values.only)) throw new Error(`--only must be one of ${CASE_NAMES.join(", ")}.`);
  return { isQuick: values.quick === true, tiles, only: values.only };
}

/** `npm run bench -- [--quick] [--only NAME] [--tiles N]`. */
export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === "worker") return runWorker(args[1] ?? "");
  const started = performance.now();
  const options = readOptions(args);
  const context = createBenchContext();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void context.close().then(() => process.exit(1)));
  try {
    const { report, notes } = await runCases(context, options);
    const command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
    const isComplete = args.length === 0;
    if (isComplete) writeDocument(report);
    const folder = writeResults(isComplete ? "latest" : "partial", report, {
      command,
      seconds: (performance.now() - started) / 1_000,
      notes,
    });
    process.stdout.write(`\n${formatText(report)}\nWritten to ${folder}\n`);
  } finally {
    await context.close();
  }
}

async function runCases(context: BenchContext, options: Options): Promise<{ report: Report; notes: string[] }> {
  const figures: Figure[] = [];
  const sections: Section[] = [];
  const notes: string[] = [];
  const loadAverages = [loadavg()[0] ?? 0];
  const isSelected = (name: string): boolean => options.only === undefined || options.only === name;
  const runCase = async (name: string, work: () => Promise<Report>): Promise<void> => {
    const started = performance.now();
    const report = await work();
    figures.push(...report.figures);
    sections.push(...report.sections);
    process.stderr.write(`${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s\n`);
  };
  for (const [name, execute] of Object.entries(ISOLATED_CASES)) if (isSelected(name)) await runCase(name, () => execute(context, options));
  const loaded = Object.entries(LOAD_CASES).filter(([name]) => isSelected(name));
  if (loaded.length > 0) {
    const started = performance.now();
    const fixtures = await startLoadFixtures(context, options);
    notes.push("Services under load run with EMBEDDINGS=off: the case `ask` measures the cost of vectors.");
    process.stderr.write(`services ready: ${((performance.now() - started) / 1_000).toFixed(0)} s\n`);
    if (fixtures.big !== null)
      notes.push(
        `"With many tiles": ${fixtures.big.seedSummary ?? ""}; they are in the search index; every board has a copy of the index of the first.`,
      );
    for (const [name, execute] of loaded) await runCase(name, () => withLoadGenerator(context, fixtures, execute));
  }
  loadAverages.push(loadavg()[0] ?? 0);
  notes.push(`Load average of the machine: ${loadAverages.map((load) => load.toFixed(1)).join(" at the start, ")} at the end.`);
  return { report: { figures, sections }, notes };
}
