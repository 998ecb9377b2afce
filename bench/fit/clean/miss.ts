import { readFileSync } from "node:fs";
import { cleanPage } from "#ingest/clean/page.ts";
import { createModel } from "#ingest/clean/model/model.ts";
import { composePages } from "../../quality/structure/pages.ts";
import { scoreText } from "../../quality/structure/scores.ts";
import { getFold, getSite } from "./folds.ts";
export async function run([fold, file]: string[]) {
  const model = createModel(JSON.parse(readFileSync(file!, "utf8")));
  for (const p of composePages()) { if (getFold(getSite(p.url)) !== Number(fold)) continue; const s = scoreText(cleanPage(p, model).text, { ...p.content, boilerplate: p.boilerplate }); if (s.missing.length + s.included.length) console.log(p.id, "MISSING", JSON.stringify(s.missing), "INCLUDED", JSON.stringify(s.included).slice(0, 300)); }
}
