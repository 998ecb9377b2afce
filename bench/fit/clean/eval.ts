import { readFileSync, writeFileSync } from "node:fs";
import { createModel } from "#ingest/clean/model/model.ts";
import { measurePages, summarise } from "./measure.ts";
export async function run([fold = "all", file = "", out = "/tmp/n/eval.json"]: string[]) {
  const model = createModel(JSON.parse(readFileSync(file, "utf8")));
  const t = process.cpuUsage();
  const outcomes = measurePages("/work/shared/data", model, fold === "all" ? undefined : Number(fold));
  console.log(fold, file, [...summarise(outcomes)].map(([k, v]) => `${k.replace("WCXB, ", "")} ${v.toFixed(4)}`).join(" | "), ((process.cpuUsage(t).user) / 1000 / outcomes.length).toFixed(0), "ms");
  writeFileSync(out, JSON.stringify(outcomes));
}
