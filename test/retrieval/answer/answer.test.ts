import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerExtractively, ANSWER_NOT_FOUND, NOTHING_CONNECTED, NOTHING_FOUND } from "#retrieval/answer/extractive.ts";
import { assembleContext } from "#retrieval/answer/context.ts";
import { readExcerpt } from "#retrieval/passage.ts";
import type { Passage } from "#retrieval/passage.ts";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { readSentences } from "#retrieval/answer/quote/passage-sentences.ts";
import { chooseQuote, quoteSentence } from "#retrieval/answer/quote/quote.ts";
import { matchPassage } from "#retrieval/rerank/match-passage.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { loadTokenCounter } from "#retrieval/answer/count-tokens.ts";
import { weightQuestion } from "#retrieval/lexical/weight-question.ts";
import { fakeBoard, type FakeTile } from "../fake-search.ts";
import { partsPair, PROSE } from "../samples.ts";

const TILES: readonly FakeTile[] = [
  { id: "whale", title: "Whales", text: "The blue whale is the largest animal. It weighs up to 199 tonnes. It eats krill." },
  { id: "tower", title: "Towers", text: "The Eiffel Tower stands in Paris. It was completed in 1889 by the company of Gustave Eiffel." },
  { id: "copy", title: "Towers again", text: "The Eiffel Tower stands in Paris. Nobody knows who copied this." },
];
const ask = async (question: string, tiles = TILES) =>
  answerExtractively(question, await retrieve(fakeBoard(tiles), "b", "c", question, { limit: 10 }), { connected: true });

const weighed = (question: string) => weightQuestion(parseQuestion(question), new Map(), { documents: 0, totalLength: 0, nextDocument: 1 });

const createPassage = (text: string, start = 0, question = ""): Passage => ({
  tileId: "t",
  title: "T",
  type: "TEXT",
  sourceUrl: null,
  text,
  start,
  end: start + text.length,
  score: 1,
  parts: { lexical: 1, semantic: null, rerank: 1 },
  match: matchPassage(weighed(question), text),
  coverage: 1,
  around: { text, start },
});

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const countEach =
  (count: (text: string) => number) =>
  async (texts: readonly string[]): Promise<readonly number[]> =>
    texts.map(count);

it("a board of one note answers a paraphrased question, and no question about something else", async () => {
  const note = [{ id: "lens", title: "Lens", text: "The lighthouse lens weighs four tonnes. It was made in Paris." }];
  expect(await ask("How heavy is the lighthouse lens?", note)).toMatchObject({ answered: true });
  expect(await ask("Who painted the ceiling of the chapel?", note)).toMatchObject({ answered: false });
});

it("a misspelt question is corrected if the board contains the word, and has no effect otherwise", async () => {
  const note = [{ id: "lens", title: "Lens", text: "The lighthouse lens weighs four tonnes. It was made in Paris." }];
  expect(await ask("How heavy is the ligthouse lens?", note)).toMatchObject({ answered: true, citations: [{ tileId: "lens" }] });
  expect(await ask("Where was the lnes of the lighthouse made?", note)).toMatchObject({ answered: true });
  expect(await ask("Who painted the ceilnig of the chapel?", note)).toMatchObject({ answered: false });
});

