/** A run of one kind longer than this is counted in parts: the tokeniser's time on one run grows faster than the run. */
const LONG_RUN = /\S{4000}|\s{500}/g;

/**
 * Loads the o200k_base vocabulary (some tens of megabytes, hence only when first needed) and gives a function that counts
 * a text's tokens. Special tokens such as `<|endoftext|>` are counted as the plain text that they are in content.
 */
export async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let tokens = 0;
    let from = 0;
    for (const run of text.matchAll(LONG_RUN)) {
      const to = run.index + run[0].length;
      tokens += countTokens(text.slice(from, to), options);
      from = to;
    }
    return tokens + countTokens(text.slice(from), options);
  };
}
