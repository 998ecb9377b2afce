import { afterAll, beforeAll, expect, it } from "vitest";
import { ModelError } from "#domain/model/model.ts";
import type { Embedder } from "#domain/answers/vectors.ts";
import { openEmbedder } from "#llm/embedder/open.ts";
import { createRemoteEmbedder } from "#llm/embedder/openai-compatible.ts";
import { createModelFetch } from "#llm/fetch.ts";
import { type OpenAiServer, startOpenAiServer } from "../support/servers/openai-server.ts";

const KEY = "sk-test-0123456789abcdef";
const never = new AbortController().signal;
const calmly = { isUrgent: false, signal: never };

let server: OpenAiServer;
const opened: Embedder[] = [];

beforeAll(async () => {
  server = await startOpenAiServer(() => ({ status: 500 }));
});

afterAll(async () => {
  for (const embedder of opened) await embedder.close();
  await server.close();
});

function open(apiKey = KEY): Embedder {
  const embedder = createRemoteEmbedder({ model: "nomic", baseUrl: server.url, apiKey }, async () => createModelFetch());
  opened.push(embedder);
  return embedder;
}

/** A vector with this number of components, derived from the length of the text. */
const createVector = (text: string, dimensions = 64): number[] =>
  Array.from({ length: dimensions }, (_, i) => Math.sin(text.length + i) * 3);
const single = (embedding: unknown, index: unknown = 0) => ({ status: 200, body: { data: [{ index, embedding }] } });

async function catchModelError(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  expect(`${(error as ModelError).message} ${String((error as ModelError).cause)}`).not.toContain(KEY);
  return error as ModelError;
}

it("an embeddings server gets texts of any language, 64 at a time, and returns unit vectors in order", async () => {
  server.script(() => ({ vectors: (text) => createVector(text) }));
  const embedder = open();
  expect(embedder.model).toBe("openai-compatible/nomic");
  expect(embedder.accepts("満潮は正午です")).toBe(true);
  const texts = Array.from({ length: 150 }, (_, i) => (i === 7 ? "  " : `テキスト ${"x".repeat(i)}`));
  const before = server.requests.length;
  const vectors = await embedder.embed(texts, calmly);
  const requests = server.requests.slice(before);
  expect(requests.map(({ json }) => json.input.length)).toEqual([64, 64, 21]);
  expect(requests.every(({ headers, json }) => headers.authorization === `Bearer ${KEY}` && json.model === "nomic")).toBe(true);
  for (const [i, vector] of vectors.entries()) {
    if (i === 7) expect(vector.every((part) => part === 0) && vector.length === 64).toBe(true);
    else {
      const wanted = createVector(texts[i]!);
      const length = Math.hypot(...wanted);
      wanted.forEach((part, c) => expect(vector[c]).toBeCloseTo(part / length, 5));
    }
  }
  await open("").embed(["x"], calmly);
  expect(server.requests.at(-1)!.headers.authorization).toBeUndefined();
});

it("an embeddings server returns vectors by their index, truncated to a multiple of 32 components", async () => {
  server.script(() => ({
    status: 200,
    body: {
      data: [
        { index: 1, embedding: createVector("bb", 70) },
        { index: 0, embedding: createVector("a", 70) },
      ],
    },
  }));
  const vectors = await open().embed(["a", "bb"], calmly);
  expect(vectors.map(({ length }) => length)).toEqual([64, 64]);
  const scale = vectors[0]![0]! / createVector("a")[0]!;
  expect(vectors[0]![5]).toBeCloseTo(createVector("a")[5]! * scale, 5);
});

it("an embeddings server is called again after a short failure or a short Retry-After", async () => {
  let calls = 0;
  server.script(() => {
    calls++;
    if (calls === 1) return { status: 503 };
    if (calls === 2) return { status: 429, headers: { "retry-after": "1" } };
    return { vectors: createVector };
  });
  expect(await open().embed(["text"], calmly)).toHaveLength(1);
  expect(calls).toBe(3);
});

it.each([
  ["EMBEDDINGS_API_KEY", { status: 401, body: { error: { message: `Incorrect key ${KEY}` } } }],
  ["EMBEDDINGS_MODEL and EMBEDDINGS_BASE_URL", { status: 404 }],
  ["redirects elsewhere", { status: 302, headers: { location: "http://127.0.0.1:9/" } }],
  ["Check EMBEDDINGS_MODEL", { status: 400 }],
  ["an invalid response", { status: 200, body: "no json" }],
  ["an invalid response", { status: 200, body: {} }],
  ["an invalid response", { status: 200, body: { data: [] } }],
  ["an invalid response", { status: 200, body: { data: [null] } }],
  ["an invalid response", single("text")],
  ["an invalid response", single([1, 2, 3])],
  ["an invalid response", single(Array.from({ length: 64 }, () => "1"))],
  ["an invalid response", single(Array.from({ length: 64 }, () => null))],
  ["an invalid response", single(Array.from({ length: 20_000 }, () => 1))],
  ["an invalid response", single(createVector("x"), 5)],
  ["an invalid response", single(createVector("x"), "0")],
])("an embeddings server fails with advice: %s", async (words, reply) => {
  server.script(() => reply);
  const before = server.requests.length;
  expect((await catchModelError(open().embed(["text"], calmly))).message).toContain(words);
  expect(server.requests.length - before).toBe(1);
});

it("an embeddings server must not change the length of its vectors", async () => {
  let dimensions = 64;
  server.script(() => ({ vectors: (text) => createVector(text, dimensions) }));
  const embedder = open();
  await embedder.embed(["one"], calmly);
  dimensions = 96;
  expect((await catchModelError(embedder.embed(["two"], calmly))).failure).toBe("wrong_answer");
});

it("an embeddings server is aborted at once by its caller or by closing, and after a short limit for urgent texts", async () => {
  server.script(() => ({ text: "never", waitMs: 30_000 }));
  const embedder = open();
  const controller = new AbortController();
  const work = embedder.embed(["text"], { isUrgent: false, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("Gone.")), 50);
  await expect(work).rejects.toThrow("Gone.");
  const since = performance.now();
  expect((await catchModelError(embedder.embed(["question"], { isUrgent: true, signal: never }))).failure).toBe("timeout");
  expect(performance.now() - since).toBeLessThan(9_000);
  const last = expect(embedder.embed(["text"], calmly)).rejects.toThrow(/closed/);
  setTimeout(() => void embedder.close(), 50);
  await last;
});

it("an embeddings server fails with advice if it is unreachable", async () => {
  const gone = await startOpenAiServer(() => ({ status: 500 }));
  await gone.close();
  const settings = { kind: "openai-compatible", model: "m", baseUrl: gone.url, apiKey: "" } as const;
  const embedder = openEmbedder(settings, () => null)!;
  opened.push(embedder);
  expect((await catchModelError(embedder.embed(["text"], { isUrgent: true, signal: never }))).message).toMatch(
    /EMBEDDINGS_BASE_URL|in time/,
  );
});

it("disabled vectors have no embedder", () => {
  expect(openEmbedder({ kind: "off", model: "", baseUrl: "", apiKey: "" }, () => null)).toBe(null);
});
