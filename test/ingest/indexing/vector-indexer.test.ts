import { afterEach, expect, it, vi } from "vitest";
import type { Embedder, PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";
import { type VectorIndexer, type VectorIndexerDeps, startVectorIndexer } from "#ingest/vectors/vector-indexer.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";

const indexers: VectorIndexer[] = [];
afterEach(async () => {
  for (const indexer of indexers.splice(0)) await indexer.stop();
  vi.restoreAllMocks();
});

/** A tile with this many passages and sentences per passage. */
function createTile(id: string, passages: number, sentences = 2, words = "stands here for all to read"): UnembeddedTile {
  let text = "";
  const chunks = Array.from({ length: passages }, (_, i) => {
    const start = text.length;
    text += Array.from({ length: sentences }, (_, s) => `Sentence ${s} of part ${i} ${words}. `).join("");
    return { document: i, start, end: text.length };
  });
  return { businessId: "biz_1", boardId: `brd_${id[0]}`, tileId: id, version: 1, text, chunks };
}

/** A vector derived from the text only. */
const createVector = (text: string): Float32Array =>
  Float32Array.from({ length: 32 }, (_, i) => Math.sin(text.length * 7 + i + text.charCodeAt(9)));

function setUp(
  tiles: readonly UnembeddedTile[],
  more: Partial<VectorIndexerDeps> & {
    readonly embed?: Embedder["embed"];
    readonly accepts?: (text: string) => boolean;
    readonly mayUseModel?: () => boolean;
    readonly discards?: boolean[];
  } = {},
) {
  const waiting = [...tiles];
  const stored = new Map<string, readonly PassageEmbeddings[]>();
  const calls: (readonly string[])[] = [];
  const turns: string[][] = [];
  const models: (string | null)[] = [];
  const errors: string[] = [];
  const listeners = new Set<() => void>();
  const embedder: Embedder = {
    model: "fake",
    accepts: more.accepts ?? (() => true),
    prepare: () => {},
    embed:
      more.embed ??
      (async (texts) => {
        calls.push(texts);
        return texts.map(createVector);
      }),
    close: async () => {},
  };
  const vectors: VectorIndexerDeps["vectors"] = {
    useModel: async (model) => models.push(model) > 0 && (more.mayUseModel?.() ?? true),
    modelInUse: async () => (more.mayUseModel?.() === false ? "other" : "fake"),
    discardStep: async () => more.discards?.pop() ?? false,
    async unembedded(limit, characters) {
      const found: UnembeddedTile[] = [];
      for (let sum = 0; found.length < Math.min(limit, waiting.length) && (found.length === 0 || sum < characters);) {
        const tile = waiting[found.length]!;
        found.push(tile);
        sum += tile.text.length;
      }
      // Each tile has its turn, as in the store.
      waiting.push(...waiting.splice(0, found.length));
      turns.push(found.map(({ tileId }) => tileId));
      return found;
    },
    async embed(items) {
      for (const { tile, embeddings } of items) {
        stored.set(tile.tileId, embeddings);
        const place = waiting.findIndex(({ tileId }) => tileId === tile.tileId);
        if (place >= 0) waiting.splice(place, 1);
      }
    },
  };
  const indexer = startVectorIndexer({
    vectors: { ...vectors, ...more.vectors },
    embedder,
    onChange: (wake) => {
      listeners.add(wake);
      return () => listeners.delete(wake);
    },
    isBusy: () => false,
    clock: { now: () => Date.now() },
    log: { info() {}, warn() {}, error: (_fields, message) => void errors.push(message) },
    ...more,
    limits: { pollMs: 20, debounceMs: 1, ...more.limits },
    ...("embedder" in more ? { embedder: more.embedder! } : {}),
  });
  indexers.push(indexer);
  return { indexer, stored, calls, turns, models, errors, waiting, wake: () => listeners.forEach((listener) => listener()) };
}

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

it("the vector indexer retries failures with increasing delays, never in a busy loop", async () => {
  let calls = 0;
  const { indexer, stored, errors } = setUp([createTile("a1", 1)], {
    embed: async (texts) => {
      if (++calls <= 2) throw new Error("The model is away.");
      return texts.map(createVector);
    },
  });
  const since = performance.now();
  await indexer.idle();
  expect(stored.get("a1")).toHaveLength(1);
  expect(errors).toHaveLength(2);
  expect(errors[0]).toContain("The model is away.");
  expect(performance.now() - since).toBeGreaterThan(20 + 40 - 10);
});

it("the vector indexer gives up a tile that fails repeatedly while others succeed, and keeps the other results", async () => {
  const { indexer, stored, errors } = setUp([createTile("a1", 1), createTile("b-bad", 1, 2, "poison"), createTile("c1", 1)], {
    embed: async (texts) => {
      if (texts.some((text) => text.includes("poison"))) throw new Error("Can't.");
      return texts.map(createVector);
    },
  });
  await indexer.idle();
  expect(stored.get("a1")).toHaveLength(1);
  expect(stored.get("c1")).toHaveLength(1);
  expect(stored.get("b-bad")).toEqual([]);
  expect(errors.filter((message) => message.includes("by its words only"))).toHaveLength(1);
});

it("the vector indexer gives up no tile while nothing can be embedded", async () => {
  let isUnavailable = true;
  const { indexer, stored, errors } = setUp([createTile("a1", 1)], {
    limits: { pollMs: 1 },
    embed: async (texts) => {
      if (isUnavailable) throw new Error("Away.");
      return texts.map(createVector);
    },
  });
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(5), { timeout: 300_000 });
  expect(stored.size).toBe(0);
  isUnavailable = false;
  await indexer.idle();
  expect(stored.get("a1")).toHaveLength(1);
});

