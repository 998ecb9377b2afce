import { expect, it } from "vitest";
import { measureAnalysis } from "#domain/answers/analysis.ts";
import { AnalysisCache } from "#composition/analysis/analysis-cache.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { BUSINESS, PROSE } from "./analyser-samples.ts";

const analysis = analyse({ title: "T", text: PROSE.repeat(100) });
const size = measureAnalysis(analysis) + 512;
const createAnalysed = (tileId: string, businessId: string) => ({
  tile: { businessId, boardId: "brd_1", tileId, version: 1 },
  parts: [analysis],
});

it("the cache of analyses is bounded in bytes, for each business and in total", () => {
  const cache = new AnalysisCache({ maxBytes: 6 * size, maxBusinessBytes: 3 * size });
  const quiet = createAnalysed("quiet", "biz_quiet");
  cache.set(quiet);
  for (let n = 0; n < 20; n++) cache.set(createAnalysed(`t${n}`, "biz_busy"));
  expect(cache.bytes).toBe(4 * size);
  expect(cache.get(quiet.tile)).toBe(quiet);
  expect(cache.get(createAnalysed("t19", "biz_busy").tile)).toBeDefined();
  expect(cache.get(createAnalysed("t3", "biz_busy").tile)).toBeUndefined();
  for (let n = 0; n < 20; n++) cache.set(createAnalysed(`o${n}`, `biz_${n}`));
  expect(cache.bytes).toBeLessThanOrEqual(6 * size);
});

it("the cache of analyses does not keep what exceeds the share of a business", () => {
  const cache = new AnalysisCache({ maxBytes: 6 * size, maxBusinessBytes: size - 1 });
  cache.set(createAnalysed("large", BUSINESS));
  expect(cache.bytes).toBe(0);
});
