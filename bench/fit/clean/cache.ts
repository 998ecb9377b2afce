import { existsSync, mkdirSync, readFileSync, writeFileSync, readdirSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { type Example, readExamples, readStructures } from "./examples.ts";
export function cached(): Example[] {
  const dir = "/tmp/n/ex";
  if (!existsSync(dir)) {
    mkdirSync(dir);
    let part: any[] = []; let n = 0;
    const flush = () => { writeFileSync(`${dir}/${String(n++).padStart(3, "0")}`, serialize(part)); part = []; };
    for (const e of readExamples("/work/shared/data")) { part.push({ ...e, page: { id: e.page.id, url: e.page.url, html: "" } }); if (part.length === 200) flush(); }
    flush();
    writeFileSync(`${dir}/done`, "");
  }
  const old = readdirSync(dir).filter((f) => f !== "done").sort().flatMap((f) => deserialize(readFileSync(`${dir}/${f}`)) as Example[]).filter((e) => e.set !== "structure");
  return [...old.map((e) => ({ ...e, weights: e.weights.map((w) => w * ({ wcxb: 1, articles: 3, segments: 3, structure: 2 })[e.set]) })), ...readStructures()];
}
