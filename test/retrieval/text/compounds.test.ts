import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findCompounds } from "#retrieval/text/compounds.ts";
import { tokeniseCompounds, tokenise } from "#retrieval/text/tokenise.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";

const halves = (text: string): string[] => findCompounds(text).map(({ first, second }) => `${first}|${second}`);

it("hyphenated words are found with their position, for any of three hyphens", () => {
  const text = "An e-mail on Wi\u2010Fi, Bcl\u20112 and Größen-Wahn.";
  expect(halves(text)).toEqual(["e|mail", "Wi|Fi", "Bcl|2", "Größen|Wahn"]);
  for (const { first, second, start, end } of findCompounds(text)) {
    const word = text.slice(start, end);
    expect([word.slice(0, first.length), word.slice(first.length + 1)]).toEqual([first, second]);
  }
});
it("hyphenated words exclude chains, numbers, dashes and very long words", () => {
  expect(halves("state-of-the-art 2024-01-31 10-12 a - b -x y- --z -")).toEqual([]);
  expect(halves(`${"x".repeat(25)}-y z-${"x".repeat(25)} ${"x".repeat(24)}-${"y".repeat(24)}`)).toHaveLength(1);
});
it("hyphenated words yield the terms of the word without the hyphen", () => {
  expect(tokeniseCompounds("His e-mails on Wi-Fi")).toEqual(tokenise("emails wifi"));
  expect(tokeniseCompounds("no such words")).toEqual([]);
});
it("hyphenated words are found in linear time, with verbatim halves", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "1", "-", "\u2011", " ", "é", "中", "\ud800"), maxLength: 80 }), (text) =>
      findCompounds(text).every(({ first, second, start, end }) => {
        const word = text.slice(start, end);
        return word.startsWith(first) && word.endsWith(second) && word.length === first.length + second.length + 1;
      }),
    ),
  );
  for (const hostile of ["-".repeat(1_000_000), "a-".repeat(500_000), "a".repeat(1_000_000), "ab-cd ".repeat(160_000)])
    expect(measureCpuMs(() => findCompounds(hostile))).toBeLessThan(3_000);
});
