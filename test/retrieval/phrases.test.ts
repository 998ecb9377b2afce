import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findPhrase } from "#retrieval/search/parse.ts";
import { measureCpuMs } from "../support/cpu-time.ts";

it("a phrase is found where its words are adjacent, starting at an index", () => {
  const word = fc.constantFrom("a", "b");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(word, { minLength: 1, maxLength: 5 }), fc.nat(30), (words, phrase, from) => {
      const expected = words.findIndex((_, at) => at >= from && phrase.every((each, i) => words[at + i] === each));
      expect(findPhrase(words, phrase, from)).toBe(expected);
    }),
  );
});

it("finding a phrase takes linear time if phrase and text repeat the same word", () => {
  const words = Array.from({ length: 300_000 }, () => "zz");
  const phrase = [...Array.from({ length: 1_300 }, () => "zz"), "yy"];
  // Comparing at each position would take 390 million comparisons, several seconds.
  expect(measureCpuMs(() => expect(findPhrase(words, phrase, 0)).toBe(-1))).toBeLessThan(500);
});
