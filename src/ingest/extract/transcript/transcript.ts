import type { Segment } from "#domain/content/tile.ts";
import { replaceInvalidCharacters } from "../../clean/text.ts";

/** A passage of speech: start and end in milliseconds, and the text. */
export type Cue = { readonly startMs: number; readonly endMs: number; readonly text: string };

/** A new paragraph starts after this much silence, or after a sentence once a paragraph is this long. */
const SILENCE_MS = 3_000;
const PARAGRAPH = 500;
const MAX_PARAGRAPH_LENGTH = 1_200;
/** Sounds that are not speech, as players write them. */
const SOUND = /^\s*(?:\[[^\]]{1,40}\]|\([^)]{1,40}\)|♪+|♫+)\s*$/u;
const SENTENCE_END = /[.!?…。！？]["'”’)\]]?$/u;

const collapseWhitespace = (text: string): string => replaceInvalidCharacters(text).replace(/\s+/g, " ").trim();

const MAX_MS = 100 * 3_600_000;
const isTimed = ({ startMs }: Cue): boolean => startMs >= 0 && startMs <= MAX_MS;

/**
 * Removes repetition from scrolling captions, which repeat the previous line in the next cue. Words count as repeated where the next cue
 * starts with the end of the text so far and starts before the last cue is over.
 */
export function dropRepeats(cues: readonly Cue[]): Cue[] {
  const kept: Cue[] = [];
  for (const cue of cues.filter(isTimed).toSorted((a, b) => a.startMs - b.startMs)) {
    const text = collapseWhitespace(cue.text);
    const before = kept.at(-1);
    if (text === "" || SOUND.test(text)) continue;
    const overlap = before !== undefined && cue.startMs <= before.endMs + 250 ? overlapOf(before.text, text) : 0;
    const rest = text.slice(overlap).trim();
    if (rest !== "") kept.push({ startMs: cue.startMs, endMs: cue.endMs, text: rest });
    else if (before !== undefined) kept[kept.length - 1] = { ...before, endMs: Math.max(before.endMs, cue.endMs) };
  }
  return kept;
}

/** Scrolling captions repeat a line or two; the search is quadratic, so it is limited. */
const MAX_REPEAT_LENGTH = 120;

/** Length of the longest overlap of `before`'s end with `next`'s start, in whole words: at least two, or all of `before`. */
function overlapOf(before: string, next: string): number {
  if (before.endsWith(next)) return next.length;
  for (let length = Math.min(before.length, next.length, MAX_REPEAT_LENGTH); length > 0; length--) {
    if (!before.endsWith(next.slice(0, length))) continue;
    const isComplete =
      (length === next.length || next[length] === " ") && (length === before.length || before[before.length - length - 1] === " ");
    const share = next.slice(0, length);
    if (isComplete && (length === before.length || (share.includes(" ") && length >= 8))) return length;
  }
  return 0;
}

/** Joins cues into paragraphs and records the position of each in UTF-16 code units. */
export function buildTranscript(cues: readonly Cue[]): { readonly text: string; readonly segments: readonly Segment[] } {
  const parts: string[] = [];
  const segments: Segment[] = [];
  let length = 0;
  let paragraph = 0;
  let before: Cue | null = null;
  const append = (piece: string): void => {
    parts.push(piece);
    length += piece.length;
  };
  for (const cue of dropRepeats(cues)) {
    if (before !== null) {
      const isNew =
        cue.startMs - before.endMs >= SILENCE_MS ||
        paragraph >= MAX_PARAGRAPH_LENGTH ||
        (paragraph >= PARAGRAPH && SENTENCE_END.test(before.text));
      append(isNew ? "\n\n" : " ");
      if (isNew) paragraph = 0;
    }
    const start = length;
    append(cue.text);
    paragraph += cue.text.length + 1;
    segments.push({ start, end: length, seconds: Math.round(cue.startMs) / 1_000 });
    before = cue;
  }
  return { text: parts.join(""), segments };
}
