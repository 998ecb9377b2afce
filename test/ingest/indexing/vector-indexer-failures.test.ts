import { expect, it, vi } from "vitest";
import { createTile, createVector, setUp } from "../fixtures/vector-indexer.ts";

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
