import { describe, expect, it } from "vitest";
import type { Analyser } from "#domain/answers/search.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { createAnalyser } from "#composition/analyser.ts";

describe("analysing many texts", () => {
  it("runs in a thread in batches within its memory, and returns only the requested terms", async () => {
    const batches: number[] = [];
    const threads: Analyser = {
      analyse: async (items, only) => {
        batches.push(items.reduce((sum, { text }) => sum + text.length, 0));
        return items.map(({ title, text }) => analyse(title, text, { only }));
      },
    };
    const items = Array.from({ length: 30 }, (_, n) => ({ title: `t${n}`, text: "harbour gate opens at six. ".repeat(2_000) }));
    const analyses = await createAnalyser(threads).analyse(items, new Set(["gate"]));
    expect(analyses).toHaveLength(30);
    expect(batches.length).toBeGreaterThan(1);
    for (const size of batches) expect(size).toBeLessThanOrEqual(500_000);
    for (const { terms, chunks } of analyses) {
      expect([...terms.keys()]).toEqual(["gate"]);
      expect(chunks.length).toBeGreaterThan(10);
    }
  });
});
