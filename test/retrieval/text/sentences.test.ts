import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_ANALYSIS, findEntries, iterateTerms } from "#domain/answers/analysis.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { PREFIX_MARK } from "#retrieval/text/prefixes.ts";
import { chunkText } from "#retrieval/text/chunk.ts";
import { splitSentences } from "#retrieval/text/sentences.ts";
import type { Span } from "#retrieval/text/spans.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { HOSTILE, LANGUAGES, partsPair, PROSE } from "../samples.ts";

const listSentences = (text: string): string[] => splitSentences(text).map(({ start, end }) => text.slice(start, end));

/** Checks spans: in order, disjoint, trimmed, never inside a surrogate pair, and only white space between them. */
function expectFullCoverage(text: string, spans: readonly Span[]): void {
  let at = 0;
  for (const { start, end } of spans) {
    expect(start).toBeGreaterThanOrEqual(at);
    expect(end).toBeGreaterThan(start);
    expect(text.slice(at, start).trim()).toBe("");
    expect(text.slice(start, end).trim().length).toBe(end - start);
    expect(partsPair(text, start) || partsPair(text, end)).toBe(false);
    at = end;
  }
  expect(text.slice(at).trim()).toBe("");
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 3_000 }),
  fc
    .array(fc.constantFrom("Word", "a", ". ", "! ", " ", "\n", "\n\n", "。", "😀", "Mr.", "3.5", "x".repeat(700), "\0"), { maxLength: 300 })
    .map((parts) => parts.join("")),
);

describe("sentences", () => {
  it("sentences do not end at ordinal numbers", () => {
    const ordinals = [
      "Die Maschine im 2. Stock muss freitags entkalkt werden.",
      "Es war der 3. Versuch am 12. Mai.",
      "Han bor på den 4. Sal.",
    ];
    for (const text of ordinals) expect(listSentences(text)).toEqual([text]);
    expect(listSentences("Wir zahlen 20. Der Rest folgt am 12. Die Frist endet.")).toEqual([
      "Wir zahlen 20.",
      "Der Rest folgt am 12.",
      "Die Frist endet.",
    ]);
  });

  it("sentences end at punctuation, but not at abbreviations, initials or decimals", () => {
    expect(listSentences(LANGUAGES.English)).toEqual([
      "Dr. Smith moved to the U.S. in 1990.",
      "He paid $3.50 for coffee!",
      "Was it worth it?",
      "“Yes.”",
      "It was.",
    ]);
    expect(listSentences("J. R. R. Tolkien wrote it. See No. 5 and Fig. 2, e.g. Mr. X. He said no. Then he left.")).toEqual([
      "J. R. R. Tolkien wrote it.",
      "See No. 5 and Fig. 2, e.g. Mr. X. He said no.",
      "Then he left.",
    ]);
    expect(listSentences("He lives in the U.S. The house is big.")).toHaveLength(2);
  });
  it("sentences end at the punctuation of each script", () => {
    expect(listSentences(LANGUAGES.German)).toHaveLength(3);
    expect(listSentences(LANGUAGES.Chinese)).toHaveLength(4);
    expect(listSentences(LANGUAGES.Japanese).slice(0, 2)).toEqual(["東京は日本の首都です。", "人口は約1400万人である。"]);
    expect(listSentences(LANGUAGES.Arabic)).toHaveLength(3);
    expect(listSentences(LANGUAGES.Hindi)).toHaveLength(3);
  });
  it("sentences end at headings and list items, but not at wrapped lines", () => {
    expect(listSentences("Heading\n- one\n- two\n1. three")).toEqual(["Heading", "- one", "- two", "1. three"]);
    expect(listSentences("A line that is long enough to have been wrapped by something\nand goes on here.")).toHaveLength(1);
  });
  it("sentences are at most 600 code units", () => {
    fc.assert(fc.property(anyText, (text) => splitSentences(text).every(({ start, end }) => end - start <= 600)));
  });
  it("sentences cover all of any text", () => {
    fc.assert(fc.property(anyText, (text) => expectFullCoverage(text, splitSentences(text))));
  });
});

describe("chunks", () => {
  it("chunks cover all of any text and have at most 1,400 code units", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const chunks = chunkText(text);
        expectFullCoverage(text, chunks);
        expect(chunks.every(({ start, end }) => end - start <= 1_400)).toBe(true);
      }),
    );
  });
  it("a short text is one chunk, and an empty one has none", () => {
    expect(chunkText("Short.")).toEqual([{ start: 0, end: 6 }]);
    expect(chunkText("")).toEqual([]);
    expect(chunkText(" \n\t ")).toEqual([]);
  });
  it("chunks of prose are 500 to 1,200 code units and keep paragraphs together", () => {
    const text = PROSE.repeat(40).trim();
    for (const { start, end } of chunkText(text).slice(0, -1)) {
      expect(end - start).toBeGreaterThan(500);
      expect(end - start).toBeLessThanOrEqual(1_200);
      expect(text.slice(end, end + 2)).toBe("\n\n");
    }
  });
});

describe("analyses", () => {
  it("an analysis counts the terms of the title in every passage", () => {
    const { chunks, terms } = analyse({ title: "Zebra", text: PROSE.repeat(20) });
    expect(chunks.length).toBeGreaterThan(2);
    expect(findEntries(terms, "zebra").map(({ chunk }) => chunk)).toEqual(chunks.map((_, chunk) => chunk));
  });
  it("an analysis has lengths that equal the sum of its term frequencies, without prefixes", () => {
    const { chunks, terms } = analyse({ title: "A title", text: PROSE.repeat(20) });
    const sums = chunks.map(() => 0);
    const words = [...iterateTerms(terms)].filter((term) => !term.startsWith(PREFIX_MARK));
    for (const word of words) for (const { chunk, frequency } of findEntries(terms, word)) sums[chunk] = (sums[chunk] ?? 0) + frequency;
    expect(chunks.map(({ length }) => length)).toEqual(sums);
  });
  it("an analysis of a tile without text has no passage", () => {
    expect(analyse({ title: "Title", text: "" })).toEqual(EMPTY_ANALYSIS);
  });
  it.each(Object.entries(HOSTILE))("an analysis of %s takes reasonable time", (_, text) => {
    const took = measureCpuMs(() => {
      const { chunks } = analyse({ title: "hostile", text });
      expect(chunks.every(({ start, end }) => !partsPair(text, start) && !partsPair(text, end))).toBe(true);
    });
    expect(took).toBeLessThan(10_000);
  });
});
