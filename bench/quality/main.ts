import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Figure, Section } from "../output/report.ts";
import { writeResults } from "../output/results.ts";
import { formatText } from "../output/table.ts";
import { ROOT } from "../context.ts";
import { runBoard } from "./board/run.ts";
import { runArticles, runSegments } from "./extraction.ts";
import type { Options, Part } from "./options.ts";
import { runAnswers } from "./search/answers.ts";
import { runRetrieval } from "./search/retrieval.ts";
import { SET_NAMES, type SetName } from "./search/sets.ts";
import { runStructure } from "./structure/run.ts";
import { runTables } from "./tables/run.ts";
import { runWcxb } from "./wcxb/run.ts";

const runOnData =
  (run: (data: string) => readonly Section[] | null): Part =>
  async ({ data }) => {
    const sections = run(data);
    return sections === null ? null : { figures: [], sections };
  };

/** The parts in order, with their approximate duration on an idle machine: without vectors, and with them. */
const PARTS: Readonly<Record<string, { readonly run: Part; readonly takes: string }>> = {
  articles: { run: runOnData(runArticles), takes: "15 s" },
  segments: { run: runOnData(runSegments), takes: "1 min" },
  wcxb: { run: runWcxb, takes: "2 min" },
  structure: { run: runStructure, takes: "10 s, and 1 min more for real pages" },
  retrieval: {
    run: runRetrieval,
    takes: "3 min without vectors; with them 35 min the first time, of which SciFact and QMSum 12 each, and 7 min later",
  },
  answers: { run: runAnswers, takes: "2 min without vectors; with them 6 min the first time, and 4 min later" },
  tables: { run: runTables, takes: "1 min without vectors, 5 min with them the first time" },
  board: { run: runBoard, takes: "half a minute" },
};
const NAMES = Object.keys(PARTS);

const joinNames = (names: readonly string[]): string => names.join(", ");

function readNames<T extends string>(flag: string, given: readonly string[], known: readonly T[]): readonly T[] {
  const unknown = given.find((name) => !(known as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`${flag}: "${unknown}" is unknown. Known values: ${joinNames(known)}.`);
  return given.length === 0 ? known : known.filter((name) => given.includes(name));
}

function readArguments(args: readonly string[]): { readonly parts: readonly string[]; readonly options: Options } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: "string" },
      only: { type: "string" },
      sets: { type: "string" },
      vectors: { type: "string" },
      sample: { type: "string" },
    },
  });
  const parts = readNames("A part", [...positionals, ...(values.only?.split(",") ?? [])], NAMES);
  const sets: readonly SetName[] = readNames("--sets", values.sets?.split(",") ?? [], SET_NAMES);
  if (values.vectors !== undefined && !["local", "off"].includes(values.vectors)) throw new Error("--vectors must be local or off.");
  const sample = values.sample === undefined ? null : Number(values.sample);
  if (sample !== null && !(Number.isSafeInteger(sample) && sample > 0)) throw new Error("--sample must be a whole number above 0.");
  const data = resolve(values.data ?? process.env["TESSERA_DATA"] ?? join(ROOT, "../shared/data"));
  return { parts, options: { data, sets, hasVectors: values.vectors !== "off", sample } };
}

/**
 * `npm run bench:quality -- [PART …] [--data DIR] [--sets a,b] [--vectors off] [--sample N]`; all parts and sets unless some are named.
 * `--data` defaults to TESSERA_DATA, then to `../shared/data`.
 */
export async function run(args: readonly string[]): Promise<void> {
  const started = performance.now();
  const { parts, options } = readArguments(args);
  const figures: Figure[] = [];
  const sections: Section[] = [];
  for (const name of parts) {
    const part = PARTS[name];
    if (part === undefined) continue;
    process.stderr.write(`${name}: takes about ${part.takes}.\n`);
    const report = await part.run(options);
    if (report === null) {
      process.stdout.write(`${name}: the data is not in ${options.data}. Pass its folder with --data DIR or TESSERA_DATA.\n\n`);
      continue;
    }
    process.stdout.write(`${formatText(report)}\n`);
    figures.push(...report.figures);
    sections.push(...report.sections);
  }
  if (sections.length === 0) return;
  const command = ["npm run bench:quality", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
  const isWhole =
    parts.length === NAMES.length && options.sets.length === SET_NAMES.length && options.hasVectors && options.sample === null;
  const seconds = (performance.now() - started) / 1_000;
  const notes = options.sample === null ? [] : [`A sample: ${options.sample} questions of each board.`];
  const folder = writeResults(isWhole ? "quality" : "partial.quality", { figures, sections }, { command, seconds, notes });
  process.stdout.write(`Written to ${folder}\n`);
}
