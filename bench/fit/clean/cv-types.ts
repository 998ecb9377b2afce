import { findFacts } from "#ingest/clean/model/features/facts.ts";
import { listTypeTokens, PAGE_TYPES, estimateTypes, type PageType } from "#ingest/clean/type/page-type.ts";
import { cached } from "./cache.ts";
import { getFold } from "./folds.ts";
import { fitTypes, type TypedPage } from "./fit-types.ts";
export async function run() {
  const pages: TypedPage[] = [];
  for (const e of cached()) {
    if (e.set !== "wcxb") break;
    const type = e.type!;
    pages.push({ type, site: e.site, tokens: listTypeTokens(findFacts(e.outline, e.hints, () => 0)) });
  }
  let right = 0; const conf = new Map<string, number>();
  for (let f = 0; f < 5; f++) {
    const data = fitTypes(pages.filter((p) => getFold(p.site) !== f));
    if (f === 0) console.log("size", JSON.stringify(data).length, Object.keys(data).length);
    for (const p of pages) if (getFold(p.site) === f) { const s = estimateTypes(data, p.tokens); const t = PAGE_TYPES[s.indexOf(Math.max(...s))]!; if (t === p.type) right++; conf.set(`${p.type}>${t}`, (conf.get(`${p.type}>${t}`) ?? 0) + 1); }
  }
  console.log("accuracy", right / pages.length);
  for (const a of PAGE_TYPES) console.log(a.padEnd(14), PAGE_TYPES.map((b) => String(conf.get(`${a}>${b}`) ?? 0).padStart(5)).join(""));
}
