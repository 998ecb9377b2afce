import { expect, it, vi } from "vitest";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { createTile, createVector, setUp } from "../fixtures/vector-indexer.ts";

it("the vector indexer discards the vectors of an earlier model, step by step, before it embeds", async () => {
  const discards = [true, true, true];
  const { indexer, stored, turns } = setUp([createTile("a1", 1)], { discards });
  await indexer.idle();
  expect([discards.length, turns[0], stored.has("a1")]).toEqual([0, ["a1"], true]);
});

it("the vector indexer stores the mean of the sentence vectors for each passage, and each sentence vector in order", async () => {
  const tile = createTile("a1", 3, 4);
  const { indexer, stored, models } = setUp([tile]);
  await indexer.idle();
  expect(models).toEqual(["fake"]);
  const embeddings = stored.get("a1")!;
  expect(embeddings.map(({ document }) => document)).toEqual([0, 1, 2]);
  const bit = (embedding: Uint8Array, i: number) => (embedding[i >> 3]! >> (i & 7)) & 1;
  for (const [place, { passage, sentences }] of embeddings.entries()) {
    const { start, end } = tile.chunks[place]!;
    const text = tile.text.slice(start, end);
    const own = splitForEmbedding(text).map((span) => createVector(text.slice(span.start, span.end)));
    expect(sentences).toHaveLength(own.length * 4);
    for (let i = 0; i < 32; i++) {
      expect(bit(passage, i)).toBe(own.reduce((sum, vector) => sum + vector[i]!, 0) > 0 ? 1 : 0);
      own.forEach((vector, s) => expect(bit(sentences.subarray(s * 4), i)).toBe(vector[i]! > 0 ? 1 : 0));
    }
  }
});

it("the vector indexer skips passages in unsupported languages; a tile of only such passages counts as done", async () => {
  const { indexer, stored, calls } = setUp([createTile("a1", 2), createTile("b1", 2, 2, "fremde Worte")], {
    accepts: (text) => !text.includes("fremde"),
  });
  await indexer.idle();
  expect(stored.get("a1")).toHaveLength(2);
  expect(stored.get("b1")).toEqual([]);
  expect(calls.flat().join()).not.toContain("fremde");
});

it("the vector indexer embeds a long tile in parts, so that others run between them", async () => {
  const order: string[] = [];
  const long = createTile("a-long", 300, 10);
  const { indexer, stored, turns, waiting } = setUp([long], {
    limits: { sentences: 500, characters: 1_000 },
    embed: async (texts) => {
      order.push(texts[0]!.includes("other") ? "other" : "long");
      if (order.length === 1) waiting.push(createTile("b-short", 1, 1, "other words"));
      return texts.map(createVector);
    },
  });
  await indexer.idle();
  expect(stored.get("a-long")!.map(({ document }) => document)).toEqual(Array.from({ length: 300 }, (_, i) => i));
  expect([...stored.keys()]).toEqual(["b-short", "a-long"]);
  // After two of its turns at most, because it may have been read before the other tile arrived.
  expect(order.indexOf("other")).toBeLessThanOrEqual(16);
  expect(turns.filter((tiles) => tiles.includes("a-long")).length).toBe(6);
});

it("the vector indexer starts a long tile again if it changed between parts", async () => {
  const first = createTile("a-long", 300, 10);
  const second = { ...first, chunks: first.chunks.slice(0, 200).map((chunk) => ({ ...chunk, document: chunk.document + 1_000 })) };
  const { indexer, stored, waiting } = setUp([first], {
    limits: { sentences: 500 },
    embed: async (texts) => {
      if (waiting[0]?.chunks === first.chunks && texts.some((text) => text.includes("part 60 "))) waiting[0] = second;
      return texts.map(createVector);
    },
  });
  await indexer.idle();
  const documents = stored.get("a-long")!.map(({ document }) => document);
  expect(documents).toEqual(Array.from({ length: 200 }, (_, i) => 1_000 + i));
});

it("the vector indexer runs when it is woken", async () => {
  const { indexer, stored, waiting, wake } = setUp([], { limits: { pollMs: 60_000 } });
  await indexer.idle();
  waiting.push(createTile("a1", 1));
  wake();
  await vi.waitFor(() => expect(stored.size).toBe(1), { timeout: 300_000 });
});

it("the vector indexer waits for an idle server, but not forever", async () => {
  const { indexer, stored } = setUp([createTile("a1", 1)], { isBusy: () => true, limits: { maxBusyWaitMs: 200 } });
  const since = performance.now();
  await indexer.idle();
  expect(performance.now() - since).toBeGreaterThan(190);
  expect(stored.size).toBe(1);
});

it("the vector indexer stops at once, also during a call that does not end", async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { indexer, stored, errors } = setUp([createTile("a1", 1)], {
    embed: (_texts, { signal }) =>
      new Promise((_, reject) => {
        resolve();
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const idle = indexer.idle();
  await begun;
  await indexer.stop();
  await idle;
  expect([stored.size, errors.length]).toEqual([0, 0]);
});

it("the vector indexer tells the store that vectors are off, and does nothing else", async () => {
  const { indexer, models, turns } = setUp([createTile("a1", 1)], { embedder: null });
  await indexer.stop();
  expect(models).toEqual([null]);
  expect(turns).toEqual([]);
});
