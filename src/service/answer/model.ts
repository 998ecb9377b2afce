import type { Actor } from "#domain/core/access.ts";
import { type LanguageModel, ModelError } from "#domain/model/model.ts";
import type { ModelOutcome } from "#domain/model/usage.ts";
import type { Citation } from "#retrieval/answer/extractive.ts";
import { createPrompt } from "#retrieval/grounding/prompt.ts";
import { createAnswerReader } from "#retrieval/grounding/read-answer.ts";
import type { Deps } from "../deps.ts";
import { recordUsage } from "../usage.ts";
import type { Given } from "./sources.ts";

/** Who waits for an answer: what may be shown of it is told as it comes, and the call ends when `signal` is aborted. */
export type Listener = {
  readonly signal: AbortSignal;
  /** Waited for, so that a slow reader slows the model. */
  readonly onText?: (text: string) => Promise<void>;
};

export type ModelAnswer =
  | { readonly kind: "answered"; readonly answer: string; readonly citations: readonly Citation[]; readonly notice?: string }
  /** The sources do not hold the answer, or nothing that was said stands in them. */
  | { readonly kind: "not_held" }
  /** `notice` is a sentence for whoever asked. */
  | { readonly kind: "failed"; readonly notice: string };

/** The longest that somebody waits for a plain answer of the model, in milliseconds. */
const MAX_WAIT_MS = 25_000;
const TIMED_OUT = "The language model did not answer in time; these are the passages that match best.";
const CUT = "The answer ends after ten citations, the most that one has.";

/**
 * Lets the model answer from what it is given. Never throws for what the model does: a failure becomes a notice. Throws the
 * signal's reason when the call was ended from our side. Usage is recorded however it ends.
 */
export async function answerWithModel(
  deps: Deps,
  model: LanguageModel,
  actor: Actor,
  question: string,
  { sources }: Given,
  nonce: string,
  { signal, onText }: Listener,
): Promise<ModelAnswer> {
  const { llmTimeoutMs, llmMaxOutputTokens } = deps.settings;
  // A stream's reader sees the answer come; whoever waits for the whole of it is cut off by many a platform at 30 s.
  const timeMs = onText === undefined ? Math.min(llmTimeoutMs, MAX_WAIT_MS) : llmTimeoutMs;
  const { system, prompt } = createPrompt(question, sources, nonce);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new ModelError("timeout", TIMED_OUT)), timeMs);
  const reader = createAnswerReader(sources, { system, nonce });
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
    for await (const piece of stream.text) {
      await shown.add(reader.push(piece));
      if (reader.result.isTruncated) break;
    }
    await shown.add(reader.end());
  } catch (error) {
    failure = signal.aborted ? null : failureOf(error, deadline.signal);
    outcome = failure?.failure ?? "cancelled";
    if (failure === null) throw error;
  } finally {
    clearTimeout(timer);
    await recordUsage(deps, actor, { endpoint: "ask", usage: await stream.usage, outcome });
  }
  if (failure !== null) {
    deps.onModelFailure?.(failure);
    return { kind: "failed", notice: noticeOf(failure) };
  }
  const { citations, isTruncated } = reader.result;
  const answer = shown.text();
  if (citations.length === 0 || !saysAnything(answer)) return { kind: "not_held" };
  return { kind: "answered", answer, citations, ...(isTruncated ? { notice: CUT } : {}) };
}

/** The model's failure; null for an error that is not its own. */
function failureOf(error: unknown, deadline: AbortSignal): ModelError {
  if (error instanceof ModelError) return error;
  if (deadline.aborted) return new ModelError("timeout", TIMED_OUT, { cause: error });
  throw error;
}

const noticeOf = ({ message }: ModelError): string =>
  message === TIMED_OUT ? message : `${message} These are the passages that match best.`;

/** Gathers what is shown, without blanks at its ends. */
function collectText(onText: Listener["onText"]): { add(piece: string): Promise<void>; text(): string } {
  let all = "";
  let blank = "";
  return {
    async add(piece) {
      const whole = all === "" ? piece.trimStart() : blank + piece;
      const words = whole.trimEnd();
      blank = whole.slice(words.length);
      if (words === "") return;
      all += words;
      await onText?.(words);
    },
    text: () => all,
  };
}

/** Whether there is a word beside the numbers of citations and the marks of unsupported sentences. */
const saysAnything = (answer: string): boolean => /[\p{L}\p{N}]/u.test(answer.replaceAll(/\[(?:\d+|unsupported|link removed)\]/g, ""));
