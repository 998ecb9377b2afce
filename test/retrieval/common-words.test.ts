import { expect, it } from "vitest";
import { leaveOutCommonWords } from "#retrieval/lexical/common-words.ts";
import { parseQuestion } from "#retrieval/lexical/query.ts";

const BOARD = { businessId: "b", boardId: "c" };
const statistics = (documents: number) => ({ documents, totalLength: documents * 100, nextDocument: documents });
const sizesOf = (bytes: (term: string) => number) => ({
  postingSizes: async (_b: string, _c: string, terms: readonly string[]) => new Map(terms.map((term) => [term, bytes(term)])),
});
const QUESTION = parseQuestion("Which lighthouse keeper painted the harbour gate?");

it("a question on an ordinary board keeps all its words, and reads no sizes", async () => {
  const search = {
    postingSizes: async () => {
      throw new Error("The sizes were read.");
    },
  };
  expect(await leaveOutCommonWords(search, BOARD, QUESTION, statistics(5_000))).toBe(QUESTION);
});

it("the most common words are left out where the postings of all would be too many", async () => {
  const search = sizesOf((term) => (term.startsWith("harbour") ? 5_000_000 : 1_000));
  const { words, pairs } = await leaveOutCommonWords(search, BOARD, QUESTION, statistics(1_000_000));
  const keys = words.map(({ key }) => key);
  expect(keys.length).toBe(QUESTION.words.length - 1);
  expect(keys.some((key) => key.startsWith("harbour"))).toBe(false);
  expect(pairs.flat().every((key) => keys.includes(key))).toBe(true);
});

it("the rarest word stays, however common it is", async () => {
  const { words, prefixes } = await leaveOutCommonWords(
    sizesOf((term) => 9_000_000 - term.length),
    BOARD,
    QUESTION,
    statistics(1_000_000),
  );
  expect([words.length, prefixes.length]).toEqual([1, 0]);
});
