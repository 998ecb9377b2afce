import { splitSentences } from "./sentences.ts";
import { type Span } from "./spans.ts";

/** Lengths are UTF-16 code units: short enough for one vector, long enough to be understood. */
const MAX_CHUNK_LENGTH = 1_200;
const TARGET_CHUNK_LENGTH = 1_000;
/** A chunk of this length ends before a paragraph that does not fit as a whole. */
const MIN_CHUNK_LENGTH = 500;
/** A shorter last chunk is added to the one before it. */
const MIN_LAST_CHUNK_LENGTH = 200;
const PARAGRAPH = /\n[^\S\n]*\n/;

/**
 * Splits a text into passages of whole sentences, about 800 to 1,200 code units (at most 1,400). Paragraphs stay together if they
 * fit. Everything except white space is in exactly one passage. A short text is one passage, an empty one none.
 */
export function chunkText(text: string): Span[] {
  const chunks: Span[] = [];
  let open: Span | undefined;
  for (const paragraph of splitParagraphs(text)) {
    const first = paragraph[0] as Span;
    const last = paragraph.at(-1) as Span;
    if (open !== undefined && last.end - open.start > MAX_CHUNK_LENGTH && open.end - open.start >= MIN_CHUNK_LENGTH) {
      chunks.push(open);
      open = undefined;
    }
    const from: number = open?.start ?? first.start;
    const size = last.end - from;
    // A long paragraph is split evenly, so that no short rest remains.
    const target = size <= MAX_CHUNK_LENGTH ? MAX_CHUNK_LENGTH : Math.ceil(size / Math.ceil(size / TARGET_CHUNK_LENGTH));
    for (const sentence of paragraph) {
      if (open === undefined) open = sentence;
      else if (sentence.end - open.start <= MAX_CHUNK_LENGTH && open.end - open.start < target)
        open = { start: open.start, end: sentence.end };
      else {
        chunks.push(open);
        open = sentence;
      }
    }
  }
  if (open !== undefined) chunks.push(open);
  return mergeShortLastChunk(chunks);
}

function* splitParagraphs(text: string): Generator<Span[]> {
  let current: Span[] = [];
  for (const sentence of splitSentences(text)) {
    const before = current.at(-1);
    if (before !== undefined && isParagraphBreak(text, before.end, sentence.start)) {
      yield current;
      current = [];
    }
    current.push(sentence);
  }
  if (current.length > 0) yield current;
}

const isParagraphBreak = (text: string, from: number, to: number): boolean => to - from > 1 && PARAGRAPH.test(text.slice(from, to));

function mergeShortLastChunk(chunks: readonly Span[]): Span[] {
  const last = chunks.at(-1);
  const before = chunks.at(-2);
  if (last === undefined || before === undefined) return [...chunks];
  const fits = last.end - last.start < MIN_LAST_CHUNK_LENGTH && last.end - before.start <= MAX_CHUNK_LENGTH + MIN_LAST_CHUNK_LENGTH;
  return fits ? [...chunks.slice(0, -2), { start: before.start, end: last.end }] : [...chunks];
}
