import { expect, it } from "vitest";
import { createBaseline } from "../../bench/quality/search/baseline.ts";

const DOCUMENTS = [
  { id: "harbour", title: "Harbour", text: "The ferry leaves the harbour at six. The harbour is closed in winter." },
  { id: "garden", title: "Garden", text: "Roses flowering by the wall, and a bench." },
  {
    id: "train",
    title: "Train",
    text: "The train waits for the ferry at the harbour on Sundays and in all the weeks of summer, as it always did.",
  },
  { id: "kyoto", title: "京都", text: "京都の駅は大きい。電車が来る。" },
];

const { search } = createBaseline(DOCUMENTS);

it("the BM25 baseline ranks by term frequency, rarity and length", () => {
  expect(search("harbour", 10)).toEqual(["harbour", "train"]);
  expect(search("ferry in winter", 10)).toEqual(["harbour", "train"]);
});

it("the BM25 baseline weights rare words of a question higher, and keeps the given order for equal scores", () => {
  const two = createBaseline([
    { id: "a", title: "", text: "oak" },
    { id: "b", title: "", text: "elm" },
    { id: "c", title: "", text: "oak" },
  ]);
  expect(two.search("oak elm", 10)).toEqual(["b", "a", "c"]);
});

it("the BM25 baseline stems, lower-cases and drops stop words", () => {
  expect(search("FLOWERED roses", 10)).toEqual(["garden"]);
  expect(search("the and of in", 10)).toEqual([]);
});

it("the BM25 baseline splits text of scripts without spaces", () => {
  expect(search("駅", 10)).toEqual(["kyoto"]);
});

it("the BM25 baseline returns at most the limit, and nothing for unknown words", () => {
  expect(search("harbour ferry", 1)).toHaveLength(1);
  expect(search("zeppelin", 10)).toEqual([]);
  expect(search("", 10)).toEqual([]);
  expect(createBaseline([]).search("harbour", 10)).toEqual([]);
});
