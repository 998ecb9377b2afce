import { expect, it } from "vitest";
import { parseQuestion } from "#retrieval/lexical/query.ts";
import { computeNeighbourScores } from "#retrieval/lexical/bm25.ts";
import { type PassageCandidate, computeFeatures, rerank } from "#retrieval/rerank/rerank.ts";
import { matchPassage } from "#retrieval/rerank/match-passage.ts";
import { type PassageNgrams, computeNgramShareBetween, computeNgramShare, weightNgrams } from "#retrieval/rerank/ngrams.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { weightQuestion } from "#retrieval/lexical/weight-question.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { fakeBoard } from "./fake-search.ts";

const weighed = (question: string) => weightQuestion(parseQuestion(question), new Map(), { documents: 0, totalLength: 0, nextDocument: 1 });

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
  expect(read("They saw a gate. Harbour and town were open.")).toBeGreaterThan(read("A gate. It rained all day. The harbour was closed."));
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
