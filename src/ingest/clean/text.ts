import type { TileWarning } from "#domain/content/tile.ts";

const MAX_CODE_POINTS = 1_000_000;

/** Replaces NUL bytes and lone surrogates by U+FFFD, because the databases can't store them. */
export const replaceInvalidCharacters = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\uFFFD");

/** Characters that only say where a line may break or not: soft hyphens, zero-width spaces, word joiners, byte order marks. */
const BREAK_MARKS = /[\u00ad\u200b\u2060\ufeff]|&(?:shy|ZeroWidthSpace|NoBreak|#(?:173|8203|8288|65279|x0{0,4}(?:ad|200b|2060|feff)));/gi;

/** Removes marks about line breaks from HTML, so that words are whole and lines have no invisible ends. */
export const removeBreakMarks = (html: string): string => html.replace(BREAK_MARKS, "");

/** Creates the warning for a tile whose text was truncated to the maximum length. */
export const truncationWarning = (what: "page" | "file" | "text" | "transcript"): TileWarning => ({
  code: "truncated",
  message: `The ${what} is very long; only its beginning was kept.`,
});

/** Truncates the text to `limit` code points. `truncated` says whether anything was removed. */
export function truncateText(text: string, limit: number = MAX_CODE_POINTS): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= limit) return { text, truncated: false };
  let units = 0;
  for (let points = 0; points < limit && units < text.length; points++) {
    units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1;
  }
  return { text: text.slice(0, units), truncated: units < text.length };
}

/** Formats a title as one trimmed line of at most 500 code points. Returns null if it is empty. */
export function normaliseTitle(title: string | null | undefined): string | null {
  const line = replaceInvalidCharacters(title ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return line === "" ? null : truncateText(line, 500).text.trim();
}

/** Normalises a language tag to BCP 47 (`eng_US` becomes `en-US`). Returns null if it is invalid. */
export function normaliseLanguageTag(tag: string | null | undefined): string | null {
  try {
    return Intl.getCanonicalLocales((tag ?? "").trim().replaceAll("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}

/** Writes the line before a post: its author and time, without marks of Markdown at its beginning, since the line is not text of the page. */
export const writePostHead = (parts: readonly string[]): string =>
  parts
    .filter((part) => part !== "")
    .join(" · ")
    .replace(/^[#>`~*+=|\s-]+/, "");

/** Reduces a text to letters and digits in lower case, for comparison. */
export const normaliseText = (text: string): string =>
  // Joined, as a replacement keeps a string for each word in memory.
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join("");

/** A word of a text. In scripts without spaces between words, each character is one. */
export const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|\p{N}+/gu;

/** Counts words. */
export function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(WORD)) count++;
  return count;
}