describe("quotes", () => {
  it("a quote is the sentence with most of the question, with neighbours that fit", () => {
    const filler = "Nothing here to see at all, I am afraid, said the porter to the guests who stood in the hall and waited. ".repeat(3);
    const text = `${filler}The committee approved the annual budget in March. Then all went home again. ${filler}`;
    const { start, end } = chooseQuote(createPassage(text, 0, "Was the budget approved?"), weighed("Was the budget approved?"));
    expect(text.slice(start, end)).toContain("The committee approved the annual budget in March. Then all went home again.");
    expect(end - start).toBeLessThanOrEqual(400);
  });
  it("a quote has offsets from the start of the tile's text", () => {
    const passage = createPassage("One sentence. Another one about zebras and nothing else at all.", 100, "zebras");
    const { start, end } = chooseQuote(passage, weighed("zebras"));
    expect(readExcerpt(passage.around, { start, end })).toBe("One sentence. Another one about zebras and nothing else at all.");
  });
  it("a quote of a very short sentence includes its neighbour", () => {
    const text = "Zebras. They live on the plains of southern Africa in herds.";
    const { start, end } = chooseQuote(createPassage(text, 0, "zebras"), weighed("zebras"));
    expect(text.slice(start, end)).toBe(text);
  });
  it("a quote has at most 400 code units and splits no surrogate pair", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 2_000 }),
      fc.nat(900).map((n) => `${"a".repeat(n)}${"😀".repeat(500)}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const passage = createPassage(text, 0, "a");
        const sentences = readSentences(passage, weighed("a"));
        for (const [at, { block }] of sentences.entries()) {
          const { start, end, marks } = quoteSentence(weighed("a"), sentences, at);
          expect(end - start).toBeLessThanOrEqual(block === null ? 400 : 1_200);
          for (const mark of marks) expect(mark.start >= start && mark.end <= end).toBe(true);
          expect(partsPair(text, start) || partsPair(text, end)).toBe(false);
        }
      }),
    );
  });
});

describe("extractive answers", () => {
  it("an extractive answer begins with the sentence that answers, which is marked in its quote", async () => {
    const { answer, answered, citations } = await ask("How many tonnes does it weigh?");
    expect(answered).toBe(true);
    expect(answer).toBe("It weighs up to 199 tonnes. It eats krill.");
    expect(citations[0]).toMatchObject({ quote: TILES[0]?.text, highlights: [{ start: 38, end: 65 }] });
    for (const { tileId, quote, start, end } of citations)
      expect(TILES.find(({ id }) => id === tileId)?.text.slice(start, end)).toBe(quote);
  });
  it("an extractive answer does not repeat a quote", async () => {
    const { citations } = await ask("Where does the Eiffel Tower stand?");
    const quotes = citations.map(({ quote }) => quote);
    expect(new Set(quotes).size).toBe(quotes.length);
  });
  it("an extractive answer leaves out quotes that share a word with the question if the first one has all of it", async () => {
    const filler = "Boats are hired out by the hour, and children wear a vest at all times. ".repeat(13);
    const text = `The north gate is painted white every spring. ${filler}When is the north gate closed? In winter.`;
    const cite = async (question: string) => (await ask(question, [{ id: "t", title: "Log", text }])).citations.map(({ quote }) => quote);
    expect(await cite("When is the north gate painted white?")).toEqual([expect.stringContaining("white every spring")]);
    expect(await cite("When is the north gate painted white by Olav?")).toContainEqual(expect.stringContaining("north gate closed"));
  });
  it("an extractive answer says that the content has no answer, and cites the nearest passages", async () => {
    const { answer, answered, citations } = await ask("Which company sells refrigerators, microwaves and toasters in Norway?");
    expect({ answer, answered }).toEqual({ answer: ANSWER_NOT_FOUND, answered: false });
    expect(citations.length).toBeGreaterThan(0);
  });
  it("an extractive answer reports that nothing matches, or that nothing is connected", async () => {
    expect(await ask("xylophone")).toEqual({ answer: NOTHING_FOUND, answered: false, citations: [] });
    const nothing = { passages: [], others: [], duplicates: [], question: weighed("x"), documents: 0 };
    expect(answerExtractively("x", nothing, { connected: false })).toEqual({ answer: NOTHING_CONNECTED, answered: false, citations: [] });
  });
  it("an extractive answer has at most ten citations and 500 code units", async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ id: `t${n}`, title: "Minutes", text: `In case ${n} the fox ran. ${PROSE}` }));
    const retrieval = await retrieve(fakeBoard(many), "b", "c", "fox ran", { limit: 30 });
    const { answer, citations } = answerExtractively("fox ran", retrieval, { connected: true, maxCitations: 99 });
    expect(citations).toHaveLength(10);
    expect(answer.length).toBeLessThanOrEqual(500);
  });
});

describe("context for a model", () => {
  it("the context has the best passages that fit, with the reason for the others", async () => {
    const passages = [
      createPassage("one two three"),
      createPassage("w ".repeat(100), 50),
      createPassage("four five", 9),
      createPassage("one two three"),
    ];
    const { used, skipped, tokens, text } = await assembleContext(passages, 20, countEach(countWords));
    expect(used).toEqual([passages[0], passages[2]]);
    expect(skipped.map(({ reason }) => reason)).toEqual(["does_not_fit", "duplicate"]);
    expect(tokens).toBe(countWords(text));
  });
  it("the context never exceeds its budget", async () => {
    const count = await loadTokenCounter();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary", maxLength: 200 }), { maxLength: 10 }), fc.nat(200), async (texts, budget) => {
        const { tokens, text } = await assembleContext(
          texts.map((body, n) => createPassage(body, n)),
          budget,
          countEach(count),
        );
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(tokens).toBe(text === "" ? 0 : count(text));
      }),
      { numRuns: 50 },
    );
  });
  it("the context is empty without passages or budget", async () => {
    expect(await assembleContext([], 100, countEach(countWords))).toEqual({ used: [], skipped: [], text: "", tokens: 0 });
    expect((await assembleContext([createPassage("a")], 0, countEach(countWords))).tokens).toBe(0);
  });
});
