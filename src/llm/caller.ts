import { setTimeout as sleep } from "node:timers/promises";
import { type LanguageModel, ModelError, type ModelFailure, type ModelRequest, type ModelStream, type TokenUsage } from "#domain/model.ts";
import { isPassing, MESSAGES, statusOf, toModelError } from "./errors.ts";
import { readJson } from "./json.ts";
import type { SdkModel } from "./providers.ts";

/** Calls after the first, and the wait before each, in milliseconds; a provider may ask for more, up to so many seconds. */
const RETRIES = 2;
const BACK_OFF_MS = 300;
const MOST_WAIT_SECONDS = 5;
/** No language's token is longer on average: an answer of more characters than this for each token has ignored its limit. */
const CHARACTERS_PER_TOKEN = 12;
/** By this, tokens are estimated where a provider tells none. */
const USUAL_CHARACTERS_PER_TOKEN = 4;

/** Failures of calls that nothing was read for; what others took is estimated where it is not told. */
const UNCHARGED: ReadonlySet<ModelFailure> = new Set(["unreachable", "rate_limited", "refused"]);

type CallOptions = Parameters<SdkModel["doStream"]>[0];
type Finish = Awaited<ReturnType<SdkModel["doGenerate"]>>["finishReason"]["unified"];
type SdkUsage = Awaited<ReturnType<SdkModel["doGenerate"]>>["usage"];

/** A language model over one of the AI SDK; `open` is called once, by the first call. `key` is kept out of every error. */
export function createCaller(name: string, open: () => Promise<SdkModel>, key: string): LanguageModel {
  let opened: Promise<SdkModel> | undefined;
  const model = (): Promise<SdkModel> => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    name,
    stream: (request) => startStream(model, request, key),
    async object(request) {
      const first = await structured(await model(), request, key);
      if (first.value !== undefined) return { value: first.value, usage: first.usage };
      const second = await fromText(await model(), request, key);
      if (second.value === undefined) throw new ModelError("wrong_answer", MESSAGES.wrong);
      const usage = { input: first.usage.input + second.usage.input, output: first.usage.output + second.usage.output };
      return { value: second.value, usage };
    },
  };
}

function startStream(model: () => Promise<SdkModel>, request: ModelRequest, key: string): ModelStream {
  const { promise: usage, resolve } = Promise.withResolvers<TokenUsage>();
  async function* read(): AsyncGenerator<string> {
    const told: { usage?: SdkUsage } = {};
    let written = 0;
    let isFree = false;
    try {
      for (let attempt = 0; ; attempt++) {
        isFree = false;
        try {
          for await (const piece of readOnce(await model(), request, told)) {
            written += piece.length;
            if (written > request.maxOutputTokens * CHARACTERS_PER_TOKEN) throw new ModelError("cut_off", MESSAGES.tooLong);
            yield piece;
          }
          if (written === 0) throw new ModelError("wrong_answer", MESSAGES.empty);
          return;
        } catch (error) {
          request.signal.throwIfAborted();
          const failure = toModelError(error, key, written > 0);
          isFree = written === 0 && UNCHARGED.has(failure.failure);
          await waitForRetry(failure, written > 0 ? RETRIES : attempt, request.signal);
        }
      }
    } finally {
      resolve(isFree ? { input: 0, output: 0 } : usageOf(told.usage, request, written));
    }
  }
  return { text: read(), usage };
}

/** One call's words; `told` gets what the provider says of its tokens. */
async function* readOnce(model: SdkModel, request: ModelRequest, told: { usage?: SdkUsage }): AsyncGenerator<string> {
  const { stream } = await orAbort(model.doStream(optionsOf(request)), request.signal);
  const reader = stream.getReader();
  let finish: Finish | undefined;
  try {
    for (;;) {
      const { value: part, done } = await orAbort(reader.read(), request.signal);
      if (done) break;
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta" && part.delta !== "") yield part.delta;
      if (part.type === "finish") {
        told.usage = part.usage;
        finish = part.finishReason.unified;
      }
    }
  } finally {
    // Ends the provider's work where nobody reads on; it has ended already where the stream has.
    reader.cancel().catch(() => undefined);
  }
  judgeFinish(finish ?? "interrupted");
}

async function structured(model: SdkModel, request: Parameters<LanguageModel["object"]>[0], key: string) {
  const { schema, schemaName: name } = request;
  const responseFormat = { type: "json", schema, name } as CallOptions["responseFormat"];
  try {
    return await generate(model, { ...optionsOf(request), ...(responseFormat === undefined ? {} : { responseFormat }) }, request, key);
  } catch (error) {
    // Many servers do not know the format: they are asked in words.
    if (error instanceof FormatRefused) return { value: undefined, usage: { input: 0, output: 0 } };
    throw error;
  }
}

function fromText(model: SdkModel, request: Parameters<LanguageModel["object"]>[0], key: string) {
  const system = `${request.system}\n\nAnswer with one JSON value and nothing else, no code fence and no word around it. It keeps to this JSON Schema:\n${JSON.stringify(request.schema)}`;
  return generate(model, optionsOf({ ...request, system }), request, key);
}

class FormatRefused extends Error {}

async function generate(model: SdkModel, options: CallOptions, request: ModelRequest, key: string) {
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await orAbort(model.doGenerate(options), request.signal);
      judgeFinish(result.finishReason.unified);
      const text = result.structuredOutputText ?? result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { value: readJson(text), usage: usageOf(result.usage, request, text.length) };
    } catch (error) {
      request.signal.throwIfAborted();
      const status = statusOf(error);
      if (options.responseFormat !== undefined && (status === 400 || status === 422 || status === 501)) throw new FormatRefused();
      await waitForRetry(toModelError(error, key, false), attempt, request.signal);
    }
  }
}

function judgeFinish(finish: Finish): void {
  if (finish === "length") throw new ModelError("cut_off", MESSAGES.tooLong);
  if (finish === "interrupted") throw new ModelError("cut_off", MESSAGES.cutOff);
  if (finish === "content-filter") throw new ModelError("refused", MESSAGES.declined);
  if (finish === "tool-calls" || finish === "error") throw new ModelError("wrong_answer", MESSAGES.wrong);
}

/** Waits where another try makes sense, else throws the failure. */
async function waitForRetry(failure: ModelError, attempt: number, signal: AbortSignal): Promise<void> {
  const asked = failure.retryAfterSeconds ?? 0;
  // An answer that was too long once will be so again.
  const isLost = !isPassing(failure) || failure.message === MESSAGES.tooLong || asked > MOST_WAIT_SECONDS;
  if (isLost || attempt >= RETRIES) throw failure;
  await orAbort(sleep(Math.max(asked * 1_000, BACK_OFF_MS * 2 ** attempt), undefined, { signal }), signal);
}

function optionsOf({ system, prompt, maxOutputTokens, signal }: ModelRequest): CallOptions {
  return {
    prompt: [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    maxOutputTokens,
    abortSignal: signal,
  };
}

function usageOf(told: SdkUsage | undefined, { system, prompt }: ModelRequest, written: number): TokenUsage {
  const estimate = (characters: number): number => Math.ceil(characters / USUAL_CHARACTERS_PER_TOKEN);
  return {
    input: told?.inputTokens.total ?? estimate(system.length + prompt.length),
    output: told?.outputTokens.total ?? estimate(written),
  };
}

/** What is awaited, or the signal's reason as soon as it is aborted, whether the other side heeds it or not. */
async function orAbort<T>(awaited: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([awaited, aborted]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
