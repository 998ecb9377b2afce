/** A request to a language model. `prompt` may contain untrusted text, `system` never does. */
export type ModelRequest = {
  readonly system: string;
  readonly prompt: string;
  /** Maximum number of output tokens. */
  readonly maxOutputTokens: number;
  /** Aborts the call. It includes the caller's deadline. */
  readonly signal: AbortSignal;
};

/** Tokens as counted by the provider, or estimated when it returns no counts. */
export type TokenUsage = { readonly input: number; readonly output: number };

/** Why a model call failed. */
export type ModelFailure = "unreachable" | "timeout" | "rate_limited" | "refused" | "cut_off" | "wrong_answer";

/** A failed model call. `message` is for people and contains no secrets and no text of the provider. */
export class ModelError extends Error {
  readonly failure: ModelFailure;
  readonly retryAfterSeconds: number | undefined;
  /** The tokens that the failed call used, if known. */
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

/** Failures that use no tokens. The usage of other failures is estimated when it is unknown. */
export const UNBILLED_FAILURES: ReadonlySet<ModelFailure> = new Set(["unreachable", "rate_limited", "refused"]);

const USUAL_CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a call from the length of its prompts and the number of characters `written` by the model. */
export function estimateUsage({ system, prompt }: Pick<ModelRequest, "system" | "prompt">, written: number): TokenUsage {
  const estimate = (characters: number): number => Math.ceil(characters / USUAL_CHARACTERS_PER_TOKEN);
  return { input: estimate(system.length + prompt.length), output: estimate(written) };
}

/** A streamed answer. `usage` resolves when `text` has ended, even early, and never rejects. */
export type ModelStream = { readonly text: AsyncIterable<string>; readonly usage: Promise<TokenUsage> };

/** The configured language model. Failures are `ModelError`s, except for an abort, which throws the signal's reason. */
export interface LanguageModel {
  /** Provider and model, such as `openai/gpt-5`. */
  readonly name: string;
  /** Streams plain text. Retries only before the first token. */
  stream(request: ModelRequest): ModelStream;
  /** Returns a JSON value requested with `schema` (JSON Schema), not validated against it. Its `ModelError`s include `usage`. */
  object(
    request: ModelRequest & { readonly schema: object; readonly schemaName: string },
  ): Promise<{ readonly value: unknown; readonly usage: TokenUsage }>;
}
