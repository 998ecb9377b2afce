import { estimateUsage, ModelError, type ModelRequest, type TokenUsage } from "#domain/model/model.ts";
import { delay } from "#runtime/wait.ts";
import { isTransient, MESSAGES } from "./errors.ts";
import type { SdkModel } from "./providers.ts";

/** Retries, the delay before the first one (it doubles), and the longest delay that a provider may request. */
const MAX_RETRIES = 2;
const RETRY_DELAY_MS = 300;
const MAX_RETRY_AFTER_SECONDS = 5;
/** Tokens are shorter on average in every language, so a longer answer exceeds its limit. */
const MAX_CHARACTERS_PER_TOKEN = 12;

export type CallOptions = Parameters<SdkModel["doStream"]>[0];
export type FinishReason = Awaited<ReturnType<SdkModel["doGenerate"]>>["finishReason"]["unified"];
export type SdkUsage = Awaited<ReturnType<SdkModel["doGenerate"]>>["usage"];

/** Converts a request into the options of the AI SDK. */
export function toCallOptions({ system, prompt, maxOutputTokens, signal }: ModelRequest): CallOptions {
  return {
    prompt: [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    maxOutputTokens,
    abortSignal: signal,
  };
}

/** Throws if an answer is longer than its token limit allows, which some servers ignore. `written`: characters. */
export function checkLength(written: number, { maxOutputTokens }: ModelRequest): void {
  if (written > maxOutputTokens * MAX_CHARACTERS_PER_TOKEN) throw new ModelError("cut_off", MESSAGES.tooLong);
}

/** Throws if the model stopped for another reason than the end of its answer. */
export function checkFinish(reason: FinishReason): void {
  if (reason === "length") throw new ModelError("cut_off", MESSAGES.tooLong);
  if (reason === "interrupted") throw new ModelError("cut_off", MESSAGES.cutOff);
  if (reason === "content-filter") throw new ModelError("refused", MESSAGES.declined);
  if (reason === "tool-calls" || reason === "error") throw new ModelError("wrong_answer", MESSAGES.wrong);
}

/** Returns the tokens that the provider reported, or an estimate by the length of the texts. */
export function toTokenUsage(reported: SdkUsage | undefined, request: ModelRequest, written: number): TokenUsage {
  const estimate = estimateUsage(request, written);
  return { input: reported?.inputTokens.total ?? estimate.input, output: reported?.outputTokens.total ?? estimate.output };
}

/** Waits before the next attempt, or throws the failure if a retry can't help; `attempt` counts from 0. */
export async function waitForRetry(failure: ModelError, attempt: number, signal: AbortSignal): Promise<void> {
  const retryAfterSeconds = failure.retryAfterSeconds ?? 0;
  // An answer that was too long will be too long again.
  const isFinal = !isTransient(failure) || failure.message === MESSAGES.tooLong || retryAfterSeconds > MAX_RETRY_AFTER_SECONDS;
  if (isFinal || attempt >= MAX_RETRIES) throw failure;
  await delay(Math.max(retryAfterSeconds * 1_000, RETRY_DELAY_MS * 2 ** attempt), signal);
}
