import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuestion } from "#retrieval/lexical/query.ts";
import { scoresAround } from "#retrieval/lexical/rank.ts";
import { type Candidate, featuresOf, scoreOf } from "#retrieval/rerank/rerank.ts";
import { readPassage } from "#retrieval/rerank/reading.ts";
import { type HeldRuns, runsBetween, shareOf, weighRuns } from "#retrieval/rerank/runs.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { cosineOf, distanceAt, meanOf, signatureOf } from "#retrieval/semantic/signature.ts";
import { sentencesOf } from "#retrieval/semantic/sentences.ts";
import { detectLanguage } from "#retrieval/text/language.ts";
import { tokenise } from "#retrieval/text/tokenise.ts";
import { weighQuestion } from "#retrieval/lexical/weigh.ts";
import { cpuMsOf } from "../support/cpu-time.ts";
import { fakeBoard, type FakeTile } from "./fake-search.ts";
import { LANGUAGES } from "./samples.ts";

const weighed = (question: string) => weighQuestion(readQuestion(question), new Map(), { documents: 0, totalLength: 0, nextDocument: 1 });

/** Vectors of 64 components that are told apart by a topic: texts that name the same one lie near each other. */
const TOPICS = ["car|vehicle|automobile", "bread|bakery|loaf", "tax|levy|duty"];
function vectorOf(text: string): Float32Array {
  const topic = TOPICS.findIndex((words) => new RegExp(words, "i").test(text));
  // One topic, one block of positive components: any two topics differ in half of the signs.
  return Float32Array.from({ length: 64 }, (_, i) => (((i >> (topic + 2)) & 1) === 1 ? 1 : -1) / 8);
}

function boardWithVectors(tiles: readonly FakeTile[]) {
  const deps = fakeBoard(tiles);
  const passages = tiles.map((tile, at) => {
    const vectors = sentencesOf(tile.text).map(({ start, end }) => vectorOf(tile.text.slice(start, end)));
    const sentences = new Uint8Array(vectors.length * 8);
    for (const [n, vector] of vectors.entries()) sentences.set(signatureOf(vector), n * 8);
    return { document: at + 1, passage: signatureOf(meanOf(vectors) as Float32Array), sentences };
  });
  const semantic = {
    signatureOf: async (question: string) => signatureOf(vectorOf(question)),
    vectors: {
      signatures: async (_b: string, _c: string, documents: readonly number[]) =>
        passages.filter(({ document }) => documents.includes(document)),
      nearest: async (_b: string, _c: string, signature: Uint8Array, limit: number) =>
        passages
          .map(({ document, passage }) => ({ document, distance: distanceAt(signature, passage, 0) }))
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

describe("signatures", () => {
  it("differ in the bits whose components differ in sign", () => {
    const one = Float32Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    const other = Float32Array.from(one, (value, i) => (i < 5 ? -value : value));
    expect(distanceAt(signatureOf(one), signatureOf(other), 0)).toBe(5);
    expect(cosineOf(0, 64)).toBe(1);
    expect(cosineOf(64, 64)).toBe(-1);
    expect(meanOf([])).toBeNull();
  });
  it("are as far apart as their bits, whatever they are", () => {
    const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const bits = a.reduce((sum, byte, i) => sum + (byte ^ (b[i] as number)).toString(2).replaceAll("0", "").length, 0);
        expect(distanceAt(a, b, 0)).toBe(bits);
      }),
    );
  });
});

describe("search by meaning", () => {
  it("finds a passage that shares no word with the question", async () => {
    const { passages } = await retrieve(boardWithVectors(TILES), "b", "c", "Which vehicle?", { limit: 5 });
    expect(passages.map(({ tileId }) => tileId)).toEqual(["car"]);
    expect(passages[0]?.parts).toMatchObject({ lexical: 0, semantic: 1 });
  });
  it("finds nothing where no passage is near, and by words alone where the question has no vector", async () => {
    expect((await retrieve(boardWithVectors(TILES), "b", "c", "zebras", { limit: 5 })).passages).toEqual([]);
    const deps = boardWithVectors(TILES);
    const without = { ...deps, semantic: { ...deps.semantic, signatureOf: async () => null } };
    expect((await retrieve(without, "b", "c", "Which vehicle?", { limit: 5 })).passages).toEqual([]);
    expect((await retrieve(without, "b", "c", "bakery", { limit: 5 })).passages.map(({ tileId }) => tileId)).toEqual(["bread"]);
  });
  it("never reads a disconnected tile, however near", async () => {
    const hidden = TILES.map((tile) => (tile.id === "car" ? { ...tile, connected: false } : tile));
    expect((await retrieve(boardWithVectors(hidden), "b", "c", "Which vehicle?", { limit: 5 })).passages).toEqual([]);
  });
});

