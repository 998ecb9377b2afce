import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { isStopWord } from "#retrieval/text/language/stop-words.ts";
import { STEMMED_LANGUAGES } from "#retrieval/text/language/stem.ts";
import { getPrefix, buildPrefixFilter } from "#retrieval/text/prefixes.ts";
import { tokenise, tokeniseMatching } from "#retrieval/text/tokenise.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { HOSTILE, LANGUAGES, PROSE } from "../samples.ts";

/** The index terms of a question's words in its first language, with repeats. */
const queryTerms = (question: string): string[] => parseQuestion(question).words.flatMap(({ forms, count }) => Array(count).fill(forms[0]));

it("terms are folded and stemmed, so that spellings of a word match", () => {
  expect(tokenise("Cafés CAFE café ｃａｆé")).toEqual(["cafe", "cafe", "cafe", "cafe"]);
  expect(tokenise("running runs")).toEqual(["run", "run"]);
  expect(tokenise("Straße STRASSE İstanbul istanbul Ærø")).toEqual(tokenise("strasse strasse istanbul istanbul aero"));
  expect(tokenise("infor\u00admation")).toEqual(tokenise("information"));
});
it("terms keep numbers and split at apostrophes and punctuation", () => {
  expect(tokenise("don't 3.14 COVID-19 half: ½")).toEqual(["don", "t", "3", "14", "covid", "19", "half", "1", "2"]);
});
it("terms keep the vowel signs of Hindi and drop the vowel marks of Arabic", () => {
  expect(tokenise("राजधानी")).toEqual(["राजधान"]);
  expect(tokenise("كَتَبَ")).toEqual(tokenise("كتب"));
});
it("terms of scripts without spaces are words, and of Han single characters too", () => {
  expect(tokenise("排名第六")).toContain("排");
  expect(tokenise("กรุงเทพเป็นเมืองหลวง").length).toBeGreaterThan(2);
  expect(tokenise("東京は日本の首都です")).toEqual(expect.arrayContaining(["東京", "日本", "首都"]));
  expect(tokenise("𠮷野家")).toContain("𠮷");
});
it("terms find a Chinese word at any position", () => {
  for (const term of tokenise("防守")) expect(tokenise(LANGUAGES.Chinese)).toContain(term);
});
it("terms are at most 64 code units", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => tokenise(text).every((term) => term.length <= 64 && term !== "")),
  );
});
it("terms are the same every time, whatever was tokenised before", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (text) => {
      const first = tokenise(text);
      tokenise(PROSE);
      expect(tokenise(text)).toEqual(first);
    }),
  );
});
it("terms of English text are produced at several megabytes a second", () => {
  const text = PROSE.repeat(5_000);
  tokenise(text);
  expect(measureCpuMs(() => tokenise(text))).toBeLessThan(1_000);
});
it.each(Object.entries(HOSTILE))("terms of %s are produced in reasonable time", (_, text) => {
  expect(measureCpuMs(() => tokenise(text))).toBeLessThan(10_000);
});

const letters = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789ISTUYxyé½ßА漢ไ\u0301\u00ad");
const word = fc.oneof(
  fc.string({ unit: letters, minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    "ies",
    "ing",
    "Y",
    "yy",
    "ay",
    "oy",
    "s",
    "ss",
    "I",
    "Eed",
    "ieing",
    "the",
    "Über",
    "a".repeat(80),
    "1st",
    "ge",
    "IJs",
    "b½c",
    "½",
  ),
);
const ends = ["", "s", "es", "ed", "ing", "ies", "ly", "ation", "en", "er", "e", "ement", "heid", "erna", "lar", "mente", "azione", "ului"];
const text = fc.array(fc.tuple(word, fc.constantFrom(...ends), fc.constantFrom(" ", " ", ", ", "-", "“")), { maxLength: 12 });

it.each(["en", "ja", ...STEMMED_LANGUAGES])("tokenising for given terms keeps positions and finds all given terms in %s", (language) => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const passage = one.map((parts) => parts.join("")).join("");
      const sought = new Set([
        ...tokenise(other.map((parts) => parts.join("")).join(""), language),
        ...tokenise(passage, language).filter((_, at) => at % 3 === 0),
      ]);
      const beginnings = new Set([...sought].map(getPrefix));
      const all = tokenise(passage, language);
      const found = tokeniseMatching(buildPrefixFilter(sought), passage, language);
      expect(found.length).toBe(all.length);
      for (const [at, term] of all.entries()) {
        if (found[at] !== null) expect(found[at]).toBe(term);
        else expect([sought.has(term), beginnings.has(getPrefix(term))], term).toEqual([false, false]);
      }
    }),
    { numRuns: 400 },
  );
});

it("tokenising for given terms works if the stemmer removes a whole word", () => {
  expect(tokeniseMatching(buildPrefixFilter(tokenise("dine", "tr")), "leri Bu dine inan", "tr")).toEqual(["bu", "t", "ina"]);
});

it("tokenising for given terms returns no other terms", () => {
  const found = tokeniseMatching(buildPrefixFilter(["whale"]), "Whales sing; a who wept, White whaling ends.");
  expect(found).toEqual(["whale", null, "a", "who", null, "white", "whale", null]);
});

it("the terms of a question exclude stop words of its language", () => {
  expect(queryTerms("What is the capital of France?")).toEqual(["capit", "franc"]);
  expect(queryTerms("Wie heißt die Hauptstadt von Frankreich")).not.toContain("von");
  expect(isStopWord("the")).toBe(true);
});
it("the terms of a question are the stop words if there is nothing else", () => {
  expect(queryTerms("to be or not to be")).toEqual(["to", "to", "be", "be", "or", "not"]);
});
it("the terms of a question have no punctuation, and operators are ordinary words", () => {
  expect(queryTerms('"*" -- ^() : ;')).toEqual([]);
  expect(queryTerms('cat NEAR dog* -bird "x')).toEqual(["cat", "near", "dog", "bird", "x"]);
});
it("the terms of a question are limited", () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `w${n}`).join(" ");
  expect(new Set(queryTerms(many)).size).toBe(128);
});
