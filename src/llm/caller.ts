import {
  type LanguageModel,
  ModelError,
  type ModelRequest,
  type ModelStream,
  type TokenUsage,
  UNCHARGED,
  estimateUsage,
} from "#domain/model/model.ts";
import { delay, waitOrAbort } from "#runtime/wait.ts";
import { isPassing, MESSAGES, statusOf, toModelError } from "./errors.ts";
import { readJson } from "./json.ts";
import type { SdkModel } from "./providers.ts";
import { createThinkingFilter, withoutThinking } from "./thinking.ts";

/** Calls after the first, and the wait before each, in milliseconds; a provider may ask for more, up to so many seconds. */
const RETRIES = 2;
const BACK_OFF_MS = 300;
const MAX_WAIT_SECONDS = 5;
/** No language's token is longer on average: an answer of more characters than this for each token has ignored its limit. */
const CHARACTERS_PER_TOKEN = 12;

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
      let usage: TokenUsage = { input: 0, output: 0 };
      const spend: Spend = ({ input, output }) => void (usage = { input: usage.input + input, output: usage.output + output });
      try {
        const value = (await structured(await model(), request, key, spend)) ?? (await fromText(await model(), request, key, spend));
        if (value === undefined) throw new ModelError("wrong_answer", MESSAGES.wrong);
        return { value, usage };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const { failure, message, cause, retryAfterSeconds } = error;
        throw new ModelError(failure, message, { cause, retryAfterSeconds, usage });
      }
    },
  };
}

function startStream(model: () => Promise<SdkModel>, request: ModelRequest, key: string): ModelStream {
  const { promise: usage, resolve } = Promise.withResolvers<TokenUsage>();
  async function* read(): AsyncGenerator<string> {
    const told: { usage?: SdkUsage } = {};
    let written = 0;
    let answered = 0;
    let isFree = false;
    try {
      for (let attempt = 0; ; attempt++) {
        isFree = false;
        const thinking = createThinkingFilter();
        try {
          for await (const piece of readOnce(await model(), request, told)) {
            written += piece.length;
            if (written > request.maxOutputTokens * CHARACTERS_PER_TOKEN) throw new ModelError("cut_off", MESSAGES.tooLong);
            const answer = thinking.push(piece);
            answered += answer.length;
            if (answer !== "") yield answer;
          }
          const rest = thinking.end();
          answered += rest.length;
          if (rest !== "") yield rest;
          if (answered === 0) throw new ModelError("wrong_answer", MESSAGES.empty);
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
  const { stream } = await waitOrAbort(model.doStream(optionsOf(request)), request.signal);
  const reader = stream.getReader();
  let finish: Finish | undefined;
  try {
    for (;;) {
      const { value: part, done } = await waitOrAbort(reader.read(), request.signal);
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

/** Told what each call took, also where nothing came of it. */
type Spend = (usage: TokenUsage) => void;

async function structured(model: SdkModel, request: Parameters<LanguageModel["object"]>[0], key: string, spend: Spend): Promise<unknown> {
  const { schema, schemaName: name } = request;
  const responseFormat = { type: "json", schema, name } as CallOptions["responseFormat"];
  try {
    return await generate(
      model,
      { ...optionsOf(request), ...(responseFormat === undefined ? {} : { responseFormat }) },
      request,
      key,
      spend,
    );
  } catch (error) {
    // Many servers do not know the format: they are asked in words.
    if (error instanceof FormatRefused) return undefined;
    throw error;
  }
}

function fromText(model: SdkModel, request: Parameters<LanguageModel["object"]>[0], key: string, spend: Spend): Promise<unknown> {
  const system = `${request.system}\n\nAnswer with one JSON value and nothing else, no code fence and no word around it. It keeps to this JSON Schema:\n${JSON.stringify(request.schema)}`;
  return generate(model, optionsOf({ ...request, system }), request, key, spend);
}

class FormatRefused extends Error {}

/** The JSON value that the model answers with; undefined where it answers with none. */
async function generate(model: SdkModel, options: CallOptions, request: ModelRequest, key: string, spend: Spend): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    let isCounted = false;
    try {
      const result = await waitOrAbort(model.doGenerate(options), request.signal);
      const text = result.structuredOutputText ?? result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      spend(usageOf(result.usage, request, text.length));
      isCounted = true;
      judgeFinish(result.finishReason.unified);
      if (text.length > request.maxOutputTokens * CHARACTERS_PER_TOKEN) throw new ModelError("cut_off", MESSAGES.tooLong);
      return readJson(withoutThinking(text));
    } catch (error) {
      const failure = toModelError(request.signal.aborted ? request.signal.reason : error, key, false);
      const status = statusOf(error);
      const isFormatRefused = options.responseFormat !== undefined && (status === 400 || status === 422 || status === 501);
      if (!isCounted && !isFormatRefused && !UNCHARGED.has(failure.failure)) spend(estimateUsage(request, 0));
      request.signal.throwIfAborted();
      if (isFormatRefused) throw new FormatRefused();
      await waitForRetry(failure, attempt, request.signal);
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
  const isLost = !isPassing(failure) || failure.message === MESSAGES.tooLong || asked > MAX_WAIT_SECONDS;
  if (isLost || attempt >= RETRIES) throw failure;
  await delay(Math.max(asked * 1_000, BACK_OFF_MS * 2 ** attempt), signal);
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

function usageOf(told: SdkUsage | undefined, request: ModelRequest, written: number): TokenUsage {
  const estimate = estimateUsage(request, written);
  return { input: told?.inputTokens.total ?? estimate.input, output: told?.outputTokens.total ?? estimate.output };
}
