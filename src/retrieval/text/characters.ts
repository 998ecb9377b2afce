/** Classes of UTF-16 code units in the tokeniser. */
export const SEPARATOR = 0;
/** Letters, digits and marks of scripts that put spaces between words. */
export const SPACED = 1;
/** Scripts written without spaces: Han, kana, Thai, Lao, Khmer, Myanmar. */
export const UNSPACED = 2;
/** First half of a surrogate pair; the class depends on the whole code point. */
export const SURROGATE = 3;

const UNSPACED_SCRIPT =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]$/u;
// Soft hyphens and joiners occur inside words; folding removes them.
const WORD = /^[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]$/u;
const HAN = /\p{Script=Han}/u;

let table: Uint8Array | undefined;

/** Class of every code unit of the basic multilingual plane; built at first use (64 KiB, a few milliseconds). */
export function getCharacterClasses(): Uint8Array {
  if (table !== undefined) return table;
  const classes = new Uint8Array(0x10000);
  for (let code = 0; code < 0x10000; code++) {
    if (code >= 0xd800 && code < 0xe000) classes[code] = code < 0xdc00 ? SURROGATE : SEPARATOR;
    else classes[code] = classifyCharacter(String.fromCharCode(code));
  }
  table = classes;
  return classes;
}

/** Class of one whole character, also outside the basic multilingual plane. */
export function classifyCharacter(character: string): number {
  if (!WORD.test(character)) return SEPARATOR;
  return UNSPACED_SCRIPT.test(character) ? UNSPACED : SPACED;
}

const MEANING = /[\p{L}\p{N}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a text has a word of more than one letter, or one character of a script in which that is a word. Single letters mean nothing. */
export const hasMeaning = (text: string): boolean => MEANING.test(text);

export const hasHan = (text: string): boolean => HAN.test(text);

/** Whether a code unit is white space by the definition of `\s` and `String.prototype.trim`. */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 160) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** Returns `at`, or one less if a cut there would split a surrogate pair. */
export function alignToCodePoint(text: string, at: number): number {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low < 0xe000 && high >= 0xd800 && high < 0xdc00 ? at - 1 : at;
}

/** Copies a slice, which would otherwise keep the whole text it was cut from in memory. */
export const copyString = (word: string): string => (word.length < 13 ? word : ` ${word}`.slice(1));
