/** Counts tokens as the language models of OpenAI do (o200k_base), outside the thread of its caller. */
export interface TokenCounter {
  /** Loads the vocabulary in advance. Does nothing when it is loaded. */
  prepare(): void;
  /** Returns the number of tokens of each text, in order. Throws the failure of the counter, or the signal's reason. */
  count(texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Returns the number of tokens of each text, in order. */
export type CountTokens = (texts: readonly string[]) => Promise<readonly number[]>;
