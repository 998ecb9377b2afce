import { getCharacterClasses, SPACED } from "./characters.ts";

/** A word with one hyphen in it (e-mail, Wi-Fi, Bcl-2), by the two words that the tokeniser reads; offsets are UTF-16 code units. */
export type Compound = { readonly first: string; readonly second: string; readonly start: number; readonly end: number };

/** Longer halves are sentences without blanks rather than words. */
const MAX_HALF_LENGTH = 24;
/** The hyphen of keyboards, Unicode's own, and the one that does not break a line. */
const HYPHEN = /[-\u2010\u2011]/g;
const DIGITS = /^\p{Nd}+$/u;

/**
 * The words of a text that hold one hyphen, in its order: others write them as one word. Chains (state-of-the-art, 2024-01-31) are
 * left out, and so are two numbers (10-12), which are not one. Linear in time.
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
