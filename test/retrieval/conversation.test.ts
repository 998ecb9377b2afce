import { describe, expect, it } from "vitest";
import { addWindowScores, measureConversation } from "#retrieval/rerank/conversation.ts";
import { getOwnScore } from "#retrieval/passage.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { fakeBoard } from "./fake-search.ts";

const english = (text: string) => ({ text, language: "en" });
const SPOKEN = [
  "Yeah, I think we can do that, but you know, I don't know what it's going to cost.",
  "Okay. Um, well, let's see what your drawing says.",
  "So I've put it on my list, and I'll ask our people.",
].map(english);
const WRITTEN = [
  "The harbour was built in 1874 by the architect Ingrid Solberg after years of study.",
  "We report a trial of 200 patients, in which the treatment lowered the pressure of the blood by a tenth.",
  "Results are shown in the table below.",
].map(english);

describe("how conversational passages are", () => {
  it("passages of a conversation count as 1, and written text as 0", () => {
    expect(measureConversation(SPOKEN)).toBe(1);
    expect(measureConversation(WRITTEN)).toBe(0);
    expect(measureConversation([])).toBe(0);
    expect(measureConversation([english(""), english("12 + 34")])).toBe(0);
  });

  it("the majority decides how conversational passages are, also with typographic apostrophes", () => {
    expect(measureConversation([WRITTEN[0]!, WRITTEN[2]!, WRITTEN[0]!, SPOKEN[0]!])).toBe(0);
    expect(measureConversation([...SPOKEN, WRITTEN[0]!])).toBe(1);
    const apostrophes = measureConversation([
      english("It’s what they’re here for and that’s what’s done by the men of the port, who don’t mind."),
    ]);
    expect(apostrophes).toBeGreaterThan(0);
  });

  it("passages in other languages with similar words count as 0", () => {
    expect(measureConversation([{ text: "Ja, I think you know what we mean.", language: "de" }])).toBe(0);
    // Polish, Swedish and Spanish, with an undetected language.
    for (const text of ["Kot i pies i mysz i koń stoją na dachu i patrzą.", "Huset i staden i norr ligger i en park i skogen."])
      expect(measureConversation([english(text)]), text).toBe(0);
  });
});

describe("window scores", () => {
  const at = (...scores: readonly [document: number, score: number][]) => scores.map(([document, score]) => ({ document, score }));

  it("window scores are the passages' own scores in written text", () => {
    expect(addWindowScores(at([1, 3], [2, 1], [9, 2]), 0)).toEqual([3, 1, 2]);
    expect(addWindowScores([], 1)).toEqual([]);
  });

  it("window scores rise with good neighbours, more for nearer and better ones", () => {
    const [alone, amid, , , weak] = addWindowScores(at([1, 2], [100, 2], [101, 3], [103, 3], [102, 0.1], [500, 0], [600, 0]), 1);
    expect(alone).toBeCloseTo(2, 2);
    expect(amid).toBeGreaterThan(2.5);
    expect(weak).toBeGreaterThan(0.5);
    const half = addWindowScores(at([100, 2], [101, 3], [500, 0], [600, 0]), 0.5);
    const whole = addWindowScores(at([100, 2], [101, 3], [500, 0], [600, 0]), 1);
    expect(whole[0]! - 2).toBeCloseTo(2 * (half[0]! - 2), 10);
  });

  it("window scores do not rise for neighbours no better than chance", () => {
    const level = Array.from({ length: 20 }, (_, document) => ({ document, score: 1 }));
    expect(addWindowScores(level, 1)).toEqual(level.map(() => 1));
  });
});

describe("questions about a conversation", () => {
  const filler = (n: number) => `Yeah, I think you know what I mean by point ${n}, we don't have it.`;
  const turns = Array.from({ length: 40 }, (_, n) => filler(n));
  turns[5] = "Um, I think the lantern is what you mean.";
  turns[29] = "So we'd need to know what the lantern can cost us.";
  turns[30] = "Um, I think the lantern is what you mean.";
  turns[31] = "Yeah, the cost of the lantern, I'd say we can't pay that.";
  const find = (texts: readonly string[]) =>
    retrieve(fakeBoard(texts.map((text, n) => ({ id: `t${n}`, title: "Turn", text }))), "b", "c", "What was said about the lantern?", {
      limit: 10,
    });

  it("a question about a conversation finds the discussion before a passing mention", async () => {
    const found = (await find(turns)).passages.map(({ tileId }) => tileId);
    expect(found.slice(0, 3).toSorted()).toEqual(["t29", "t30", "t31"]);
    expect(found.indexOf("t5")).toBeGreaterThan(2);
  });

  it("a question about a conversation keeps the passages' own scores to decide which of them answers", async () => {
    const { passages } = await find(turns);
    expect(passages.map(({ score }) => score)).toEqual(passages.map(({ score }) => score).toSorted((a, b) => b - a));
    const [five, thirty] = ["t5", "t30"].map((id) => passages.find(({ tileId }) => tileId === id)!);
    expect(thirty!.score).toBeGreaterThan(five!.score + 0.5);
    // The same words, except for the usual weight of neighbouring words.
    expect(Math.abs(getOwnScore(thirty!) - getOwnScore(five!))).toBeLessThan(1);
    expect(thirty!.score).toBeGreaterThan(getOwnScore(thirty!) + 0.5);
  });

  it("a question about written text ranks each passage alone", async () => {
    const prose = turns.map((_, n) => `Point ${n} of the report tells of the harbour and of its walls.`);
    for (const n of [5, 30]) prose[n] = "The lantern stands on the northern wall.";
    prose[29] = "The keeper of the lantern lives beside it.";
    const { passages } = await find(prose);
    const getScore = (id: string) => passages.find(({ tileId }) => tileId === id)?.parts.rerank ?? 0;
    // Neighbouring words have their usual small weight, and no more.
    expect(Math.abs(getScore("t30") - getScore("t5"))).toBeLessThan(1);
  });
});