it("the vector indexer pauses if a stored tile is returned again", async () => {
  let embeds = 0;
  const { errors } = setUp([createTile("a1", 1)], {
    limits: { pollMs: 50 },
    vectors: {
      useModel: async () => true,
      modelInUse: async () => "fake",
      discardStep: async () => false,
      unembedded: async () => [createTile("a1", 1)],
      embed: async () => void embeds++,
    },
  });
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1), { timeout: 300_000 });
  expect(errors[0]).toContain("again after its vectors were stored");
  expect(embeds).toBeLessThan(5);
});

it("the vector indexer notices that another node has taken over meanwhile", async () => {
  let isLost = false;
  const lines: string[] = [];
  const { models } = setUp([createTile("a1", 1)], {
    limits: { recheckMs: 5, pollMs: 1 },
    mayUseModel: () => !isLost,
    log: { info: (_fields, message) => void lines.push(message), warn: (_fields, message) => void lines.push(message), error() {} },
  });
  await vi.waitFor(() => expect(models).toEqual(["fake"]), { timeout: 300_000 });
  isLost = true;
  await vi.waitFor(() => expect(lines.join()).toContain("Another node runs with other settings of EMBEDDINGS."), { timeout: 300_000 });
  isLost = false;
  await vi.waitFor(() => expect(lines.join()).toContain("are in use now"), { timeout: 300_000 });
});

it("the vector indexer makes no vectors while another node runs with another model, and says so once", async () => {
  let isRefused = true;
  let offers = 0;
  const lines: string[] = [];
  const { indexer, stored } = setUp([createTile("a1", 1)], {
    limits: { recheckMs: 5 },
    mayUseModel: () => (offers++, !isRefused),
    log: { info: (_fields, message) => void lines.push(message), warn: (_fields, message) => void lines.push(message), error() {} },
  });
  await vi.waitFor(() => expect(offers).toBeGreaterThan(5), { timeout: 300_000 });
  await indexer.idle();
  expect(stored.size).toBe(0);
  expect(lines).toEqual([expect.stringMatching(/^Another node runs with other settings of EMBEDDINGS\./)]);
  isRefused = false;
  await vi.waitFor(() => expect(stored.size).toBe(1), { timeout: 300_000 });
  expect(lines.slice(1)).toEqual(["The settings of EMBEDDINGS are in use now."]);
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

it("the vector indexer runs when it is woken", async () => {
  const { indexer, stored, waiting, wake } = setUp([], { limits: { pollMs: 60_000 } });
  await indexer.idle();
  waiting.push(createTile("a1", 1));
  wake();
  await vi.waitFor(() => expect(stored.size).toBe(1), { timeout: 300_000 });
});
