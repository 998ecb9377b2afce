import type { TileWarning } from "#domain/content/tile.ts";

const MAX_CODE_POINTS = 1_000_000;

/** NUL bytes and lone surrogates become U+FFFD, since no store keeps them. */
export const replaceInvalidCharacters = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\uFFFD");

/** The warning of a tile whose text was cut to what is kept, naming what it was the text of. */
export const truncationWarning = (what: "page" | "file" | "text" | "transcript"): TileWarning => ({
  code: "truncated",
  message: `The ${what} is very long; only its beginning was kept.`,
});

/** At most `limit` code points of the text, and whether any were cut. */
export function truncateText(text: string, limit: number = MAX_CODE_POINTS): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= limit) return { text, truncated: false };
  let units = 0;
  for (let points = 0; points < limit && units < text.length; points++) {
    units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1;
  }
  return { text: text.slice(0, units), truncated: units < text.length };
}

/** One line, without the spaces around it, of at most 500 code points; null when nothing is left. */
export function normaliseTitle(title: string | null | undefined): string | null {
  const line = replaceInvalidCharacters(title ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return line === "" ? null : truncateText(line, 500).text.trim();
}

/** Letters and digits alone, in lower case, to compare what is said twice. */
export const normaliseText = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|\p{N}+/gu;

/** Words of the text; in scripts that put no spaces between words each character counts. */
export function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(WORD)) count++;
  return count;
}
