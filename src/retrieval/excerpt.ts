import { alignToCodePoint } from "./text/characters.ts";
import type { Span } from "./text/spans.ts";

/** A part of a tile's text: `text` is `extractedText.slice(start, start + text.length)`. Offsets are UTF-16 code units. */
export type Excerpt = { readonly text: string; readonly start: number };

/** Texts of at most this length are kept whole. Of a longer one, this much on each side of the passage is kept. */
const MAX_WHOLE_LENGTH = 100_000;
const CONTEXT_LENGTH = 25_000;

/** Returns a passage's text with what surrounds it, without a reference to the whole text, of which a question may read many. */
export function cutExcerpt(text: string, { start, end }: Span): Excerpt {
  if (text.length <= MAX_WHOLE_LENGTH) return { text, start: 0 };
  const from = alignToCodePoint(text, Math.max(0, start - CONTEXT_LENGTH));
  const to = alignToCodePoint(text, Math.min(text.length, end + CONTEXT_LENGTH));
  // A slice would keep the whole text in memory.
  return { text: Buffer.from(text.slice(from, to), "utf16le").toString("utf16le"), start: from };
}

/** Returns the range of the tile's text. */
export const readExcerpt = ({ text, start }: Excerpt, range: Span): string => text.slice(range.start - start, range.end - start);

/** Converts a range of the tile's text to one of the excerpt. */
export const toExcerptSpan = ({ start }: Excerpt, range: Span): Span => ({ start: range.start - start, end: range.end - start });

/** Converts a range of the excerpt to one of the tile's text. */
export const toTileSpan = ({ start }: Excerpt, range: Span): Span => ({ start: range.start + start, end: range.end + start });
