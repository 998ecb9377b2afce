import { readFileSync, writeFileSync } from "node:fs";
import { cached } from "./cache.ts";
import { fitModel } from "./fit-model.ts";
import { getFold } from "./folds.ts";
export async function run([out = "/tmp/m/model", ...folds]: string[]) {
  const t0 = Date.now();
  const log = (line: string) => console.log(((Date.now() - t0) / 1000).toFixed(0), line);
  const examples = cached();
  log(`read ${examples.length}`);
  for (const fold of folds) {
    const model = fitModel(fold === "all" ? examples : examples.filter(({ site }) => getFold(site) !== Number(fold)), log);
    const text = JSON.stringify(model);
    writeFileSync(`${out}-${fold}.json`, text);
    log(`written ${text.length}`);
  }
  void readFileSync;
}
