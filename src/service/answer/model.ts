import type { Actor } from "#domain/core/access.ts";
import { type LanguageModel, ModelError } from "#domain/model/model.ts";
import type { ModelOutcome } from "#domain/model/usage.ts";
import type { Citation } from "#retrieval/answer/extractive.ts";
import { createPrompt } from "#retrieval/grounding/prompt.ts";
import { createAnswerReader } from "#retrieval/grounding/read-answer.ts";
import type { ModelDeps } from "../deps.ts";
import { recordUsage } from "../usage.ts";
import { logModelFailure } from "./log-failure.ts";
import type { FittedSources } from "./sources.ts";

/** The caller that waits for an answer. `onText` receives text as it is generated; aborting `signal` ends the call. */
export type Listener = {
  readonly signal: AbortSignal;
  /** Awaited, so that a slow reader slows down the model (backpressure). */
  readonly onText?: (text: string) => Promise<void>;
};

export type ModelAnswer =
  | { readonly kind: "answered"; readonly answer: string; readonly citations: readonly Citation[]; readonly notice?: string }
  /** The sources do not contain the answer, or do not support any statement of the model. */
  | { readonly kind: "not_found" }
  /** `notice` is a sentence for the user. */
  | { readonly kind: "failed"; readonly notice: string };

/** Maximum wait for a model answer that is not streamed, in milliseconds. Many platforms end a request after 30 s. */
const MAX_WAIT_MS = 25_000;
const TIMED_OUT = "The language model did not answer in time; these are the passages that match best.";
const TRUNCATED = "The answer was cut off after ten citations, the maximum.";

/**
 * Lets the model answer from the given sources. A model failure becomes a notice instead of an error. Throws the signal's reason
 * when the caller aborted. Usage is recorded in every case.
 */
export async function answerWithModel(
  deps: ModelDeps,
  model: LanguageModel,
  actor: Actor,
  question: string,
  { sources }: FittedSources,
  nonce: string,
  { signal, onText }: Listener,
): Promise<ModelAnswer> {
  const { llmTimeoutMs, llmMaxOutputTokens } = deps.settings;
  const timeMs = onText === undefined ? Math.min(llmTimeoutMs, MAX_WAIT_MS) : llmTimeoutMs;
  const { system, prompt } = createPrompt(question, sources, nonce);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new ModelError("timeout", TIMED_OUT)), timeMs);
  const reader = createAnswerReader(sources, { system, nonce, question });
  const shown = collectText(onText);
  const stream = model.stream({
    system,
    prompt,
    maxOutputTokens: llmMaxOutputTokens,
    signal: AbortSignal.any([signal, deadline.signal]),
  });
  let outcome: ModelOutcome = "answered";
  let failure: ModelError | null = null;
  try {
    for await (const delta of stream.text) {
      await shown.add(reader.push(delta));
      if (reader.result.isTruncated) break;
    }
    await shown.add(reader.end());
  } catch (error) {
    failure = signal.aborted ? null : toModelError(error, deadline.signal);
    outcome = failure?.failure ?? "cancelled";
    if (failure === null) throw error;
  } finally {
    clearTimeout(timer);
    await recordUsage(deps, actor, { endpoint: "ask", usage: await stream.usage, outcome });
  }
  if (failure !== null) {
    logModelFailure(deps.log, failure);
    return { kind: "failed", notice: toNotice(failure) };
  }
  const { citations, isTruncated } = reader.result;
  const answer = shown.text();
  if (citations.length === 0 || !hasContent(answer)) return { kind: "not_found" };
  return { kind: "answered", answer, citations, ...(isTruncated ? { notice: TRUNCATED } : {}) };
}

/** Returns the model's failure, or a timeout after the deadline. Rethrows any other error. */
function toModelError(error: unknown, deadline: AbortSignal): ModelError {
  if (error instanceof ModelError) return error;
  if (deadline.aborted) return new ModelError("timeout", TIMED_OUT, { cause: error });
  throw error;
}

const toNotice = ({ message }: ModelError): string =>
  message === TIMED_OUT ? message : `${message} These are the passages that match best.`;

/** Collects the streamed text without leading and trailing whitespace. */
function collectText(onText: Listener["onText"]): { add(delta: string): Promise<void>; text(): string } {
  let all = "";
  let blank = "";
  return {
    async add(delta) {
      const whole = all === "" ? delta.trimStart() : blank + delta;
      const words = whole.trimEnd();
      blank = whole.slice(words.length);
      if (words === "") return;
      all += words;
      await onText?.(words);
    },
    text: () => all,
  };
}

/** Whether the answer contains more than citation numbers and marks of unsupported sentences. */
const hasContent = (answer: string): boolean => /[\p{L}\p{N}]/u.test(answer.replaceAll(/\[(?:\d+|unsupported|link removed)\]/g, ""));
