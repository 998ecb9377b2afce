import type { CountTokens } from "#retrieval/answer/token-counter.ts";
import type { Deps } from "../deps.ts";

/**
 * Returns the function that counts tokens until `signal` aborts. While the counter fails, a text counts as its bytes: a token has at least
 * one, so no limit is exceeded, and questions are answered. The operator is told.
 */
export function createCountTokens(
  { tokenCounter, onTokenCounterFailure }: Pick<Deps, "tokenCounter" | "onTokenCounterFailure">,
  signal: AbortSignal,
): CountTokens {
  return async (texts) => {
    try {
      return await tokenCounter.count(texts, signal);
    } catch (error) {
      signal.throwIfAborted();
      onTokenCounterFailure?.(error);
      return texts.map((text) => Buffer.byteLength(text));
    }
  };
}
