import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { formatDecimal } from "../output/numbers.ts";
import { formatText } from "../output/table.ts";
import { SET_NAMES, type SetName } from "../quality/search/sets.ts";
import { ROOT } from "../context.ts";
import { createAnsweringObjective } from "./answering.ts";
import { run as runClean } from "./clean/main.ts";
import { type Constant, listConstants, listValues, updateSource } from "./constants.ts";
import { type Fit, fitConstants } from "./descent.ts";
import { readSets } from "./questions.ts";
import { createRankingObjective, type Objective } from "./ranking.ts";

const WEIGHTS_FILE = join(ROOT, "src/retrieval/weights.ts");
const ANSWERING_GROUPS: ReadonlySet<string> = new Set(["sentence", "answer", "confidence", "confidenceBounds"]);
const DEFAULT_SETS: readonly SetName[] = ["squad", "scifact", "cranfield", "cisi", "qmsum"];
const ROUNDS = 2;
const MIN_GAIN = 0.000_5;

export type FitOptions = {
  /** The folder of the evaluation data. */
  readonly data: string;
  readonly sets: readonly SetName[];
  /** Constants to fit, such as `rerank.proximity`; empty: all. */
  readonly only: readonly string[];
  /** Questions of each set in each half. */
  readonly sample: number;
  readonly hasVectors: boolean;
  readonly minutes: number;
  /** Called before each measurement. */
  readonly onProgress?: (line: string) => void;
};

/** Fits the constants of ranking, then those of answering. Throws if the data of a group is absent. */
export async function fit(options: FitOptions): Promise<Fit[]> {
  const { data, only, sample, hasVectors, minutes } = options;
  const deadline = performance.now() + minutes * 60_000;
  const sets = readSets(data, options.sets);
  if (sets.length === 0) throw new Error(`The data is not in ${data}. Pass its folder with --data or TESSERA_DATA.`);
  const constants = listConstants(only, hasVectors);
  const isAnswering = ({ name }: Constant): boolean => ANSWERING_GROUPS.has(name.split(".", 1)[0] ?? "");
  const run = async (selected: readonly Constant[], open: () => Objective): Promise<Fit[]> => {
    if (selected.length === 0) return [];
    const objective = open();
    try {
      return await fitConstants(selected, {
        listValues,
        measure: (name, half) => {
          options.onProgress?.(`${name}, ${half}`);
          return objective.measure(half);
        },
        rounds: ROUNDS,
        minGain: MIN_GAIN,
        isTimeUp: () => performance.now() > deadline,
      });
    } finally {
      await objective.close();
    }
  };
  const ranking = await run(
    constants.filter((constant) => !isAnswering(constant)),
    () => createRankingObjective(sets, sample, hasVectors),
  );
  const squad = sets.find(({ name }) => name === "squad");
  const answering = constants.filter(isAnswering);
  if (squad === undefined && answering.length > 0) throw new Error("Constants of answering need the set squad, which is absent.");
  return squad === undefined ? ranking : [...ranking, ...(await run(answering, () => createAnsweringObjective(squad, sample, hasVectors)))];
}

const formatShare = (value: number): string => formatDecimal(value, 4);

/**
 * `npm run fit -- [--only GROUP.KEY,…] [--sets a,b] [--sample N] [--vectors local] [--minutes N] [--data DIR] [--write]`: prints
 * each constant's current value, its fitted value, and the quality before and after; `--write` changes `src/retrieval/weights.ts`.
 * `npm run fit -- clean` fits the model of page content instead (`clean/main.ts`).
 */
export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === "clean") return runClean(args.slice(1));
  const { isWritten, options } = readArguments(args);
  const fits = await fit({ ...options, onProgress: (line) => void process.stderr.write(`\r\u001b[K${line}`) });
  process.stderr.write("\n");
  const table = {
    title: "Fitted constants",
    note: "Quality of ranking: nDCG@10, the weighted mean over the sets. Quality of answering: the mean of two balanced accuracies and right first quotes.",
    columns: ["constant", "current", "fitted", "training before", "after", "held out before", "after", ""],
    rows: fits.map(({ name, current, fitted, training, heldOut, outcome }) => [
      name,
      String(current),
      String(fitted),
      ...[...training, ...heldOut].map(formatShare),
      outcome,
    ]),
  };
  process.stdout.write(`${formatText({ figures: [], sections: [table] })}\n`);
  const accepted = new Map(fits.filter(({ outcome }) => outcome === "accepted").map(({ name, fitted }) => [name, fitted]));
  if (accepted.size === 0) return void process.stdout.write("No constant gains on both halves.\n");
  if (!isWritten) return void process.stdout.write("Nothing was written. Repeat with --write to change src/retrieval/weights.ts.\n");
  writeFileSync(WEIGHTS_FILE, updateSource(readFileSync(WEIGHTS_FILE, "utf8"), accepted));
  process.stdout.write(`Changed in src/retrieval/weights.ts: ${[...accepted.keys()].join(", ")}. Run npm run bench:quality.\n`);
}

function readArguments(args: readonly string[]): { readonly isWritten: boolean; readonly options: FitOptions } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      sets: { type: "string" },
      sample: { type: "string", default: "100" },
      vectors: { type: "string", default: "off" },
      minutes: { type: "string", default: "30" },
      data: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const readNumber = (flag: string, text: string): number => {
    const number = Number(text);
    if (!(Number.isSafeInteger(number) && number > 0)) throw new Error(`--${flag} must be a whole number above 0.`);
    return number;
  };
  const sets = values.sets?.split(",") ?? DEFAULT_SETS;
  const unknown = sets.find((name) => !(SET_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`--sets: "${unknown}" is unknown. Known sets: ${SET_NAMES.join(", ")}.`);
  if (!["local", "off"].includes(values.vectors)) throw new Error("--vectors must be local or off.");
  return {
    isWritten: values.write,
    options: {
      data: resolve(values.data ?? process.env["TESSERA_DATA"] ?? join(ROOT, "../shared/data")),
      sets: sets as readonly SetName[],
      only: values.only?.split(",") ?? [],
      sample: readNumber("sample", values.sample),
      hasVectors: values.vectors === "local",
      minutes: readNumber("minutes", values.minutes),
    },
  };
}
