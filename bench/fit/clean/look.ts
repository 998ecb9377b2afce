import { readFileSync } from "node:fs";
import { load } from "./explore.ts";
export async function run([set, id, mode]: string[]) {
  const pred = JSON.parse(readFileSync("/tmp/m/pred.json", "utf8")) as any[];
  if (id === undefined || id === "list") {
    for (const x of pred.filter((x) => x.set === set && x.f1 !== null && (mode === undefined || x.type === mode)).sort((a, b) => a.f1 - b.f1).slice(0, 45)) console.log(x.id, x.type, x.f1.toFixed(3), x.p.length);
    return;
  }
  const page = load([set!]).find((p) => p.id.startsWith(id))!;
  const x = pred.find((x) => x.set === set && x.id === page.id);
  console.log(page.url, x.f1);
  page.outline.blocks.forEach((b, i) => { const e = page.outline.elements[b.element]!; const wrong = page.known[i] && (page.labels[i]! >= 0.5) !== (x.p[i] >= 0.45); if (mode === "all" || wrong) console.log(i, page.known[i] ? page.labels[i]!.toFixed(1) : "?", x.p[i].toFixed(2), e.tag, e.names.slice(0, 3).join("."), "|", b.text.slice(0, 110)); });
}
