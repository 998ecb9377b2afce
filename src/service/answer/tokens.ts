import type { CountTokens } from "#retrieval/answer/token-counter.ts";
import type { Deps } from "../deps.ts";
import { warnOnce } from "./log-failure.ts";

/**
 * Returns the function that counts tokens until `signal` aborts. While the counter fails, a text counts as its bytes: a token has at least
 * one, so no limit is exceeded, and questions are answered. The operator is told.
 */
export function createCountTokens({ tokenCounter, log }: Pick<Deps, "tokenCounter" | "log">, signal: AbortSignal): CountTokens {
  return async (texts) => {
    try {
      return await tokenCounter.count(texts, signal);
    } catch (error) {
      signal.throwIfAborted();
      warnOnce(log, error, "tokens could not be counted; each byte of a text counts as one until they can");
      return texts.map((text) => Buffer.byteLength(text));
    }
  };
}
