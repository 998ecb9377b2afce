import { expect, it } from "vitest";
import type { AnalysedTile, SearchStore } from "#domain/answers/search.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { correctSpelling } from "#retrieval/lexical/spelling.ts";
import { openVocabulary } from "#retrieval/lexical/vocabulary.ts";
import { countTurns } from "../../support/turns.ts";

const CONSONANTS = "bcdfghjklmnprstvwxz";
const LETTERS = [..."abcdefghijklmnopqrstuvwxyzабвгдежзиклмнопрстуфхцчшщэюя"];
/** Different words of 30 letters, which no language stems. */
const listWords = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, n) => `qaa${Array.from({ length: 27 }, (_, at) => CONSONANTS[(n * (at + 7) + at * at) % 19]).join("")}`,
  );

it("a search corrects a question of unknown words in bounded work, and lets other calls run in between", async () => {
  const terms = LETTERS.map((letter) => `qaa${letter}${letter}o`);
  const question = parseQuestion(listWords(128).join(" "));
  const prefixes: string[] = [];
  const vocabulary = {
    listWithPrefix: async (prefix: string) => {
      prefixes.push(prefix);
      return terms;
    },
  };
  const { turns, result } = await countTurns(() => correctSpelling(vocabulary, question, () => false));
  expect(result).toBe(question);
  expect(turns).toBeGreaterThan(20);
  expect(turns).toBeLessThan(100);
  expect(prefixes.length).toBeLessThanOrEqual(16);
});

it("a search corrects the first unknown words of a long question", async () => {
  const board = ["harbour", "elev"];
  const vocabulary = { listWithPrefix: async (prefix: string) => board.filter((term) => term.startsWith(prefix)) };
  const known = Array.from({ length: 100 }, (_, n) => `known${n}`);
  const question = parseQuestion([...known, "elevetor", "harbuor"].join(" "));
  const { words } = await correctSpelling(vocabulary, question, (term) => term.startsWith("known"));
  expect(words.slice(-2).map(({ forms }) => forms.at(-1))).toEqual(["elev", "harbour"]);
  expect(words[0]).toBe(question.words[0]);
});

it("a search looks up words and prefixes in many waiting tiles, and lets other calls run in between", async () => {
  const parts = [analyse({ title: "", text: "The harbour gate opens at six." })];
  const tiles = Array.from({ length: 10_000 }, (_, n): AnalysedTile => ({
    tile: { businessId: "b", boardId: "c", tileId: `t${n}`, version: 1 },
    parts,
  }));
  const search: Pick<SearchStore, "postings" | "terms"> = { postings: async () => new Map(), terms: async () => [] };
  const vocabulary = openVocabulary(search, "b", "c", async () => tiles);
  const words = await countTurns(() => vocabulary.filterKnown([...listWords(40), "harbour"]));
  expect([...words.result]).toEqual(["harbour"]);
  expect(words.turns).toBeGreaterThan(10);
  const prefixes = await countTurns(async () => {
    for (let n = 0; n < 40; n++) expect(await vocabulary.listWithPrefix(`h${n}`, 64)).toEqual([]);
  });
  expect(prefixes.turns).toBeGreaterThan(10);
});
