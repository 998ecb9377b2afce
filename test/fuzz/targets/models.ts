import { ModelError, type ModelRequest } from "#domain/model/model.ts";
import { createRemoteEmbedder } from "#llm/embedder/openai-compatible.ts";
import { createModelFetch } from "#llm/fetch.ts";
import { type OpenedModel, openLanguageModel } from "#llm/model.ts";
import { PROVIDERS } from "#llm/providers.ts";
import { mutateBytes, mutateText, randomJson } from "../support/mutate.ts";
import { randomResponse } from "../support/http-bytes.ts";
import type { Random } from "../support/random.ts";
import { chooseBehaviour, startRawServer } from "../support/raw-server.ts";
import { expectKind, type Target } from "../support/target.ts";

const sse = (events: readonly (object | string)[], names = false): string =>
  events
    .map((event) => {
      const name = names && typeof event === "object" && "type" in event ? `event: ${String(event.type)}\n` : "";
      return `${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
    })
    .join("");

const chunk = (delta: object, finish: string | null = null): object => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** A complete stream of each wire format. */
const OPENAI = sse([
  chunk({ role: "assistant", content: "The lamp " }),
  chunk({ content: "<think>hm</think> burns [1]." }),
  chunk({}, "stop"),
  {
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [],
    usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  },
  "[DONE]",
]);
const ANTHROPIC = sse(
  [
    {
      type: "message_start",
      message: {
        id: "m1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "The lamp burns [1]." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: "message_stop" },
  ],
  true,
);
const GOOGLE = sse([
  { candidates: [{ content: { role: "model", parts: [{ text: "The lamp " }] }, index: 0 }] },
  {
    candidates: [{ content: { role: "model", parts: [{ text: "burns [1]." }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
  },
]);
const STREAMS = [OPENAI, ANTHROPIC, GOOGLE];
const KEYS = ["choices", "delta", "content", "message", "type", "text", "error", "usage", "candidates", "parts", "data", "embedding", "index", "finish_reason", "role", "tool_calls"]; // prettier-ignore
const TEXTS = ["", "text", "text_delta", "content_block_delta", "stop", "assistant", "{", '{"a":1}', "\uD800", "error", "message_start"];

const EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";

/** A stream that is changed, truncated or in the format of another server; or a response that is no stream. */
function randomAnswer(random: Random, streams: readonly string[]): Uint8Array {
  const kind = random.int(10);
  if (kind === 0) return randomResponse(Buffer.from(random.pick(streams)), random);
  if (kind === 1) return randomResponse(Buffer.from(JSON.stringify(randomJson(random, KEYS, TEXTS))), random);
  const text =
    kind === 2
      ? sse(Array.from({ length: 1 + random.int(5) }, () => randomJson(random, KEYS, TEXTS) as object))
      : mutateText(random.pick(streams), random);
  const body = random.chance(0.2) ? mutateBytes(Buffer.from(text), random) : Buffer.from(text);
  const length = random.chance(0.5) ? `Content-Length: ${body.length}\r\n` : "";
  return Buffer.concat([Buffer.from(`${EVENTS}${length}\r\n`), body]);
}

const CALL_MS = 2_500;

const createRequest = (): ModelRequest => ({ system: "s", prompt: "p", maxOutputTokens: 500, signal: AbortSignal.timeout(CALL_MS) });

async function readAll(text: AsyncIterable<string>): Promise<void> {
  let length = 0;
  for await (const piece of text) length += piece.length;
  if (length > 500 * 12) throw new Error(`An answer of ${length} characters was let through.`);
}

/** Model servers: streams and structured responses of each provider, and embeddings. */
export const models: Target = {
  name: "models",
  testRounds: 30,
  async open() {
    const server = await startRawServer();
    const baseUrl = `http://127.0.0.1:${server.port}/v1`;
    const opened: readonly OpenedModel[] = PROVIDERS.map((provider) => openLanguageModel({ provider, model: "m", apiKey: "k", baseUrl }));
    const embedder = createRemoteEmbedder({ model: "m", baseUrl, apiKey: "" }, async () => createModelFetch());
    const embeddings = [JSON.stringify({ data: [{ index: 0, embedding: Array.from({ length: 32 }, (_, i) => i / 32) }] })];
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] } as const;
    const timedOut = (error: unknown): boolean => error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    const expectEnd = (error: unknown): void => (timedOut(error) ? undefined : expectKind(error, ModelError));
    return {
      async round(random) {
        const isEmbedding = random.chance(0.15);
        server.behave(() => chooseBehaviour(randomAnswer(random, isEmbedding ? embeddings : STREAMS), random));
        if (isEmbedding) {
          await embedder.embed(["words"], { isUrgent: true, signal: AbortSignal.timeout(CALL_MS) }).catch((error: unknown) => {
            if (!(error instanceof Error)) throw new Error("Threw something that is no error.", { cause: error });
          });
          return;
        }
        const { model } = random.pick(opened);
        if (random.chance(0.3)) {
          await model.object({ ...createRequest(), schema, schemaName: "answer" }).then(() => undefined, expectEnd);
          return;
        }
        const stream = model.stream(createRequest());
        await readAll(stream.text).catch(expectEnd);
        await stream.usage;
      },
      async close() {
        await Promise.all([...opened.map((one) => one.close()), embedder.close()]);
        await server.close();
      },
    };
  },
};