describe("the second look", () => {
  const candidate = (question: string, text: string, more: Partial<Candidate> = {}): Candidate => ({
    lexical: 1,
    around: 0,
    reading: readPassage(weighed(question), text),
    ...more,
  });
  const rank = (candidates: readonly Candidate[]): number[] => featuresOf(candidates).map(scoreOf);

  it("prefers a passage that holds the words in one sentence, and side by side", () => {
    const question = "old harbour gate";
    const [together = 0, apart = 0] = rank([
      candidate(question, "They painted the old harbour gate. It rained. The day was long."),
      candidate(question, "The gate was painted. It rained on the harbour. The day was old."),
    ]);
    expect(together).toBeGreaterThan(apart);
  });
  it("prefers a passage whose words stand closer to one another, wherever its sentences end", () => {
    const question = "harbour gate";
    const read = (text: string) => readPassage(weighed(question), text).closeness;
    expect(read("The gate of the harbour.")).toBeGreaterThan(read("The gate was painted green and white and blue for the harbour."));
    expect(read("They saw a gate. Harbour and town were open.")).toBeGreaterThan(
      read("A gate. It rained all day. The harbour was closed."),
    );
    expect(read("The harbours have gates.")).toBeGreaterThan(0);
    expect(read("A gate, a gate, a gate.")).toBe(0);
    expect(readPassage(weighed("gate"), "A gate.").closeness).toBe(0);
  });
  it("reads runs of characters as they stand, and gives those most of the say that few of the passages hold", () => {
    const { runs } = weighed("  The  Harbour's gate? ");
    expect(runs).toContain("'s g");
    expect(runs).toContain("ate ");
    expect(runs.every((run) => run.length === 4)).toBe(true);
    expect(new Set(runs).size).toBe(runs.length);
    expect(weighed("?").runs).toEqual([]);
    expect(weighed(`(a${"!".repeat(19_000)}b)`).runs).toEqual([" a!!", "a!!!", "!!!!", "!!!b", "!!b "]);
    expect(weighed(`${"ab ".repeat(9)}${"xyzt".repeat(3_000)}`).runs.length).toBeLessThan(100);

    const passages = ["The Harbour's gate", "The gate of harbours", "The gate", "Nothing of it"];
    const found = weighRuns(runs, passages);
    const shares = found.map(shareOf);
    expect(shares[0]).toBeCloseTo(1);
    expect(shares[1]).toBeGreaterThan(shares[2] as number);
    expect(shares[2]).toBeGreaterThan(0);
    expect(found[3]?.runs).toEqual([]);
    const shareIn = (run: string): number => found[0]?.runs.find(({ text }) => text === run)?.share ?? 0;
    expect(shareIn("Harb")).toBeGreaterThan(shareIn("gate"));
    expect(weighRuns([], passages).map(shareOf)).toEqual([0, 0, 0, 0]);
    expect(weighRuns(runs, [])).toEqual([]);
    expect(weighRuns(runs, ["Of no use"]).map(shareOf)).toEqual([0]);
  });
  it("does not ask for capitals where the question was typed without any", () => {
    const passages = ["In HARBOUR Gate", "Nothing of it"];
    const shareWith = (question: string): number => shareOf(weighRuns(weighed(question).runs, passages)[0] as HeldRuns);
    expect(shareWith("harbour gate")).toBeCloseTo(1);
    const [asked] = weighRuns(weighed("Harbour gate").runs, passages);
    expect(asked?.runs.map(({ text }) => text)).toEqual(["ate "]);
    // Capital I with a dot becomes two characters, and places in the text would move.
    const [turkish] = weighRuns(weighed("kapı").runs, ["İki kapı"]);
    expect(turkish?.text).toBe("İki kapı");
    expect(runsBetween(turkish as HeldRuns, 4, 8)).toBeCloseTo(1);
  });
  it("counts a run for the sentence that it stands in", () => {
    const text = "It rained. They painted the Harbour's gate.";
    const [runs] = weighRuns(weighed("Harbour's gate").runs, [text]);
    const reading = readPassage(weighed("Harbour's gate"), text, { runs });
    expect(reading.runs).toBeCloseTo(1);
    expect(reading.sentences.map((sentence) => Math.round(sentence.runs * 100))).toEqual([0, 100]);
    expect(runsBetween(runs as HeldRuns, 0, 10)).toBe(0);
  });
  it("prefers the passage that says a question's words as it does, of two with the same stems", async () => {
    const tiles = [
      { id: "other", title: "", text: "The painters of the harbour gates met in spring." },
      { id: "same", title: "", text: "The painter of the harbour gate met in spring." },
    ];
    const { passages } = await retrieve(fakeBoard(tiles), "b", "c", "Who was the painter of the harbour gate?", { limit: 2 });
    expect(passages.map(({ tileId }) => tileId)).toEqual(["same", "other"]);
  });
  it("gives the rarest word most of the say, and counts what the title says", async () => {
    const common = Array.from({ length: 12 }, (_, i) => ({ id: `n${i}`, title: "", text: `The old garden wall has a number ${i}.` }));
    const tiles = [...common, { id: "rare", title: "", text: "A quatrefoil was cut into the stone." }];
    const { passages } = await retrieve(fakeBoard(tiles), "b", "c", "Which old garden wall has a quatrefoil?", { limit: 20 });
    const readingOf = (id: string) => passages.find(({ tileId }) => tileId === id)?.reading;
    expect(readingOf("rare")?.matched).toBeLessThan(readingOf("n1")?.matched ?? 0);
    expect(readingOf("rare")?.bestSentenceWithTitle).toBeGreaterThan(readingOf("n1")?.bestSentenceWithTitle ?? 1);
    const titled = ["The quatrefoil", "The library"].map((title, at) => ({ id: `t${at}`, title, text: "It was cut into the wall." }));
    const found = await retrieve(fakeBoard([...titled, ...common]), "b", "c", "quatrefoil wall", { limit: 20 });
    const toldBy = (id: string): number => found.passages.find(({ tileId }) => tileId === id)?.reading.bestSentenceWithTitle ?? 0;
    expect(toldBy("t0")).toBeCloseTo(1);
    expect(toldBy("t1")).toBeLessThan(0.5);
    expect(readPassage(weighed("harbour"), "", { title: "The harbour" }).bestSentenceWithTitle).toBeCloseTo(1);
    expect(readPassage(weighed(""), "Words.", { title: "The harbour" })).toMatchObject({ bestSentenceWithTitle: 0, closeness: 0 });
  });
  it("tells how like the question the sentence is that holds most of it, not the likest", () => {
    const near = Uint8Array.from({ length: 8 }, () => 255);
    const sentences = new Uint8Array(16).fill(255, 8);
    const reading = readPassage(weighed("harbour gates"), "The gate of the harbour. Quite like it.", {
      signatures: { question: near, passage: near, sentences },
    });
    expect(reading.likenessOfFullest).toBe(-1);
    expect(Math.max(...reading.sentences.map(({ likeness }) => likeness ?? 0))).toBe(1);
    expect(readPassage(weighed("gate"), "A gate.").likenessOfFullest).toBeNull();
  });
  it("takes no unreasonable time for a long question over a passage that holds nothing else", () => {
    const words = Array.from(
      { length: 128 },
      (_, i) => `word${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`,
    );
    const all = words.join(" ");
    const passage = Array.from({ length: 20 }, () => all).join(". ");
    expect(cpuMsOf(() => readPassage(weighed(all), passage, { title: all }))).toBeLessThan(1_000);
  });
  it("takes the mean likeness for a passage without a vector", () => {
    const signature = Uint8Array.from({ length: 8 }, () => 255);
    const near = { question: signature, passage: signature, sentences: signature };
    const reading = readPassage(weighed("gate"), "A gate.", { signatures: near });
    const [known, unknown] = featuresOf([candidate("gate", "A gate.", { reading }), candidate("gate", "A gate.")]);
    expect(known?.likeness).toBe(1);
    expect(unknown?.likeness).toBe(1);
  });
  it("lets a short passage lean on what is around it", () => {
    const [lonely = 0, among = 0] = rank([candidate("gate", "A gate."), candidate("gate", "A gate.", { around: 1 })]);
    expect(among).toBeGreaterThan(lonely);
    const scored = { documents: Float64Array.of(4, 5, 9), scores: Float64Array.of(8, 4, 1), coverages: new Float64Array(3) };
    expect(scoresAround(scored, [5, 100])).toEqual([2, 0]);
  });
});

describe("a question", () => {
  it("is read in its language, and in all of them where it tells none", () => {
    const [word] = readQuestion("Welche Regierungen sind das?").words;
    expect(tokenise("Die Regierung ist neu und sie ist groß", "de")).toContain(word?.forms[0]);
    expect(readQuestion("Regierungen Haushalte").words[0]?.forms.length).toBeGreaterThan(1);
    expect(readQuestion("What did the governments do?").words[0]?.forms).toHaveLength(1);
  });
  it("finds other forms of its words in every language by how they begin", async () => {
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
});

describe("a language", () => {
  it("is told by its function words, and not where there are none", () => {
    expect(detectLanguage("The gate of the harbour is open and it was painted.")).toBe("en");
    expect(detectLanguage("Das Tor des Hafens ist offen und es wurde gestrichen.")).toBe("de");
    expect(detectLanguage("La puerta del puerto está abierta y fue pintada por los vecinos.")).toBe("es");
    expect(detectLanguage("Node.js PostgreSQL Tessera")).toBeNull();
    expect(detectLanguage(LANGUAGES.Chinese)).toBeNull();
  });
});
