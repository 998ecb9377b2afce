import type { Segment } from "#domain/content/tile.ts";
import { replaceInvalidCharacters } from "../../clean/text.ts";

/** A passage of speech: start and end in milliseconds, and the text. */
export type Cue = { readonly startMs: number; readonly endMs: number; readonly text: string };

/** A paragraph ends after this much silence. */
const MIN_SILENCE_MS = 3_000;
/** A paragraph of this length ends after its next sentence, and at the maximum length in any case. */
const TARGET_PARAGRAPH_LENGTH = 500;
const MAX_PARAGRAPH_LENGTH = 1_200;
/** A description of a sound, such as "[applause]". */
const SOUND = /^\s*(?:\[[^\]]{1,40}\]|\([^)]{1,40}\)|♪+|♫+)\s*$/u;
const SENTENCE_END = /[.!?…。！？]["'”’)\]]?$/u;

const collapseWhitespace = (text: string): string => replaceInvalidCharacters(text).replace(/\s+/g, " ").trim();

const MAX_MS = 100 * 3_600_000;
const isTimed = ({ startMs }: Cue): boolean => startMs >= 0 && startMs <= MAX_MS;

/**
 * Removes repeated text from scrolling captions, which repeat the previous line in the next cue. Text counts as repeated if the cue
 * begins with the end of the previous one, and begins before the previous one is over.
 */
export function dropRepeats(cues: readonly Cue[]): Cue[] {
  const kept: Cue[] = [];
  for (const cue of cues.filter(isTimed).toSorted((a, b) => a.startMs - b.startMs)) {
    const text = collapseWhitespace(cue.text);
    const before = kept.at(-1);
    if (text === "" || SOUND.test(text)) continue;
    const overlap = before !== undefined && cue.startMs <= before.endMs + 250 ? measureOverlap(before.text, text) : 0;
    const rest = text.slice(overlap).trim();
    if (rest !== "") kept.push({ startMs: cue.startMs, endMs: cue.endMs, text: rest });
    else if (before !== undefined) kept[kept.length - 1] = { ...before, endMs: Math.max(before.endMs, cue.endMs) };
  }
  return kept;
}

/** Scrolling captions repeat one or two lines. The search is quadratic, so its length is limited. */
const MAX_REPEAT_LENGTH = 120;

/** Returns the length of the longest overlap of the end of `before` with the start of `next`: at least two whole words, or all of `before`. */
function measureOverlap(before: string, next: string): number {
  if (before.endsWith(next)) return next.length;
  for (let length = Math.min(before.length, next.length, MAX_REPEAT_LENGTH); length > 0; length--) {
    if (!before.endsWith(next.slice(0, length))) continue;
    const isComplete =
      (length === next.length || next[length] === " ") && (length === before.length || before[before.length - length - 1] === " ");
    const overlap = next.slice(0, length);
    if (isComplete && (length === before.length || (overlap.includes(" ") && length >= 8))) return length;
  }
  return 0;
}

/** Joins cues into paragraphs. The segments are the positions of the cues in the text, in UTF-16 code units. */
export function buildTranscript(cues: readonly Cue[]): { readonly text: string; readonly segments: readonly Segment[] } {
  const parts: string[] = [];
  const segments: Segment[] = [];
  let length = 0;
  let paragraph = 0;
  let before: Cue | null = null;
  const append = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  for (const cue of dropRepeats(cues)) {
    if (before !== null) {
      const isNew =
        cue.startMs - before.endMs >= MIN_SILENCE_MS ||
        paragraph >= MAX_PARAGRAPH_LENGTH ||
        (paragraph >= TARGET_PARAGRAPH_LENGTH && SENTENCE_END.test(before.text));
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
