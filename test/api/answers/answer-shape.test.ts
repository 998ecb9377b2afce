import { beforeAll, expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const TABLE = ["| Year | Ships |", "| --- | --- |", ...Array.from({ length: 20 }, (_, at) => `| ${1900 + at} | ${300 + at * 7} |`)];
const HISTORY = `# Port\n\nThe port of Harnby was opened in 1871 and has been dredged four times since.\n\nThe harbour master counts every ship that calls.\n\n${TABLE.join("\n")}`;
const SKY =
  "Two planets carry the season. Jupiter is the planet of spring, with four moons at a glance, high enough in March to be seen above the larches. Venus follows the Sun down. Mars stays small this year. Saturn is best seen in September.";

const service = useTestService();
let board: string;
const tiles: Record<string, string> = {};

beforeAll(async () => {
  board = (await service.call("POST", "/api/board/boards", { body: { name: "Shapes" } })).json.board.id;
  const texts = {
    ships: HISTORY,
    sky: SKY,
    office: "The harbour office opens at 8:30.",
    house: "The elevator was mended.",
    letter: "a",
    x: "x",
  };
  for (const [name, content] of Object.entries(texts))
    tiles[name] = (await service.call("POST", `/api/board/${board}/tiles`, { body: { content } })).json.tile.id;
});

const ask = async (question: string, more: object = {}) =>
  (await service.call("POST", `/api/board/${board}/ask`, { body: { question, ...more } })).json;
const search = (q: string, more = "") => service.call("GET", `/api/board/${board}/search?q=${encodeURIComponent(q)}${more}`);

test("an answer from a table quotes its head and the row, and marks the row", async () => {
  const { answer, answered, citations } = await ask("How many ships called in 1907?");
  expect({ answer, answered }).toEqual({ answer: "Year: 1907 · Ships: 349", answered: true });
  const [{ tileId, quote, start, end, highlights }] = citations;
  expect({ tileId, quote }).toEqual({ tileId: tiles["ships"], quote: TABLE.slice(0, 10).join("\n") });
  expect(HISTORY.slice(start, end)).toBe(quote);
  expect(highlights.map((mark: any) => quote.slice(mark.start, mark.end))).toEqual(["| 1907 | 349 |"]);
});

test("an answer begins with the sentence that answers, wherever it is in the quote", async () => {
  const { answer, citations } = await ask("When is Saturn best seen?");
  expect(answer).toMatch(/^Saturn is best seen in September\./);
  const [{ quote, highlights }] = citations;
  expect(quote).toContain("Mars stays small");
  expect(highlights.map((mark: any) => quote.slice(mark.start, mark.end))).toEqual(["Saturn is best seen in September."]);
});

test("an answer does not depend on how a time is asked for", async () => {
  for (const question of [
    "When does the harbour office open?",
    "What time does the harbour office open?",
    "At what time does the harbour office open?",
  ])
    expect(await ask(question), question).toMatchObject({ answered: true, answer: "The harbour office opens at 8:30." });
});

test("an answer is declined with a reason for greetings and for questions that need an earlier one", async () => {
  for (const question of ["thanks", "danke", "¡Hola!"])
    expect(await ask(question), question).toEqual({
      answer: expect.stringMatching(/^This is not a question about the content of this board\./),
      answered: false,
      contextTokens: 0,
      mode: "extractive",
      citations: [],
    });
  for (const question of ["why?", "and the year before?", "Und warum?"])
    expect(await ask(question, { explain: true }), question).toMatchObject({
      answer: expect.stringMatching(/^This question depends on something said before/),
      answered: false,
      citations: [],
      explain: { candidates: [] },
    });
  const { json } = await service.call("GET", `/api/board/${board}/ask?q=thanks`);
  expect(json.answered).toBe(false);
});

test("min_score drops what hardly matches, and scores are shares", async () => {
  const { results } = (await search("harbour office")).json;
  const scores = results.map(({ score }: any) => score);
  expect(results[0].tileId).toBe(tiles["office"]);
  expect(results.length).toBeGreaterThan(1);
  for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
  const best = (await search("harbour office", `&min_score=${(scores[0] + scores[1]) / 2}`)).json.results;
  expect(best.map(({ tileId }: any) => tileId)).toEqual([tiles["office"]]);
  expect((await search("harbour office", "&minScore=0")).json.results).toHaveLength(results.length);
});

test("min_score must be a number from 0 to 1", async () => {
  for (const value of ["-0.1", "1.1", "half", "0,5", "NaN", "1e9", "0x1"]) {
    const { status, json } = await search("harbour", `&min_score=${value}`);
    expect({ value, status, error: json.error }).toEqual({ value, status: 400, error: "min_score must be a number from 0 to 1." });
  }
});

test("a search corrects a letter that stems hide", async () => {
  for (const q of ["elevetor", "elevatr", "elevtaor", "elevators"])
    expect(
      (await search(q)).json.results.map(({ tileId }: any) => tileId),
      q,
    ).toEqual([tiles["house"]]);
});

test("a search finds no note of one letter for a word", async () => {
  for (const q of ["cat", "telescope", "ship", "q", "no"])
    for (const { tileId } of (await search(q)).json.results) expect([tiles["letter"], tiles["x"]], q).not.toContain(tileId);
  expect((await search("x")).json.results[0].tileId).toBe(tiles["x"]);
});
