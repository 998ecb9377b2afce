import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { estimateCosine, computeHammingDistanceAt, sumVectors, toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { detectLanguage } from "#retrieval/text/language/language.ts";
import { tokenise } from "#retrieval/text/tokenise.ts";
import { fakeBoard, type FakeTile } from "./fake-search.ts";
import { LANGUAGES } from "./samples.ts";

/** Vectors of 64 components for topics: texts that name the same topic are near each other. */
const TOPICS = ["car|vehicle|automobile", "bread|bakery|loaf", "tax|levy|duty"];
function createVector(text: string): Float32Array {
  const topic = TOPICS.findIndex((words) => new RegExp(words, "i").test(text));
  // Each topic is a block of positive components, so two topics differ in half of the signs.
  return Float32Array.from({ length: 64 }, (_, i) => (((i >> (topic + 2)) & 1) === 1 ? 1 : -1) / 8);
}

function boardWithVectors(tiles: readonly FakeTile[]) {
  const deps = fakeBoard(tiles);
  const passages = tiles.map((tile, at) => {
    const vectors = splitForEmbedding(tile.text).map(({ start, end }) => createVector(tile.text.slice(start, end)));
    const sentences = new Uint8Array(vectors.length * 8);
    for (const [n, vector] of vectors.entries()) sentences.set(toBinaryEmbedding(vector), n * 8);
    return { document: at + 1, passage: toBinaryEmbedding(sumVectors(vectors) as Float32Array), sentences };
  });
  const semantic = {
    embedQuestion: async (question: string) => toBinaryEmbedding(createVector(question)),
    vectors: {
      embeddings: async (_b: string, _c: string, documents: readonly number[]) =>
        passages.filter(({ document }) => documents.includes(document)),
      nearest: async (_b: string, _c: string, embedding: Uint8Array, limit: number) =>
        passages
          .map(({ document, passage }) => ({ document, distance: computeHammingDistanceAt(embedding, passage, 0) }))
          .toSorted((a, b) => a.distance - b.distance)
          .slice(0, limit),
    },
  };
  return { ...deps, semantic };
}

const TILES: readonly FakeTile[] = [
  { id: "car", title: "One", text: "She sold her automobile last spring." },
  { id: "bread", title: "Two", text: "The bakery opens at dawn." },
  { id: "tax", title: "Three", text: "The levy was raised twice." },
];

it("binary embeddings differ in the bits whose components differ in sign", () => {
  const one = Float32Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? 1 : -1));
  const other = Float32Array.from(one, (value, i) => (i < 5 ? -value : value));
  expect(computeHammingDistanceAt(toBinaryEmbedding(one), toBinaryEmbedding(other), 0)).toBe(5);
  expect(estimateCosine(0, 64)).toBe(1);
  expect(estimateCosine(64, 64)).toBe(-1);
  expect(sumVectors([])).toBeNull();
});

it("binary embeddings have a distance of their differing bits, for any bits", () => {
  const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const bits = a.reduce((sum, byte, i) => sum + (byte ^ (b[i] as number)).toString(2).replaceAll("0", "").length, 0);
      expect(computeHammingDistanceAt(a, b, 0)).toBe(bits);
    }),
  );
});

describe("search by meaning", () => {
  it("a search by meaning finds a passage that shares no word with the question", async () => {
    const { passages } = await retrieve(boardWithVectors(TILES), "b", "c", "Which vehicle?", { limit: 5 });
    expect(passages.map(({ tileId }) => tileId)).toEqual(["car"]);
    expect(passages[0]?.parts).toMatchObject({ lexical: 0, semantic: 1 });
  });
  it("a search by meaning finds nothing if no passage is near, and uses words only without a question vector", async () => {
    expect((await retrieve(boardWithVectors(TILES), "b", "c", "zebras", { limit: 5 })).passages).toEqual([]);
    const deps = boardWithVectors(TILES);
    const without = { ...deps, semantic: { ...deps.semantic, embedQuestion: async () => null } };
    expect((await retrieve(without, "b", "c", "Which vehicle?", { limit: 5 })).passages).toEqual([]);
    expect((await retrieve(without, "b", "c", "bakery", { limit: 5 })).passages.map(({ tileId }) => tileId)).toEqual(["bread"]);
  });
  it("a search by meaning never returns a disconnected tile, however near", async () => {
    const hidden = TILES.map((tile) => (tile.id === "car" ? { ...tile, connected: false } : tile));
    expect((await retrieve(boardWithVectors(hidden), "b", "c", "Which vehicle?", { limit: 5 })).passages).toEqual([]);
  });
});

it("a question is stemmed in its language, or in all of them if it is unknown", () => {
  const [word] = parseQuestion("Welche Regierungen sind das?").words;
  expect(tokenise("Die Regierung ist neu und sie ist groß", "de")).toContain(word?.forms[0]);
  expect(parseQuestion("Regierungen Haushalte").words[0]?.forms.length).toBeGreaterThan(1);
  expect(parseQuestion("What did the governments do?").words[0]?.forms).toHaveLength(1);
});

it("a question finds other forms of its words in every language by their prefixes", async () => {
  const tiles = [
    { id: "tr", title: "", text: "Belediyeler yeni otobüsleri satın aldı." },
    { id: "pl", title: "", text: "Samorządy kupiły nowe autobusy." },
    { id: "ru", title: "", text: "Город купил новые автобусы для пассажиров." },
  ];
  for (const [question, id] of [
    ["otobüslerin", "tr"],
    ["autobusami", "pl"],
    ["автобусами", "ru"],
  ] as const) {
    const { passages } = await retrieve(fakeBoard(tiles), "b", "c", question, { limit: 3 });
    expect(passages[0]?.tileId).toBe(id);
  }
});

it("a language is detected by its function words, if there are any", () => {
  expect(detectLanguage("The gate of the harbour is open and it was painted.")).toBe("en");
  expect(detectLanguage("Das Tor des Hafens ist offen und es wurde gestrichen.")).toBe("de");
  expect(detectLanguage("La puerta del puerto está abierta y fue pintada por los vecinos.")).toBe("es");
  expect(detectLanguage("Node.js PostgreSQL Tessera")).toBeNull();
  expect(detectLanguage(LANGUAGES.Chinese)).toBeNull();
});
