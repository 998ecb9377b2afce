import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { type SetName, readSet, selectEvenly } from "../../bench/quality/search/sets.ts";
import { cacheVectors, openByteCache } from "../../bench/quality/search/vectors.ts";
import { appendFileSync, statSync } from "node:fs";
import type { Embedder } from "#domain/answers/vectors.ts";

const folder = mkdtempSync(join(tmpdir(), "tessera-sets-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: SetName, corpus: readonly object[], queries: readonly object[]): void {
  const lines = (items: readonly object[]): Buffer => gzipSync(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "corpus.jsonl.gz"), lines(corpus));
  writeFileSync(join(folder, name, "queries.jsonl.gz"), lines(queries));
}

it("reading a dataset reports that it is absent", () => {
  expect(readSet(folder, "scifact")).toBeNull();
});

it("reading a dataset creates a board for each meeting with questions", () => {
  const turn = (id: string) => ({ id, title: "Ann", text: "Fine." });
  write("qmsum", [turn("a-b-0"), turn("a-b-1"), turn("c-0")], [{ id: "a-b-q0", text: "What?", qrels: { "a-b-1": 1 }, meeting: "a-b" }]);
  const boards = readSet(folder, "qmsum");
  expect(boards?.map(({ name, documents }) => [name, documents.map(({ id }) => id)])).toEqual([["a-b", ["a-b-0", "a-b-1"]]]);
});

it("reading a dataset creates a board for each language, and applies the exclusion list", () => {
  write(
    "xquad",
    [{ id: "de-0-0", title: "", text: "Ja." }],
    [{ id: "de:56", text: "Ob?", qrels: { "de-0-0": 1 }, answers: ["Ja"], ignore: ["de-0-1"] }],
  );
  const [board] = readSet(folder, "xquad") ?? [];
  expect(board).toMatchObject({ name: "de", questions: [{ grades: { "de-0-0": 1 }, answers: ["Ja"], isImpossible: false }] });
  expect([...(board?.questions[0]?.ignored ?? [])]).toEqual(["de-0-1"]);
});

it("reading a dataset samples evenly", () => {
  expect(selectEvenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5)).toEqual([0, 2, 4, 6, 8]);
  expect(selectEvenly([1, 2], 5)).toEqual([1, 2]);
  expect(selectEvenly([1, 2], null)).toEqual([1, 2]);
});

it("the cache of vectors keeps what was stored, and truncates a partial record", () => {
  const file = join(folder, "half.bin");
  const key = (n: number): Buffer => Buffer.alloc(16, n);
  openByteCache(file).set(key(1), Uint8Array.of(1, 2, 3));
  const whole = statSync(file).size;
  appendFileSync(file, Buffer.concat([key(2), Buffer.of(9, 0, 0, 0), Buffer.of(1, 2)]));
  const again = openByteCache(file);
  expect([...(again.get(key(1)) ?? [])]).toEqual([1, 2, 3]);
  expect(again.get(key(2))).toBeUndefined();
  expect(statSync(file).size).toBe(whole);
  again.set(key(2), Uint8Array.of(7));
  expect([...(openByteCache(file).get(key(2)) ?? [])]).toEqual([7]);
});

it("the cache of vectors embeds each text once across runs, with the same binary embeddings", async () => {
  const asked: string[] = [];
  const embedder: Embedder = {
    model: "a/model",
    accepts: (text) => !text.startsWith("Nicht"),
    prepare: () => {},
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) => Float32Array.from({ length: 64 }, (_, at) => Math.sin(text.length * (at + 1))));
    },
    close: async () => {},
  };
  const text = "The ferry leaves at six. It is blue. Nobody knows why.";
  const chunks = [{ document: 4, start: 0, end: text.length }];
  const tile = { businessId: "biz", boardId: "brd", tileId: "til", version: 1, text, chunks };
  const first = await cacheVectors(embedder, join(folder, "cache")).embed(tile);
  expect(first.embedded).toBe(asked.length);
  const question = ["When does it leave?"];
  const vectors = await cacheVectors(embedder, join(folder, "cache")).embedder.embed(question, {
    isUrgent: true,
    signal: new AbortController().signal,
  });
  const count = asked.length;
  const second = cacheVectors(embedder, join(folder, "cache"));
  const again = await second.embed({ ...tile, chunks: [{ ...chunks[0], document: 9 } as (typeof chunks)[number]] });
  expect(again.embedded).toBe(0);
  expect([...(again.embeddings[0]?.passage ?? [])]).toEqual([...(first.embeddings[0]?.passage ?? [])]);
  expect([...(again.embeddings[0]?.sentences ?? [])]).toEqual([...(first.embeddings[0]?.sentences ?? [])]);
  expect(again.embeddings[0]?.document).toBe(9);
  expect(await second.embedder.embed(question, { isUrgent: true, signal: new AbortController().signal })).toEqual(vectors);
  expect(asked).toHaveLength(count);
  const german = { ...tile, text: "Nicht auf Englisch.", chunks: [{ document: 1, start: 0, end: 19 }] };
  expect(await second.embed(german)).toEqual({ embeddings: [], embedded: 0 });
});
