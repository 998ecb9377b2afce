import { alignToCodePoint } from "../text/characters.ts";
import type { Span } from "../text/spans.ts";

/** Maximum length of a part in UTF-16 code units. Analysing one takes at most 0.2 s and 40 MB, whatever its words. */
export const MAX_PART_LENGTH = 250_000;

/**
 * Splits a long text into parts that are analysed one by one. A part ends after a paragraph, a line or a word of its second half, as far
 * as there is one. The parts of a text do not depend on what follows them, except for the last.
 */
export function* splitIntoParts(text: string): Generator<Span, void, undefined> {
  let start = 0;
  while (text.length - start > MAX_PART_LENGTH) {
    const end = findEnd(text, start);
    yield { start, end };
    start = end;
  }
  if (start < text.length || start === 0) yield { start, end: text.length };
}

function findEnd(text: string, start: number): number {
  const from = start + MAX_PART_LENGTH / 2;
  const secondHalf = text.slice(from, start + MAX_PART_LENGTH);
  for (const separator of ["\n\n", "\n", " "]) {
    const at = secondHalf.lastIndexOf(separator);
    if (at >= 0) return from + at + separator.length;
  }
  return alignToCodePoint(text, start + MAX_PART_LENGTH);
}
