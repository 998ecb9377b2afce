import { afterEach, expect, it } from "vitest";
import type { Embedder } from "#domain/answers/vectors.ts";
import { createLocalEmbedder, type LocalOptions } from "#llm/embedder/local.ts";
import { cacheUrgent } from "#llm/embedder/cache.ts";
import { detectLanguage } from "#retrieval/text/language/language.ts";

const opened: Embedder[] = [];

afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close();
});

function open(more: Partial<LocalOptions> = {}): Embedder {
  const embedder = createLocalEmbedder({ detectLanguage, ...more });
  opened.push(embedder);
  return embedder;
}

const FAKE = { module: new URL("./fixtures/sentence-thread.ts", import.meta.url) };
const NEVER = new AbortController().signal;
const calmly = { isUrgent: false, signal: NEVER };
const urgently = { isUrgent: true, signal: NEVER };
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, part, i) => sum + part * b[i]!, 0);
/** The value that the fake thread stores in a vector: the length of the text divided by the size of its batch. */
const getLengthPerBatchSize = (vector: Float32Array | undefined) => Math.round((1_000 * vector![0]!) / vector![1]!) / 1_000;

it("the local sentence model returns similar vectors for similar sentences, in the given order", async () => {
  const embedder = open();
  const texts = [
    "The harbour opens at six.",
    "",
    "A recipe for apple pie with cinnamon and sugar.",
    "When can ships enter the port?",
    " \n",
  ];
  const [opens, empty, pie, question, blank] = await embedder.embed(texts, calmly);
  for (const vector of [opens!, pie!, question!]) {
    expect(vector).toHaveLength(512);
    expect(cosine(vector, vector)).toBeCloseTo(1, 4);
  }
  expect(cosine(opens!, question!)).toBeGreaterThan(cosine(pie!, question!) + 0.1);
  for (const nothing of [empty!, blank!]) expect(nothing.every((part) => part === 0)).toBe(true);
  const [again] = await embedder.embed(["When can ships enter the port?"], urgently);
  expect(cosine(again!, question!)).toBeGreaterThan(0.999);
  const hostile = ["\ud800 lone", "\u0000\u0001", "👩‍👩‍👧 ﷺ ｆｕｌｌ", "q9".repeat(5_000), "é".repeat(700), "<s></s> � extra_token_id_1"];
  for (const vector of await embedder.embed(hostile, calmly)) expect(vector.every(Number.isFinite)).toBe(true);
});

it("the local sentence model accepts English, and short texts in its alphabet, but no other language", () => {
  const { accepts } = open(FAKE);
  for (const text of ["The tide is high at noon.", "Tide tables 2026", "Müller GmbH, Zürich: opening hours"])
    expect(accepts(text), text).toBe(true);
  for (const text of [
    "Die Flut ist am Mittag hoch.",
    "La marée est haute à midi et le port est fermé.",
    "満潮は正午です",
    "Прилив в полдень",
    "น้ำขึ้นตอนเที่ยง",
    "12 + 34",
    "",
  ])
    expect(accepts(text), text).toBe(false);
});

it("the local sentence model runs urgent texts after the current batch", async () => {
  const embedder = open(FAKE);
  const order: string[] = [];
  await embedder.embed(["warm"], calmly);
  const many = embedder
    .embed(
      Array.from({ length: 12 }, (_, i) => `slow ${i + 10}`),
      calmly,
    )
    .then(() => order.push("calm"));
  const question = embedder.embed(["a question"], urgently).then(() => order.push("urgent"));
  await Promise.all([many, question]);
  expect(order).toEqual(["urgent", "calm"]);
});

it("the local sentence model batches texts of similar length, four at a time, and returns a vector for each", async () => {
  const embedder = open(FAKE);
  const texts = [30, 5, 31, 6, 32, 7, 33, 8, 100].map((length) => "x".repeat(length));
  const vectors = await embedder.embed(texts, calmly);
  const sizes = [4, 4, 4, 4, 4, 4, 4, 4, 1];
  vectors.forEach((vector, i) => expect(getLengthPerBatchSize(vector)).toBeCloseTo(texts[i]!.length / sizes[i]!, 3));
});

it.each([
  ["crash", /failed/],
  ["exit", /ended by itself \(3\)/],
  ["hang", /took too long/],
  ["refuse", /failed on a text/],
  ["short", /left a text out/],
  ["heap", /failed/],
])(
  "the local sentence model fails the texts of a batch after a failure of the thread (%s), and runs the next ones in a new thread",
  async (fate, message) => {
    const embedder = open({ ...FAKE, batchTimeoutMs: fate === "heap" ? 20_000 : 300 });
    const [first, second] = await Promise.allSettled([
      embedder.embed([`${fate} 1`, "with it", "with it too", "and it too"], calmly),
      embedder.embed(["beside it in the queue"], calmly),
    ]);
    expect(first).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(message) } });
    expect(second.status).toBe("fulfilled");
    expect(getLengthPerBatchSize((await embedder.embed(["afterwards"], urgently))[0])).toBe(10);
  },
);

