import * as fc from "fast-check";
import { expect, it } from "vitest";
import { rankBm25, weightTerms } from "#retrieval/lexical/bm25.ts";
import { measureCpuMs } from "../support/cpu-time.ts";

const posting = (document: number, frequency: number, length = 10) => ({ document, frequency, length });

it("ranking is BM25, best first, ties by document", () => {
  const postings = new Map([["a", [posting(7, 1), posting(3, 1), posting(5, 4)]]]);
  const statistics = { documents: 200, totalLength: 2_000, nextDocument: 201 };
  const ranked = rankBm25(weightTerms(["a", "missing"], postings, statistics), statistics);
  expect(ranked.map(({ document }) => document)).toEqual([5, 3, 7]);
  expect(ranked[1]?.score).toBeCloseTo(Math.log(1 + 197.5 / 3.5), 10);
  expect(ranked[0]?.coverage).toBeCloseTo(Math.log(1 + 197.5 / 3.5) / (Math.log(1 + 197.5 / 3.5) + Math.log(1 + 200.5 / 0.5)), 10);
});
it("ranking is the same for dense and sparse ids, limited and unlimited", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 5 })), { selector: ([id]) => id, maxLength: 60 }),
      fc.nat(20),
      (rows, limit) => {
        const statistics = { documents: 600, totalLength: 6_000, nextDocument: 601 };
        const rank = (scale: number, options = {}) => {
          const postings = new Map([["a", rows.map(([id, frequency]) => posting(id * scale, frequency))]]);
          return rankBm25(weightTerms(["a"], postings, statistics), statistics, options).map(({ document, score }) => ({
            document: document / scale,
            score,
          }));
        };
        const whole = rank(1);
        expect(rank(1_000_000_007)).toEqual(whole);
        expect(rank(1, { limit })).toEqual(whole.slice(0, limit));
        expect(whole).toEqual(whole.toSorted((x, y) => y.score - x.score || x.document - y.document));
      },
    ),
  );
});
it("ranking of 50,000 documents is fast", () => {
  const terms = Array.from({ length: 10 }, (_, n) => `t${n}`);
  const postings = new Map(
    terms.map((term, n) => [term, Array.from({ length: 50_000 }, (_, id) => posting(id, 1 + ((id * (n + 3)) % 7)))]),
  );
  const statistics = { documents: 50_000, totalLength: 500_000, nextDocument: 50_001 };
  const rank = () => rankBm25(weightTerms(terms, postings, statistics), statistics, { limit: 50 });
  expect(measureCpuMs(() => expect(rank()).toHaveLength(50))).toBeLessThan(1_000);
});
