import { ModelError, type ModelRequest, type ModelStream, type TokenUsage, UNBILLED_FAILURES } from "#domain/model/model.ts";
import { waitOrAbort } from "#runtime/wait.ts";
import { MESSAGES, toModelError } from "./errors.ts";
import type { SdkModel } from "./providers.ts";
import { checkFinish, checkLength, type FinishReason, type SdkUsage, toCallOptions, toTokenUsage, waitForRetry } from "./request.ts";
import { createThinkingFilter } from "./thinking.ts";

/** Streams an answer without the model's reasoning. Failed attempts are repeated only before the first text. */
export function startStream(open: () => Promise<SdkModel>, request: ModelRequest, key: string): ModelStream {
  const { promise: usage, resolve } = Promise.withResolvers<TokenUsage>();
  const answer = new AnswerStream(open, request, key);
  async function* read(): AsyncGenerator<string> {
    try {
      yield* answer.read();
    } finally {
      resolve(answer.usage);
    }
  }
  return { text: read(), usage };
}

class AnswerStream {
  readonly #open: () => Promise<SdkModel>;
  readonly #request: ModelRequest;
  readonly #key: string;
  /** Characters received in all attempts, including reasoning. */
  #written = 0;
  #isUnbilled = false;
  #reported: SdkUsage | undefined;

  constructor(open: () => Promise<SdkModel>, request: ModelRequest, key: string) {
    this.#open = open;
    this.#request = request;
    this.#key = key;
  }

  get usage(): TokenUsage {
    return this.#isUnbilled ? { input: 0, output: 0 } : toTokenUsage(this.#reported, this.#request, this.#written);
  }

  async *read(): AsyncGenerator<string> {
    const { signal } = this.#request;
    for (let attempt = 0; ; attempt++) {
      this.#isUnbilled = false;
      try {
        yield* this.#readAnswer();
        return;
      } catch (error) {
        signal.throwIfAborted();
        const hasBegun = this.#written > 0;
        const failure = toModelError(error, this.#key, hasBegun);
        this.#isUnbilled = !hasBegun && UNBILLED_FAILURES.has(failure.failure);
        if (hasBegun) throw failure;
        await waitForRetry(failure, attempt, signal);
      }
    }
  }

  async *#readAnswer(): AsyncGenerator<string> {
    const thinking = createThinkingFilter();
    let isEmpty = true;
    for await (const chunk of this.#readChunks(await this.#open())) {
      this.#written += chunk.length;
      checkLength(this.#written, this.#request);
      const text = thinking.push(chunk);
      if (text === "") continue;
      isEmpty = false;
      yield text;
    }
    const rest = thinking.end();
    if (rest !== "") yield rest;
    if (isEmpty && rest === "") throw new ModelError("wrong_answer", MESSAGES.empty);
  }

  /** Makes one call of the model, and yields its text as it arrives. */
  async *#readChunks(model: SdkModel): AsyncGenerator<string> {
    const { signal } = this.#request;
    const { stream } = await waitOrAbort(model.doStream(toCallOptions(this.#request)), signal);
    const reader = stream.getReader();
    let finish: FinishReason | undefined;
    try {
      for (;;) {
        const { value: part, done } = await waitOrAbort(reader.read(), signal);
        if (done) break;
        if (part.type === "error") throw part.error;
        if (part.type === "text-delta" && part.delta !== "") yield part.delta;
        if (part.type === "finish") {
          this.#reported = part.usage;
          finish = part.finishReason.unified;
        }
      }
    } finally {
      // Stops the provider if the caller stops reading; has no effect at the end of the stream.
      reader.cancel().catch(() => undefined);
    }
    checkFinish(finish ?? "interrupted");
  }
}
