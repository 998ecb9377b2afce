import { copyString, isSpace } from "../text/characters.ts";

/** Longer sequences without a blank, or of blanks, are counted in parts, because the tokeniser takes more than linear time for them. */
const LONG_RUN = /\S{4000}|\s{500}/g;

/** Token counts of words up to this length are cached. */
const MAX_CACHED_LENGTH = 24;
const MAX_CACHE_ENTRIES = 50_000;

/** Tokens by word. */
const cache = new Map<string, number>();

/**
 * Loads the o200k_base vocabulary (tens of megabytes, so only when first needed) and returns a function that counts the tokens of
 * a text. Special tokens such as `<|endoftext|>` count as plain text.
 *
 * Tokens of o200k_base never cross a blank that follows a word, because its pattern allows a blank only at the start of a token. So a
 * text is counted word by word with a cache: 1.0 ms for the 3,700 tokens of a context instead of 2.2.
 */
export async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const options = { disallowedSpecial: new Set<string>() };

  function countLong(text: string): number {
    let tokens = 0;
    let from = 0;
    for (const run of text.matchAll(LONG_RUN)) {
      const to = run.index + run[0].length;
      tokens += countTokens(text.slice(from, to), options);
      from = to;
    }
    return tokens + countTokens(text.slice(from), options);
  }

  function countWord(word: string): number {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const tokens = countLong(word);
    if (word.length <= MAX_CACHED_LENGTH) {
      if (cache.size >= MAX_CACHE_ENTRIES) cache.clear();
      cache.set(copyString(word), tokens);
    }
    return tokens;
  }

  return (text) => {
    let tokens = 0;
    let from = 0;
    for (let at = text.indexOf(" ", 1); at > 0; at = text.indexOf(" ", at + 1)) {
      if (isSpace(text.charCodeAt(at - 1))) continue;
      tokens += countWord(text.slice(from, at));
      from = at;
    }
    return tokens + countWord(text.slice(from));
  };
}
