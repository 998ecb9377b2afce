import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createModel } from "#ingest/clean/model/model.ts";
import { formatDecimal } from "../../output/numbers.ts";
import { formatText } from "../../output/table.ts";
import { ROOT } from "../../context.ts";
import { CROSS_VALIDATED_FILE, type CrossValidated } from "../../quality/cross-validated.ts";
import { readExamples } from "./examples.ts";
import { fitModel } from "./fit-model.ts";
import { FOLDS, isOutside } from "./folds.ts";
import { measurePages, type Outcome, summarise } from "./measure.ts";
import { runParts } from "./parts.ts";
import { readSets } from "./sets.ts";

const MODEL_FILE = join(ROOT, "src/ingest/clean/model/content-model.json");
const ALL = "all";
/** A greater difference between pages that a model was fitted to and others shows that it learned the pages by heart. */
const MAX_DIFFERENCE = 0.01;

/**
 * `npm run fit -- clean [--data DIR] [--write]`: fits the model of page content without each fold of sites, measures it on that fold, and
 * then fits it to all pages. Prints the cross-validated figures first; `--write` changes the model and the figures that
 * `npm run bench:quality` prints. With `--part N`, fits only one fold, or `all`, in this process, and writes outcomes and model to `--out`.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: "string" }, write: { type: "boolean", default: false }, part: { type: "string" }, out: { type: "string" } },
  });
  const given = values.data ?? process.env["TESSERA_DATA"];
  if (given === undefined) throw new Error("Pass the folder of the evaluation data with --data or TESSERA_DATA.");
  const data = resolve(given);
  if (values.part !== undefined) return fitPart(data, values.part, values.out ?? ".");
  // What is missing is said now, and not after minutes.
  readSets(data);
  const folder = mkdtempSync(join(tmpdir(), "tessera-fit-"));
  try {
    const parts = [...Array.from({ length: FOLDS }, (_, fold) => String(fold)), ALL];
    await runParts(parts, ["--data", data, "--out", folder], (part) => (part === ALL ? "All pages" : `All folds but ${part}`));
    report(folder, values.write);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fitPart(data: string, part: string, folder: string): void {
  const examples = [...readExamples(data, (page) => part === ALL || isOutside(page, Number(part)))];
  const model = fitModel(examples);
  writeFileSync(join(folder, `model-${part}.json`), `${JSON.stringify(model)}\n`);
  const outcomes = measurePages(data, createModel(model), part === ALL ? undefined : Number(part));
  writeFileSync(join(folder, `outcomes-${part}.json`), JSON.stringify(outcomes));
}

function report(folder: string, isWritten: boolean): void {
  const read = (part: string): Outcome[] => JSON.parse(readFileSync(join(folder, `outcomes-${part}.json`), "utf8")) as Outcome[];
  const unseen = summarise(Array.from({ length: FOLDS }, (_, fold) => read(String(fold))).flat());
  const fitted = summarise(read(ALL));
  const rows = [...unseen].map(([name, value]) => {
    const other = fitted.get(name) ?? Number.NaN;
    return [name, formatDecimal(value, 4), formatDecimal(other, 4), Math.abs(other - value) > MAX_DIFFERENCE ? "differs" : ""];
  });
  const table = {
    title: "Page content",
    note: `Cross-validated over sites in ${FOLDS} folds; fitted: on the pages that the model was fitted to.`,
    columns: ["", "cross-validated", "fitted", ""],
    rows,
  };
  process.stdout.write(`${formatText({ figures: [], sections: [table] })}\n`);
  if (!isWritten) return void process.stdout.write("Nothing was written. Repeat with --write to change the model.\n");
  const figures: CrossValidated = Object.fromEntries([...unseen].map(([name, value]) => [name, Number(value.toFixed(4))]));
  writeFileSync(CROSS_VALIDATED_FILE, `${JSON.stringify(figures, null, 2)}\n`);
  writeFileSync(MODEL_FILE, readFileSync(join(folder, `model-${ALL}.json`)));
  process.stdout.write("Changed the model. Run npm run bench:quality.\n");
}
