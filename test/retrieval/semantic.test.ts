import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { computeNeighbourScores } from "#retrieval/lexical/bm25.ts";
import { type PassageCandidate, computeFeatures, rerank } from "#retrieval/rerank/rerank.ts";
import { matchPassage } from "#retrieval/rerank/match-passage.ts";
import { type PassageNgrams, computeNgramShareBetween, computeNgramShare, weightNgrams } from "#retrieval/rerank/ngrams.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { estimateCosine, computeHammingDistanceAt, sumVectors, toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { detectLanguage } from "#retrieval/text/language.ts";
import { tokenise } from "#retrieval/text/tokenise.ts";
import { weightQuestion } from "#retrieval/lexical/weight-question.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { fakeBoard, type FakeTile } from "./fake-search.ts";
import { LANGUAGES } from "./samples.ts";

const weighed = (question: string) => weightQuestion(parseQuestion(question), new Map(), { documents: 0, totalLength: 0, nextDocument: 1 });

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

describe("reranking", () => {
  const candidate = (question: string, text: string, more: Partial<PassageCandidate> = {}): PassageCandidate => ({
    document: 1,
    text,
    lexical: 1,
    neighbourScore: 0,
    match: matchPassage(weighed(question), text),
    ...more,
  });
  const rank = (candidates: readonly PassageCandidate[]): number[] => rerank(candidates).map(({ own }) => own);

  it("reranking prefers a passage with the words in one sentence, and adjacent", () => {
    const question = "old harbour gate";
    const [together = 0, apart = 0] = rank([
      candidate(question, "They painted the old harbour gate. It rained. The day was long."),
      candidate(question, "The gate was painted. It rained on the harbour. The day was old."),
    ]);
    expect(together).toBeGreaterThan(apart);
  });
  it("reranking prefers a passage whose words are closer to each other, also across sentences", () => {
    const question = "harbour gate";
    const read = (text: string) => matchPassage(weighed(question), text).proximity;
    expect(read("The gate of the harbour.")).toBeGreaterThan(read("The gate was painted green and white and blue for the harbour."));
    expect(read("They saw a gate. Harbour and town were open.")).toBeGreaterThan(
      read("A gate. It rained all day. The harbour was closed."),
    );
    expect(read("The harbours have gates.")).toBeGreaterThan(0);
    expect(read("A gate, a gate, a gate.")).toBe(0);
    expect(matchPassage(weighed("gate"), "A gate.").proximity).toBe(0);
  });
  it("reranking matches character n-grams as typed, and weights rare ones most", () => {
    const { ngrams } = weighed("  The  Harbour's gate? ");
    expect(ngrams).toContain("'s g");
    expect(ngrams).toContain("ate ");
    expect(ngrams.every((run) => run.length === 4)).toBe(true);
    expect(new Set(ngrams).size).toBe(ngrams.length);
    expect(weighed("?").ngrams).toEqual([]);
    expect(weighed(`(a${"!".repeat(19_000)}b)`).ngrams).toEqual([" a!!", "a!!!", "!!!!", "!!!b", "!!b "]);
    expect(weighed(`${"ab ".repeat(9)}${"xyzt".repeat(3_000)}`).ngrams.length).toBeLessThan(100);

    const passages = ["The Harbour's gate", "The gate of harbours", "The gate", "Nothing of it"];
    const found = weightNgrams(ngrams, passages);
    const shares = found.map(computeNgramShare);
    expect(shares[0]).toBeCloseTo(1);
    expect(shares[1]).toBeGreaterThan(shares[2] as number);
    expect(shares[2]).toBeGreaterThan(0);
    expect(found[3]?.ngrams).toEqual([]);
    const shareIn = (run: string): number => found[0]?.ngrams.find(({ text }) => text === run)?.share ?? 0;
    expect(shareIn("Harb")).toBeGreaterThan(shareIn("gate"));
    expect(weightNgrams([], passages).map(computeNgramShare)).toEqual([0, 0, 0, 0]);
    expect(weightNgrams(ngrams, [])).toEqual([]);
    expect(weightNgrams(ngrams, ["Of no use"]).map(computeNgramShare)).toEqual([0]);
  });
  it("reranking ignores case if the question has no capitals", () => {
    const passages = ["In HARBOUR Gate", "Nothing of it"];
    const shareWith = (question: string): number => computeNgramShare(weightNgrams(weighed(question).ngrams, passages)[0] as PassageNgrams);
    expect(shareWith("harbour gate")).toBeCloseTo(1);
    const [asked] = weightNgrams(weighed("Harbour gate").ngrams, passages);
    expect(asked?.ngrams.map(({ text }) => text)).toEqual(["ate "]);
    // Capital I with a dot becomes two characters, which would shift offsets.
    const [turkish] = weightNgrams(weighed("kapı").ngrams, ["İki kapı"]);
    expect(turkish?.text).toBe("İki kapı");
    expect(computeNgramShareBetween(turkish as PassageNgrams, 4, 8)).toBeCloseTo(1);
  });
  it("reranking counts an n-gram for its sentence", () => {
    const text = "It rained. They painted the Harbour's gate.";
    const [ngrams] = weightNgrams(weighed("Harbour's gate").ngrams, [text]);
    const reading = matchPassage(weighed("Harbour's gate"), text, { ngrams });
    expect(reading.ngramShare).toBeCloseTo(1);
    expect(reading.sentences.map((sentence) => Math.round(sentence.ngramShare * 100))).toEqual([0, 100]);
    expect(computeNgramShareBetween(ngrams as PassageNgrams, 0, 10)).toBe(0);
  });
  it("reranking prefers the passage with the question's spelling, of two with the same stems", async () => {
    const tiles = [
      { id: "other", title: "", text: "The painters of the harbour gates met in spring." },
      { id: "same", title: "", text: "The painter of the harbour gate met in spring." },
    ];
    const { passages } = await retrieve(fakeBoard(tiles), "b", "c", "Who was the painter of the harbour gate?", { limit: 2 });
    expect(passages.map(({ tileId }) => tileId)).toEqual(["same", "other"]);
  });
  it("reranking weights the rarest word most, and counts the title", async () => {
    const common = Array.from({ length: 12 }, (_, i) => ({ id: `n${i}`, title: "", text: `The old garden wall has a number ${i}.` }));
    const tiles = [...common, { id: "rare", title: "", text: "A quatrefoil was cut into the stone." }];
    const { passages } = await retrieve(fakeBoard(tiles), "b", "c", "Which old garden wall has a quatrefoil?", { limit: 20 });
    const getMatch = (id: string) => passages.find(({ tileId }) => tileId === id)?.match;
    expect(getMatch("rare")?.coverage).toBeLessThan(getMatch("n1")?.coverage ?? 0);
    expect(getMatch("rare")?.bestSentenceWithTitle).toBeGreaterThan(getMatch("n1")?.bestSentenceWithTitle ?? 1);
    const titled = ["The quatrefoil", "The library"].map((title, at) => ({ id: `t${at}`, title, text: "It was cut into the wall." }));
    const found = await retrieve(fakeBoard([...titled, ...common]), "b", "c", "quatrefoil wall", { limit: 20 });
    const getTitleScore = (id: string): number => found.passages.find(({ tileId }) => tileId === id)?.match.bestSentenceWithTitle ?? 0;
    expect(getTitleScore("t0")).toBeCloseTo(1);
    expect(getTitleScore("t1")).toBeLessThan(0.5);
    expect(matchPassage(weighed("harbour"), "", { tile: { title: "The harbour" } }).bestSentenceWithTitle).toBeCloseTo(1);
    expect(matchPassage(weighed(""), "Words.", { tile: { title: "The harbour" } })).toMatchObject({
      bestSentenceWithTitle: 0,
      proximity: 0,
    });
  });
  it("reranking reports the similarity of the sentence with the highest coverage, not the highest similarity", () => {
    const near = Uint8Array.from({ length: 8 }, () => 255);
    const sentences = new Uint8Array(16).fill(255, 8);
    const reading = matchPassage(weighed("harbour gates"), "The gate of the harbour. Quite like it.", {
      embeddings: { question: near, passage: near, sentences },
    });
    expect(reading.fullestSimilarity).toBe(-1);
    expect(Math.max(...reading.sentences.map(({ similarity }) => similarity ?? 0))).toBe(1);
    expect(matchPassage(weighed("gate"), "A gate.").fullestSimilarity).toBeNull();
  });
  it("reranking matches a long question with a passage of nothing else in reasonable time", () => {
    const words = Array.from(
      { length: 128 },
      (_, i) => `word${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`,
    );
    const all = words.join(" ");
    const passage = Array.from({ length: 20 }, () => all).join(". ");
    expect(measureCpuMs(() => matchPassage(weighed(all), passage, { tile: { title: all } }))).toBeLessThan(1_000);
  });
  it("reranking uses the mean similarity for a passage without a vector", () => {
    const embedding = Uint8Array.from({ length: 8 }, () => 255);
    const near = { question: embedding, passage: embedding, sentences: embedding };
    const match = matchPassage(weighed("gate"), "A gate.", { embeddings: near });
    const [known, unknown] = computeFeatures([candidate("gate", "A gate.", { match }), candidate("gate", "A gate.")]);
    expect(known?.similarity).toBe(1);
    expect(unknown?.similarity).toBe(1);
  });
  it("reranking counts the neighbours of a short passage", () => {
    const [lonely = 0, among = 0] = rank([candidate("gate", "A gate."), candidate("gate", "A gate.", { neighbourScore: 1 })]);
    expect(among).toBeGreaterThan(lonely);
    const scored = { documents: Float64Array.of(4, 5, 9), scores: Float64Array.of(8, 4, 1), coverages: new Float64Array(3) };
    expect(computeNeighbourScores(scored, [5, 100])).toEqual([2, 0]);
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
