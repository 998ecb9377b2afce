import { readFileSync } from "node:fs";
import { parsePage } from "#ingest/clean/dom.ts";
import { LinkedData } from "#ingest/clean/embedded/linked-data.ts";
import { readPreloaded } from "#ingest/clean/embedded/preloaded.ts";
import { measurePage } from "#ingest/clean/measure/measure.ts";
import { readMetadata } from "#ingest/clean/metadata/metadata.ts";
import { createModel } from "#ingest/clean/model/model.ts";
import { readHints } from "#ingest/clean/model/hints.ts";
import { outlinePage } from "#ingest/clean/model/outline.ts";
import { selectBlocks } from "#ingest/clean/model/select.ts";
import { removeUnreadable } from "#ingest/clean/prune/remove-unreadable.ts";
import { readArticles, readSegments } from "../../quality/data.ts";
import { composePages } from "../../quality/structure/pages.ts";
import { readWcxb } from "../../quality/wcxb/data.ts";
import { alignWords, listWords } from "./align.ts";
export async function run([set, id, file]: string[]) {
  const data = "/work/shared/data";
  const all: any[] = set === "a" ? [...readArticles(data)!] : set === "s" ? [...readSegments(data)!] : set === "t" ? [...composePages()] : [...readWcxb(data)!.pages];
  const page = all.find((p) => p.id.startsWith(id!));
  const model = createModel(JSON.parse(readFileSync(file!, "utf8")));
  const measure = measurePage(page.html);
  const linked = new LinkedData(measure.jsonLd, readPreloaded(measure.preloaded));
  const hints = readHints(measure, readMetadata(measure, linked, page.url), page.url);
  const doc = parsePage(page.html); removeUnreadable(doc);
  const { outline } = outlinePage(doc.body);
  const { type, probabilities } = model(outline, hints);
  const kept = selectBlocks(outline, probabilities);
  const words = outline.blocks.map((b) => listWords(b.text));
  const truth = page.truth !== undefined ? alignWords(words.flat(), listWords(page.truth)) : new Uint8Array(words.flat().length);
  console.log(page.url, type, page.type ?? "");
  let at = 0;
  for (const [i, b] of outline.blocks.entries()) {
    const n = words[i]!.length; const c = truth.subarray(at, at + n).reduce((s, x) => s + x, 0); at += n;
    const e = outline.elements[b.element]!;
    console.log(kept[i] ? "K" : "-", probabilities[i]!.toFixed(2), (n ? c / n : 0).toFixed(1), e.tag, e.isHidden ? "H" : "", JSON.stringify(b.text.slice(0, 100)), b.text.length);
  }
}
