import { existsSync, mkdirSync, readFileSync, writeFileSync, readdirSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { type Example, readExamples } from "./examples.ts";
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
  return readdirSync(dir).filter((f) => f !== "done").sort().flatMap((f) => deserialize(readFileSync(`${dir}/${f}`)) as Example[]).map((e) => ({ ...e, weights: e.weights.map((w) => w * ({ wcxb: 1, articles: 1.5, segments: 2, structure: 2 })[e.set]) }));
}
