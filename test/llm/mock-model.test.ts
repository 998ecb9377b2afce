import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { expect, test } from "vitest";
import { ModelError } from "#domain/model/model.ts";
import { createLanguageModel } from "#llm/caller.ts";
import { readJson } from "#llm/json.ts";

type StreamPart = Parameters<typeof simulateReadableStream<any>>[0]["chunks"][number];

const USAGE = { inputTokens: { total: 12, noCache: 12, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 3, text: 3, reasoning: 0 } };
const finish = (unified: string): StreamPart => ({ type: "finish", usage: USAGE, finishReason: { unified, raw: unified } });
const textParts = (...deltas: string[]): StreamPart[] => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...deltas.map((delta) => ({ type: "text-delta", id: "1", delta })),
  { type: "text-end", id: "1" },
];
const createMock = (chunks: StreamPart[]) =>
  new MockLanguageModelV4({
    doStream: async () => ({ stream: simulateReadableStream<any>({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) }),
  });
const REQUEST = { system: "S", prompt: "P", maxOutputTokens: 50, signal: new AbortController().signal };

async function readAll(mock: MockLanguageModelV4) {
  const stream = createLanguageModel("mock/mock", async () => mock, "secret-key-1").stream(REQUEST);
  let text = "";
  try {
    for await (const piece of stream.text) text += piece;
    return { text, error: null, usage: await stream.usage };
  } catch (error) {
    return { text, error: error as ModelError, usage: await stream.usage };
  }
}

test("the mock model of the AI SDK returns text without reasoning, with the provider's usage", async () => {
  const reasoning = [
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Hidden thought." },
    { type: "reasoning-end", id: "0" },
  ];
  const mock = createMock([...reasoning, ...textParts("Hello ", "", "you."), finish("stop")]);
  expect(await readAll(mock)).toEqual({ text: "Hello you.", error: null, usage: { input: 12, output: 3 } });
  expect(mock.doStreamCalls[0]).toMatchObject({ maxOutputTokens: 50, prompt: [{ role: "system", content: "S" }, { role: "user" }] });
});

test.each([
  ["length", "cut_off"],
  ["interrupted", "cut_off"],
  ["content-filter", "refused"],
  ["tool-calls", "wrong_answer"],
  ["error", "wrong_answer"],
])("a model ending with %s fails with %s", async (reason, failure) => {
  const { text, error, usage } = await readAll(createMock([...textParts("Hello"), finish(reason)]));
  expect([text, error?.failure, usage]).toEqual(["Hello", failure, { input: 12, output: 3 }]);
});

test("a response without an end is cut off, and the text of its error is not shown", async () => {
  expect((await readAll(createMock(textParts("Hello")))).error?.failure).toBe("cut_off");
  const { error } = await readAll(createMock([...textParts("Hello"), { type: "error", error: new Error("secret-key-1 is wrong") }]));
  expect(error).toBeInstanceOf(ModelError);
  expect(error!.message + String(error!.cause)).not.toContain("secret-key-1");
});

test("a model throwing any value fails with a ModelError", async () => {
  for (const thrown of ["text", null, { statusCode: 401 }, new TypeError("x")]) {
    const { error } = await readAll(
      new MockLanguageModelV4({
        doStream: async () => {
          throw thrown;
        },
      }),
    );
    expect(error).toBeInstanceOf(ModelError);
  }
});

test.each([
  ["[1]", [1]],
  [" \n7 ", 7],
  ["```\n{}\n```", {}],
  ['x {"a": "```"} y', { a: "```" }],
  ["", undefined],
  ["{", undefined],
  ["}{", undefined],
  ["{".repeat(100_000), undefined],
])("JSON in text is parsed from %j if there is any", (text, value) => {
  expect(readJson(text)).toEqual(value);
});
