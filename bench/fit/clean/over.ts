import { cleanPage } from "#ingest/clean/page.ts";
import { readArticles } from "../../quality/data.ts";
const n = (t: string) => t.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
export async function run() {
  for (const page of readArticles("/work/shared/data")!) {
    const text = cleanPage(page).text;
    const truth = n(page.truth);
    const extra = text.split("\n").filter((l) => n(l) !== "" && !truth.includes(n(l)));
    const lines = new Set(text.split("\n").map(n));
    const whole = n(text);
    const missing = page.truth.split("\n").filter((l) => n(l) !== "" && !whole.includes(n(l)));
    void lines;
    if (extra.join("").length > 40 || missing.join("").length > 40) console.log("==", page.id.slice(0, 6), page.url.slice(0, 90), "\n", extra.slice(0, 9).map((x) => `  + ${x.slice(0, 140)}`).join("\n"), "\n", missing.slice(0, 5).map((x) => `  - ${x.slice(0, 140)}`).join("\n"));
  }
}
