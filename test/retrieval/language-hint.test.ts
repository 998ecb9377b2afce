import { expect, it } from "vitest";
import { iterateTerms } from "#domain/answers/analysis.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { weightQuestion } from "#retrieval/lexical/weight-question.ts";
import { STEMMED_LANGUAGES, toStemmedLanguage } from "#retrieval/text/language/stem.ts";
import { matchPassage } from "#retrieval/rerank/match-passage.ts";

/** German without function words, so its language is not detected. */
const TEXT = "Städte, Wälder, Häuser";
const listTerms = (languageHint: string | null = null): string[] => [
  ...iterateTerms(analyse({ title: "", text: TEXT, languageHint }).terms),
];

it("the language hint of a tile replaces the detected language when terms are stemmed", () => {
  expect(listTerms()).not.toContain("haus");
  expect(listTerms("de")).toEqual(expect.arrayContaining(["stadt", "wald", "haus"]));
  expect(listTerms("de-AT")).toEqual(listTerms("de"));
  const german = "Die Häuser der Städte sind nicht in den Wäldern und auch nicht bei den Seen.";
  expect(analyse({ title: "", text: german, languageHint: "en" })).not.toEqual(analyse({ title: "", text: german }));
  expect(analyse({ title: "", text: german, languageHint: "de" })).toEqual(analyse({ title: "", text: german }));
});

it("the language hint of a tile is ignored for a language without a stemmer, whose text is stemmed as English", () => {
  expect(listTerms("fi")).toEqual(listTerms("en"));
  expect(listTerms(null)).toEqual(listTerms("en"));
});

it("the language hint of a tile of a language without a stemmer uses the cache of English, since callers can name thousands of languages", () => {
  expect(["qaa", "fi", "vi", "constructor"].map(toStemmedLanguage)).toEqual(["en", "en", "en", "en"]);
  expect(["en", ...STEMMED_LANGUAGES].map(toStemmedLanguage)).toEqual(["en", ...STEMMED_LANGUAGES]);
});

it("the language hint of a tile replaces the detected language when passages are matched", () => {
  const question = weightQuestion(
    parseQuestion("Wo ist das Haus in der Stadt?"),
    new Map([["haus", [{ document: 1, frequency: 1, length: 3 }]]]),
    { documents: 10, totalLength: 100, nextDocument: 11 },
  );
  const hinted = matchPassage(question, TEXT, { tile: { title: "", languageHint: "de" } });
  expect(hinted.language).toBe("de");
  expect(hinted.coverage).toBeGreaterThan(matchPassage(question, TEXT).coverage);
});
