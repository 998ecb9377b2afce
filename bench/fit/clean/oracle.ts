import { readFileSync } from "node:fs";
import { scoreWords } from "../../quality/wcxb/score.ts";
export async function run() {
  for (const set of ["wcxb", "articles"]) {
    const by = new Map<string, number[][]>();
    let blocks = 0;
    for (const line of readFileSync(`/tmp/m/${set}.jsonl`, "utf8").split("\n")) {
      const p = JSON.parse(line);
      blocks += p.outline.blocks.length;
      const text = p.outline.blocks.filter((_: unknown, i: number) => p.labels[i] >= 0.5).map((b: any) => b.text).join("\n");
      const f = scoreWords(p.truth, text);
      const all = scoreWords(p.truth, p.outline.blocks.map((b: any) => b.text).join("\n"));
      for (const k of ["all", p.type]) { const l = by.get(k) ?? []; l.push([f, all]); by.set(k, l); }
    }
    console.log(set, blocks);
    for (const [k, l] of by) console.log(k, l.length, (l.reduce((s, [f]) => s + f!, 0) / l.length).toFixed(4), (l.reduce((s, [, f]) => s + f!, 0) / l.length).toFixed(4), "lost", l.filter(([f]) => f! < 0.3).length, "<.8", l.filter(([f]) => f! < 0.8).length);
  }
}
