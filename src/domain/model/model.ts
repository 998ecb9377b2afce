/** What a language model is asked to do; `prompt` may hold outside text, `system` never does. */
export type ModelRequest = {
  readonly system: string;
  readonly prompt: string;
  /** Most tokens of the answer. */
  readonly maxOutputTokens: number;
  /** Ends the call, whatever state it is in; the caller's deadline is in it as well. */
  readonly signal: AbortSignal;
};

/** Tokens as the provider counted them; estimated where it tells none. */
export type TokenUsage = { readonly input: number; readonly output: number };

/** Why a model gave no answer; the closed set that callers act on. */
export type ModelFailure = "unreachable" | "timeout" | "rate_limited" | "refused" | "cut_off" | "wrong_answer";

/** `message` is for a person and holds no secret and no words of the provider's own. */
export class ModelError extends Error {
  readonly failure: ModelFailure;
  readonly retryAfterSeconds: number | undefined;
  /** What the call took though nothing came of it, where that is known. */
  readonly usage: TokenUsage | undefined;

  constructor(
    failure: ModelFailure,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterSeconds?: number | undefined; readonly usage?: TokenUsage } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "ModelError";
    this.failure = failure;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.usage = options.usage;
  }
}

/** Failures of calls that nothing was read for; what others took is estimated where it is not told. */
export const UNCHARGED: ReadonlySet<ModelFailure> = new Set(["unreachable", "rate_limited", "refused"]);

const USUAL_CHARACTERS_PER_TOKEN = 4;

/** What a call took by the length of its texts, `written` characters of which are the answer's. */
export function estimateUsage({ system, prompt }: Pick<ModelRequest, "system" | "prompt">, written: number): TokenUsage {
  const estimate = (characters: number): number => Math.ceil(characters / USUAL_CHARACTERS_PER_TOKEN);
  return { input: estimate(system.length + prompt.length), output: estimate(written) };
}

/** An answer on its way. `usage` settles when `text` has ended, also where it ended early, and never rejects. */
export type ModelStream = { readonly text: AsyncIterable<string>; readonly usage: Promise<TokenUsage> };

/** A language model of the operator's choice. Every failure is a `ModelError`, but for an abort, which throws the signal's reason. */
export interface LanguageModel {
  /** Provider and model, such as `openai/gpt-5`. */
  readonly name: string;
  /** Streams plain text; tried again only before the first token. */
  stream(request: ModelRequest): ModelStream;
  /** One JSON value of the shape that `schema` (JSON Schema) tells, not yet checked against it. Its `ModelError`s tell their `usage`. */
  object(
    request: ModelRequest & { readonly schema: object; readonly schemaName: string },
  ): Promise<{ readonly value: unknown; readonly usage: TokenUsage }>;
}
