import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeEditDistance } from "#retrieval/lexical/spelling.ts";
import { parseSearch } from "#retrieval/search/parse.ts";
import { searchBoard } from "#retrieval/search/search.ts";
import { fakeBoard, type FakeTile } from "../fake-search.ts";
import { HOSTILE, LANGUAGES } from "../samples.ts";

const TILES: readonly FakeTile[] = [
  { id: "harbour", title: "Harbour", text: "The harbour gate opens at six. The old lighthouse keeper sleeps until noon." },
  { id: "garden", title: "Garden", text: "Roses need six hours of sun. The gardener prunes them in February." },
  { id: "light", title: "Light", text: "A lamp stood in the old house. Light fell on the keeper of the keys." },
];
const search = (query: string, tiles = TILES) => searchBoard(fakeBoard(tiles), "b", "c", query, { limit: 10 });
const ids = async (query: string) => (await search(query)).map(({ tileId }) => tileId);

describe("search queries", () => {
  it("a search query has phrases in quotation marks, prefixes before an asterisk, and words", () => {
    expect(parseSearch('old "Lighthouse keeper" harb* noon')).toEqual({
      text: "old Lighthouse keeper  noon",
      phrases: [["lighthouse", "keeper"]],
      prefixes: ["harb"],
    });
  });
  it("a search query treats an unpaired quotation mark, a lone asterisk and other operators as text", () => {
    expect(parseSearch('open" * NEAR(a b) col:x -y')).toMatchObject({ phrases: [], prefixes: [] });
    expect(parseSearch("a*")).toMatchObject({ prefixes: [] });
  });
  it("a search query is parsed whatever it contains", async () => {
    for (const text of Object.values(HOSTILE)) await search(text.slice(0, 4_000));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), async (text) => {
        for (const { quote, highlights } of await search(`${text}*"${text}`)) {
          for (const { start, end } of highlights) expect(quote.slice(start, end).length).toBe(end - start);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("searches", () => {
  it("a search finds adjacent words of a phrase only", async () => {
    expect(await ids('"lighthouse keeper"')).toEqual(["harbour"]);
    expect(await ids('"keeper lighthouse"')).toEqual([]);
    expect(await ids('"old house"')).toEqual(["light"]);
  });
  it("a search finds words by their prefix", async () => {
    expect(await ids("gard*")).toEqual(["garden"]);
    expect(new Set(await ids("li*"))).toEqual(new Set(["harbour", "light"]));
  });
  it("a search corrects one edit, or two in a long word, of words that the board does not contain", async () => {
    expect(await ids("harbuor")).toEqual(["harbour"]);
    expect(await ids("lighthuose")).toEqual(expect.arrayContaining(["harbour"]));
    expect(await ids("februry")).toEqual(["garden"]);
    expect(await ids("xylophone")).toEqual([]);
  });
  it("a search does not correct a word that the board contains", async () => {
    expect((await ids("lamp"))[0]).toBe("light");
    expect(await ids("sun")).toEqual(["garden"]);
  });
  it("a search marks its words in the quote, by stem and prefix, and stop words of a phrase", async () => {
    const [found] = await search("opened gates");
    const marked = found?.highlights.map(({ start, end }) => found.quote.slice(start, end));
    expect(marked).toEqual(["gate", "opens"]);
    const [phrase] = await search('"keeper of the keys"');
    expect(phrase?.highlights.map(({ start, end }) => phrase.quote.slice(start, end))).toEqual(expect.arrayContaining(["of", "the"]));
    const [beginning] = await search("prun*");
    expect(beginning?.highlights.map(({ start, end }) => beginning.quote.slice(start, end))).toEqual(["prunes"]);
  });
  it("a search marks a hyphenated word searched without its hyphen", async () => {
    const [found] = await search("wifi", [{ id: "t", title: "", text: "The Wi-Fi of the reading-room is free." }]);
    expect(found?.highlights.map(({ start, end }) => found.quote.slice(start, end))).toEqual(["Wi", "Fi"]);
  });
  it("a search returns the offsets of its quote in the tile", async () => {
    for (const { tileId, quote, start, end } of await search("keeper"))
      expect(TILES.find(({ id }) => id === tileId)?.text.slice(start, end)).toBe(quote);
  });
  it.each(Object.entries(LANGUAGES))("a search marks words of %s", async (_language, text) => {
    const tiles = [{ id: "t", title: "", text }];
    const [found] = await search(text.slice(0, 24), tiles);
    expect(found?.highlights.length).toBeGreaterThan(0);
  });
});

it("the edit distance counts letters added, dropped, changed or swapped", () => {
  expect(computeEditDistance("harbour", "harbor", 2)).toBe(1);
  expect(computeEditDistance("harbour", "harbuor", 2)).toBe(1);
  expect(computeEditDistance("cat", "dog", 2)).toBe(3);
  expect(computeEditDistance("", "ab", 2)).toBe(2);
});
it("the edit distance is symmetric, and 0 only for equal words", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
      expect(computeEditDistance(a, b, 9)).toBe(computeEditDistance(b, a, 9));
      expect(computeEditDistance(a, b, 9) === 0).toBe(a === b);
    }),
  );
});
