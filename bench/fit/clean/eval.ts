import { readFileSync, writeFileSync } from "node:fs";
import { cleanPage } from "#ingest/clean/page.ts";
import { createModel } from "#ingest/clean/model/model.ts";
import { readArticles, readSegments } from "../../quality/data.ts";
import { matchSegments, matchShingles, scorePages, scoreTotal } from "../../quality/scores.ts";
import { composePages } from "../../quality/structure/pages.ts";
import { scoreText, sumShares } from "../../quality/structure/scores.ts";
import { readWcxb } from "../../quality/wcxb/data.ts";
import { scoreWords } from "../../quality/wcxb/score.ts";
import { getFold } from "./fit-model.ts";
const getSite = (address: string): string => (URL.parse(address)?.hostname ?? address).split(".").slice(-2).join(".");
export async function run([fold, file]: string[]) {
  const model = file === undefined || file === "old" ? undefined : createModel(JSON.parse(readFileSync(file, "utf8")));
  const isIn = (p: { url: string }) => fold === "all" || getFold(getSite(p.url)) === Number(fold);
  const data = "/work/shared/data";
  const mean = (v: number[]) => (v.reduce((a, b) => a + b, 0) / Math.max(1, v.length)).toFixed(3);
  const by = new Map<string, number[]>();
  const out: any[] = [];
  const t0 = process.cpuUsage();
  let n = 0, worst = 0;
  let warned = 0;
  for (const p of readWcxb(data)!.pages) if (isIn(p)) { const t = process.cpuUsage(); const c = cleanPage(p, model); const u = process.cpuUsage(t); worst = Math.max(worst, u.user / 1000); n++; if (p.truth.length > 500 && c.warnings.length) warned++; const f = scoreWords(p.truth, c.text); out.push({ id: p.id, type: p.type, f1: f, text: c.text, truth: p.truth, url: p.url }); for (const k of ["all", p.type]) by.set(k, [...(by.get(k) ?? []), f]); }
  const cpu = process.cpuUsage(t0).user / 1000 / n;
  const a = scorePages(readArticles(data)!.filter(isIn).map((p) => matchShingles(p.truth, cleanPage(p, model).text)));
  const s = scoreTotal(readSegments(data)!.filter(isIn).map((p) => matchSegments(p.wanted, p.unwanted, cleanPage(p, model).text)));
  const st = composePages().filter(isIn).map((p) => scoreText(cleanPage(p, model).text, { ...p.content, boilerplate: p.boilerplate }));
  const share = (m: "facts" | "rows" | "boilerplate") => { const x = sumShares(st.map((y) => y[m])) as any; return `${x.part ?? x.found ?? JSON.stringify(x)}/${x.whole}`; };
  console.log(fold, file, [...by].map(([k, v]) => `${k} ${mean(v)}`).join(" "), "lost", (by.get("all")!.filter((x) => x < 0.3).length / n).toFixed(3), "warned", warned, "| art", a.f1.toFixed(4), a.precision.toFixed(3), a.recall.toFixed(3), "| seg", s.f1.toFixed(4), "| facts", share("facts"), "rows", share("rows"), "boiler", share("boilerplate"), "| ms", cpu.toFixed(0), worst.toFixed(0));
  writeFileSync("/tmp/m/eval.json", JSON.stringify(out));
}
