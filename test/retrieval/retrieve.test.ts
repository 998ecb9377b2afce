import { readExcerpt } from "#retrieval/passage.ts";
import { expect, it } from "vitest";
import { retrieve } from "#retrieval/retrieve.ts";
import { searchBoard } from "#retrieval/search/search.ts";
import { fakeBoard, type FakeTile } from "./fake-search.ts";
import { LANGUAGES, PROSE } from "./samples.ts";

const TILES: readonly FakeTile[] = [
  { id: "fox", title: "Animals", text: "The quick brown fox jumps over the lazy dog." },
  { id: "whale", title: "Animals", text: "The blue whale is the largest animal known to have existed." },
  { id: "long", title: "Minutes", text: `${PROSE.repeat(30)}The blue fox was mentioned once.\n\n${PROSE.repeat(5)}` },
  { id: "tax", title: "Money", text: "Taxes are due in April. A fox pays none." },
];
const ask = (tiles: readonly FakeTile[], question: string, limit = 10) => retrieve(fakeBoard(tiles), "b", "c", question, { limit });

it("retrieval keeps only what surrounds a passage of a long text", async () => {
  const filler = "The harbour was quiet that day, and nobody saw the ferry leave. ".repeat(4_000);
  const text = `${filler}The purple heron nests in the reeds. ${filler}`;
  const { passages } = await ask([{ id: "long", title: "Harbour", text }], "Where does the purple heron nest?");
  const [best] = passages;
  expect(best?.text).toContain("purple heron");
  expect(best?.around.text.length).toBeLessThan(60_000);
  for (const { around, start, end } of passages) expect(text.slice(start, end)).toBe(readExcerpt(around, { start, end }));
  expect(text.startsWith(best?.around.text ?? "-", best?.around.start)).toBe(true);
});
it("retrieval finds verbatim passages, also deep in a long text", async () => {
  const { passages } = await ask(TILES, "Was the blue fox mentioned?");
  expect(passages[0]?.tileId).toBe("long");
  expect(passages[0]?.text).toContain("The blue fox was mentioned once.");
  for (const { text, around, start, end } of passages) expect(text).toBe(readExcerpt(around, { start, end }));
});
it.each([
  ["email address", "letters", "Write to the E-Mail address of the office."],
  ["e-mail address", "letters", "Write to the email address of the office."],
  ["Bcl2 inhibitors", "drug", "Inhibitors of Bcl\u20112 were given for a week."],
])("retrieval finds a word with and without a hyphen: %s", async (question, id, text) => {
  const others = ["address", "mail", "office", "2", "inhibitors"].map((word) => ({
    id: word,
    title: "",
    text: `The ${word} of the house.`,
  }));
  const { passages } = await ask([...others, { id, title: "", text }], question);
  expect(passages[0]?.tileId).toBe(id);
  expect(passages[0]?.match.coverage).toBeGreaterThan(0.9);
});
it("retrieval matches a hyphenated word of a title with its unhyphenated form", async () => {
  const { passages } = await ask([{ id: "guide", title: "Wi-Fi guide", text: "Ask at the desk for the password." }], "wifi password");
  expect(passages[0]?.match.bestSentenceWithTitle).toBeCloseTo(1);
});
it("retrieval never reads the text of a disconnected tile", async () => {
  const hidden = TILES.map((tile) => (tile.id === "long" || tile.id === "fox" ? { ...tile, connected: false } : tile));
  const { passages } = await ask(hidden, "blue fox");
  expect(passages.map(({ tileId }) => tileId).toSorted()).toEqual(["tax", "whale"]);
});
it("retrieval continues after many disconnected passages", async () => {
  const hidden = Array.from({ length: 400 }, (_, n) => ({ id: `h${n}`, title: "fox", text: "fox fox", connected: false }));
  const { passages } = await ask([...hidden, ...TILES], "fox");
  expect(passages.map(({ tileId }) => tileId).toSorted()).toEqual(["fox", "long", "tax"]);
});
it("retrieval ranks tiles that are not indexed yet as if they were", async () => {
  const pendingLast = TILES.map((tile, n) => ({ ...tile, indexed: n < 2 }));
  const allPending = TILES.map((tile) => ({ ...tile, indexed: false }));
  for (const question of ["blue fox", "animals", "panel witnesses taxes", "the"]) {
    const expected = await ask(TILES, question);
    expect(await ask(pendingLast, question)).toEqual(expected);
    expect(await ask(allPending, question)).toEqual(expected);
  }
});
it("retrieval drops a tile that is disconnected between two reads", async () => {
  const deps = fakeBoard(TILES);
  const search = { ...deps.search, connectedTiles: async () => [] };
  expect((await retrieve({ ...deps, search }, "b", "c", "fox", { limit: 5 })).passages).toEqual([]);
});
it("retrieval returns nothing for an empty board, and for empty or hostile questions", async () => {
  expect((await ask([], "fox")).passages).toEqual([]);
  for (const question of ["", "   ", "\0\0", "*** --", '"', "😀😀", "\ud800"]) expect((await ask(TILES, question)).passages).toEqual([]);
});
it("retrieval respects its limits, overall and per tile", async () => {
  expect((await ask(TILES, "panel witnesses", 3)).passages).toHaveLength(3);
  const { passages } = await retrieve(fakeBoard(TILES), "b", "c", "panel", { limit: 10, perTile: 2 });
  expect(passages).toHaveLength(2);
});
it("retrieval returns every matching tile up to the limit, also those beyond the reranked ones", async () => {
  const many = Array.from({ length: 100 }, (_, n) => ({ id: `t${n}`, title: "", text: `The fox was seen on day ${n}.` }));
  const { passages } = await retrieve(fakeBoard(many), "b", "c", "fox", { limit: 90, perTile: 1 });
  expect(new Set(passages.map(({ tileId }) => tileId)).size).toBe(90);
});
it("retrieval reads at most twelve passages of one tile without a limit per tile, however many are asked for", async () => {
  const long = Array.from({ length: 60 }, (_, n) => `The fox was seen on day ${n}. ${PROSE.repeat(4)}`).join("\n\n");
  const { passages } = await retrieve(fakeBoard([{ id: "long", title: "", text: long }]), "b", "c", "fox", { limit: 24 });
  expect(passages).toHaveLength(12);
});
it.each(Object.entries(LANGUAGES))("retrieval finds a tile in %s among the others", async (language, text) => {
  const tiles = Object.entries(LANGUAGES).map(([id, body]) => ({ id, title: "", text: body }));
  const { passages } = await ask(tiles, text.slice(0, 24));
  expect(passages[0]?.tileId).toBe(language);
});

it("search returns one row per tile by descending score, with verbatim quotes", async () => {
  const results = await searchBoard(fakeBoard(TILES), "b", "c", "fox panel animals", { limit: 10 });
  expect(new Set(results.map(({ tileId }) => tileId)).size).toBe(results.length);
  expect(results).toHaveLength(4);
  for (const [n, { tileId, quote, score }] of results.entries()) {
    expect(score).toBeLessThanOrEqual(results[n - 1]?.score ?? Infinity);
    expect(TILES.find(({ id }) => id === tileId)?.text).toContain(quote);
    expect(quote).not.toBe("");
  }
});
