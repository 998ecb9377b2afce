import { getCharacterClasses, SPACED } from "./characters.ts";

/** A word with one hyphen (e-mail, Wi-Fi, Bcl-2), as the two words that the tokeniser reads; offsets are UTF-16 code units. */
export type Compound = { readonly first: string; readonly second: string; readonly start: number; readonly end: number };

/** Longer halves are unspaced text, not words. */
const MAX_HALF_LENGTH = 24;
/** Hyphen-minus, hyphen and non-breaking hyphen. */
const HYPHEN = /[-\u2010\u2011]/g;
const DIGITS = /^\p{Nd}+$/u;

/**
 * Finds the words of a text with one hyphen, in order, because others write them as one word. Chains (state-of-the-art, 2024-01-31)
 * and two numbers (10-12) are left out. Takes linear time.
 */
export function findCompounds(text: string): Compound[] {
  const compounds: Compound[] = [];
  const classes = getCharacterClasses();
  const isSpaced = (at: number): boolean => classes[text.charCodeAt(at)] === SPACED;
  for (const { index: at } of text.matchAll(HYPHEN)) {
    let start = at;
    while (start > 0 && at - start <= MAX_HALF_LENGTH && isSpaced(start - 1)) start--;
    let end = at + 1;
    while (end < text.length && end - at <= MAX_HALF_LENGTH + 1 && isSpaced(end)) end++;
    const [first, second] = [text.slice(start, at), text.slice(at + 1, end)];
    if (first === "" || second === "" || first.length > MAX_HALF_LENGTH || second.length > MAX_HALF_LENGTH) continue;
    if (isHyphen(text[start - 1]) || isHyphen(text[end]) || (DIGITS.test(first) && DIGITS.test(second))) continue;
    compounds.push({ first, second, start, end });
  }
  return compounds;
}

const isHyphen = (character: string | undefined): boolean => character === "-" || character === "\u2010" || character === "\u2011";