it("the local sentence model does not start the thread repeatedly if it cannot start", async () => {
  const embedder = open({ module: new URL("./fixtures/no-such-file.ts", import.meta.url), restartDelayMs: 60_000 });
  const failure = await embedder.embed(["a"], calmly).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringMatching(/thread of the sentence model failed/) });
  // A second start would fail with another error.
  await expect(embedder.embed(["b"], urgently)).rejects.toBe(failure);
  const again = open({ module: new URL("./fixtures/no-such-file.ts", import.meta.url), startTimeoutMs: 1, restartDelayMs: 0 });
  await expect(again.embed(["a"], calmly)).rejects.toThrow(/thread of the sentence model/);
});

it("the local sentence model ends its idle thread, and starts another one for the next text", async () => {
  const embedder = open({ ...FAKE, idleMs: 30 });
  await embedder.embed(["one"], calmly);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(getLengthPerBatchSize((await embedder.embed(["three"], calmly))[0])).toBe(5);
});

it("the local sentence model loads the model ahead of the first text on request, once, and releases it when idle", async () => {
  let starts = 0;
  const channel = new BroadcastChannel("starts of the sentence model");
  channel.addEventListener("message", () => starts++);
  const module = new URL("./fixtures/announced-thread.ts", import.meta.url);
  try {
    const embedder = open({ module });
    embedder.prepare();
    embedder.prepare();
    await expect.poll(() => starts).toBe(1);
    embedder.prepare();
    expect(getLengthPerBatchSize((await embedder.embed(["three"], urgently))[0])).toBe(5);
    await embedder.close();
    embedder.prepare();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(starts).toBe(1);
    const restless = open({ module, idleMs: 30 });
    await expect.poll(() => (restless.prepare(), starts)).toBeGreaterThan(2);
  } finally {
    channel.close();
  }
});

it("the local sentence model reports a failed preparation with the next text", async () => {
  const embedder = open({ module: new URL("./fixtures/no-such-file.ts", import.meta.url), restartDelayMs: 60_000 });
  embedder.prepare();
  await expect
    .poll(() => embedder.embed(["a"], calmly).catch((error: Error) => error.message))
    .toMatch(/thread of the sentence model failed/);
  embedder.prepare();
  await expect(embedder.embed(["b"], urgently)).rejects.toThrow(/thread of the sentence model failed/);
});

it("the local sentence model drops aborted texts, and all when it is closed", async () => {
  const embedder = open(FAKE);
  await embedder.embed(["warm"], calmly);
  const controller = new AbortController();
  const slow = embedder.embed(["slow 1"], calmly);
  const unwanted = embedder.embed(["hang, if it ever came to that"], { isUrgent: false, signal: controller.signal });
  controller.abort(new Error("Not wanted."));
  await expect(unwanted).rejects.toThrow("Not wanted.");
  await expect(embedder.embed(["x"], { isUrgent: true, signal: controller.signal })).rejects.toThrow("Not wanted.");
  await slow;
  expect(await embedder.embed([], calmly)).toEqual([]);
  const left = expect(embedder.embed(["slow 2", "slow 3"], calmly)).rejects.toThrow(/closed/);
  await embedder.close();
  await left;
  await expect(embedder.embed(["x"], calmly)).rejects.toThrow(/closed/);
});

it("the cache of questions embeds each urgent text once while it is cached, and others every time", async () => {
  const asked: string[] = [];
  const embedder = cacheUrgent(
    {
      model: "fake",
      accepts: () => true,
      prepare: () => {},
      embed: async (texts) => {
        asked.push(...texts);
        return texts.map((text) => Float32Array.of(text.length));
      },
      close: async () => {},
    },
    2,
  );
  expect(await embedder.embed(["aa", "b", "aa"], urgently)).toEqual([Float32Array.of(2), Float32Array.of(1), Float32Array.of(2)]);
  await embedder.embed(["b"], urgently);
  await embedder.embed(["ccc"], urgently);
  expect(asked).toEqual(["aa", "b", "ccc"]);
  await embedder.embed(["b", "aa"], urgently);
  expect(asked).toEqual(["aa", "b", "ccc", "aa"]);
  await embedder.embed(["aa"], calmly);
  expect(asked).toEqual(["aa", "b", "ccc", "aa", "aa"]);
});
