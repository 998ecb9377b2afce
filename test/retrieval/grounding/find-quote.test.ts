import { expect, test } from "vitest";
import { findQuote } from "#retrieval/grounding/find-quote.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { HOSTILE } from "../samples.ts";

const TEXT = "The harbour’s ferry – the “Gull” – departs\n at 6:40 every morning. Dogs travel free… on Sundays. Ask Dr. Ito.";
const cited = (quote: string, text = TEXT): string | null => {
  const span = findQuote(text, quote);
  return span === null ? null : text.slice(span.start, span.end);
};

test.each([
  ["exact words", "at 6:40 every morning", "at 6:40 every morning"],
  ["white space", "departs at   6:40 every\nmorning", "departs\n at 6:40 every morning"],
  ["quotation marks and dashes", `The harbour's ferry - the "Gull" - departs`, "The harbour’s ferry – the “Gull” – departs"],
  ["an ellipsis around it", "...the “Gull” – departs…", "the “Gull” – departs"],
  ["one ellipsis for three stops", "Dogs travel free... on Sundays", "Dogs travel free… on Sundays"],
  ["quotation marks around it", '"Dogs travel free… on Sundays."', "Dogs travel free… on Sundays."],
  ["the case of its first letter", "dogs travel free… on", "Dogs travel free… on"],
  ["the case of its first letter, the other way", "Departs at 6:40 every", "departs\n at 6:40 every"],
  ["punctuation after it", "departs at 6:40 every morning!", "departs\n at 6:40 every morning"],
  ["escaped quotation marks", 'ferry - the \\"Gull\\" - departs', "ferry – the “Gull” – departs"],
  ["a name", "Ito", "Ito"],
  ["a number", "6:40", "6:40"],
])("findQuote finds a quote with %s, and returns the original text", (_, quote, words) => {
  expect(cited(quote)).toBe(words);
});

test.each([
  ["other words", "departs at 7:40 every morning"],
  ["omitted words", "The harbour’s ferry departs at 6:40"],
  ["another case within the quote", "dogs Travel free… on"],
  ["part of a word", "ogs travel free… on"],
  ["a single stop word", "the"],
  ["two words in another case", "dogs travel"],
  ["part of a number", "6:4"],
  ["blanks", " \n "],
  ["punctuation only", "“…”"],
])("findQuote does not find %s", (_, quote) => {
  expect(findQuote(TEXT, quote)).toBeNull();
});

test("findQuote finds text in scripts without spaces, in both normal forms, ignoring soft hyphens", () => {
  expect(cited("因为防守很好", "为什么？因为防守很好。")).toBe("因为防守很好");
  expect(cited("การเมืองหลวง", "กรุงเทพเป็นเมืองหลวง")).toBeNull();
  expect(cited("cafe\u0301 opens at nine", "Our caf\u00e9 opens at nine.")).toBe("caf\u00e9 opens at nine");
  expect(cited("a long word here", "a long wo\u00adrd here.")).toBe("a long wo\u00adrd here");
});

test("findQuote never splits a surrogate pair", () => {
  const text = "one two three 😀😀 four";
  expect(cited("one two three \ud83d", text)).toBeNull();
  expect(cited("one two three 😀", text)).toBe("one two three 😀");
});

test.each(Object.entries(HOSTILE))("findQuote is fast for %s", (_, text) => {
  const took = measureCpuMs(() => {
    findQuote(text, `${text.slice(0, 900)}b`);
    findQuote(text, text.slice(-900).trim().slice(1));
  });
  expect(took).toBeLessThan(2_000);
});
