/** How much more often content has a token than other text: the logarithm of the ratio, 0 for unknown tokens. */
export type Odds = (kind: TokenKind, token: string) => number;
/** Tokens are names of elements and words of short texts. */
export type TokenKind = "name" | "word";

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_WORDS = 8;
/** Longer texts are told from others by their shape. */
const MAX_TEXT_LENGTH = 200;

/** Lists the first words of a short text in lower case, numbers as "0"; none for longer texts. */
export function listWords(text: string): readonly string[] {
  if (text.length > MAX_TEXT_LENGTH) return [];
  const words: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    words.push(/^\d+$/.test(word) ? "0" : word);
    if (words.length >= MAX_WORDS) break;
  }
  return words;
}

/** The odds of several tokens together. They are not independent, so their sum is damped. */
export const combineOdds = (odds: readonly number[]): number =>
  odds.length === 0 ? 0 : odds.reduce((sum, one) => sum + one, 0) / Math.sqrt(odds.length);
