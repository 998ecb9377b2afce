import { expect, it } from "vitest";
import { composeTiles } from "../../bench/quality/board/compose.ts";
import { UNANSWERABLE, ANSWERABLE } from "../../bench/quality/board/questions.ts";
import { createBaseline } from "../../bench/quality/search/baseline.ts";
import { containsAnswer } from "../../bench/quality/search/scores.ts";

const tiles = composeTiles();
const byId = new Map(tiles.map((tile) => [tile.id, tile]));

it("the benchmark's own board has 200 tiles of many kinds and is deterministic", () => {
  expect(tiles).toHaveLength(200);
  expect(byId.size).toBe(200);
  expect(new Set(tiles.map(({ type }) => type ?? "TEXT")).size).toBeGreaterThanOrEqual(8);
  expect(composeTiles()).toEqual(tiles);
});

it("the benchmark's own board has 150 different questions, 50 of them without an answer", () => {
  expect(ANSWERABLE).toHaveLength(100);
  expect(UNANSWERABLE).toHaveLength(50);
  expect(new Set([...ANSWERABLE.map(([text]) => text), ...UNANSWERABLE]).size).toBe(150);
});

it.each(ANSWERABLE)("the benchmark's own board contains the answer: %s", (_text, ids, answers) => {
  const [right] = ids.map((id) => byId.get(id));
  expect(ids.every((id) => byId.has(id))).toBe(true);
  expect(containsAnswer(answers, right?.text ?? "")).toBe(true);
});

it("the benchmark's own board has a time within its text for every turn of a call", () => {
  const calls = tiles.filter(({ segments }) => segments !== undefined);
  expect(calls).toHaveLength(25);
  for (const { text, segments = [] } of calls) {
    expect(segments[0]).toMatchObject({ start: 0, seconds: 0 });
    expect(segments.at(-1)?.end).toBe(text.length);
    expect(segments.every(({ start, end }) => text.slice(start, end).includes(": "))).toBe(true);
  }
});

it("the benchmark's own board paraphrases at least a third of the questions", () => {
  // Whether the right tile has each single word of a question, after stemming and without stop words.
  const inOtherWords = ANSWERABLE.filter(([text, [right = ""]]) => {
    const tile = byId.get(right);
    if (tile === undefined) return false;
    const { search } = createBaseline([tile]);
    const anywhere = (word: string): boolean => createBaseline([{ id: "it", title: "", text: word }]).search(word, 1).length > 0;
    const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter(anywhere);
    return words.filter((word) => search(word, 1).length > 0).length <= words.length / 2;
  });
  expect(inOtherWords.length).toBeGreaterThanOrEqual(ANSWERABLE.length / 3);
});
