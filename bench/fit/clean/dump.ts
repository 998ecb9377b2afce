import { writeFileSync, mkdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { readWcxb } from "../../quality/wcxb/data.ts";
import { readArticles, readSegments } from "../../quality/data.ts";
import { composePages } from "../../quality/structure/pages.ts";
import { parsePage, findElements, getText } from "#ingest/clean/dom.ts";
import { outlinePage } from "#ingest/clean/model/outline.ts";
import { alignWords, toWords } from "./labels.ts";
import { measurePage } from "#ingest/clean/measure/measure.ts";

const NOISE = new Set("script style template svg iframe object embed canvas noscript".split(" "));
export async function run(args: readonly string[]): Promise<void> {
  const only = args[0];
  mkdirSync("/tmp/m", { recursive: true });
  const data = "/work/shared/data";
  const sets: [string, () => Iterable<any>][] = [
    ["wcxb", () => readWcxb(data)!.pages],
    ["articles", () => readArticles(data)!],
    ["segments", () => readSegments(data)!],
    ["structure", () => composePages()],
  ];
  for (const [name, read] of sets) {
    if (only && only !== name) continue;
    const out: string[] = [];
    let n = 0;
    const t0 = Date.now();
    for (const page of read()) {
      const measure = measurePage(page.html);
      let doc;
      try { doc = parsePage(page.html); } catch (e) { console.log("skip", page.id, String(e)); continue; }
      const noscripts = [...doc.querySelectorAll("noscript")];
      const whole = noscripts.length === 0 ? 0 : getText(doc.documentElement).length;
      for (const el of noscripts) { const { length } = getText(el); if (length >= 250 && length * 2 > whole) for (const child of [...el.childNodes]) el.before(child); el.remove(); }
      for (const el of findElements(doc, NOISE)) el.remove();
      const { outline } = outlinePage(doc.body);
      const words = outline.blocks.map(({ text }) => toWords(text));
      let labels: number[] = [];
      let truth: string[] = [];
      if (page.truth !== undefined) {
        truth = toWords(page.truth);
        const flat = words.flat();
        const aligned = alignWords(flat, truth);
        let at = 0;
        labels = words.map((w) => { let c = 0; for (let i = 0; i < w.length; i++) c += aligned[at++]!; return w.length === 0 ? 0 : c / w.length; });
      } 
      const pageMeta = { titles: [measure.heading, measure.title, measure.meta.get("og:title") ?? null], description: measure.meta.get("og:description") ?? measure.meta.get("description") ?? null, ogType: measure.meta.get("og:type") ?? null, jsonLd: measure.jsonLd.map((x) => [...x.matchAll(/"@type"\s*:\s*"(\w+)"/g)].map((m) => m[1])).flat().slice(0, 60), scripts: measure.scripts, linear: measure.linear.length };
      out.push(JSON.stringify({ id: page.id, url: page.url, type: page.type ?? name, outline, labels, truth: page.truth, wanted: page.wanted, unwanted: page.unwanted, facts: page.content?.facts, boilerplate: page.boilerplate, layout: page.layout, meta: pageMeta }));
      if (++n % 100 === 0) console.log(name, n, Date.now() - t0);
    }
    writeFileSync(`/tmp/m/${name}.jsonl`, out.join("\n"));
    console.log(name, n, Date.now() - t0);
  }
}
