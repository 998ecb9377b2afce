import { type Passage, toExcerptSpan, toTileSpan } from "../../passage.ts";
import type { WeightedQuestion } from "../../lexical/weight-question.ts";
import { fitToMarks } from "../../text/edge-marks.ts";
import type { Span } from "../../text/spans.ts";
import { type PassageSentence, readSentences } from "./passage-sentences.ts";
import { chooseRows } from "./rows.ts";

/** UTF-16 code units: of sentences with their neighbours, and of a table, a list or code. */
const MAX_QUOTE_LENGTH = 400;
const MAX_BLOCK_LENGTH = 1_200;

/** What is quoted for a sentence. Offsets are those of the tile's text. */
export type QuotedSpans = Span & {
  /** The sentence, row or item that answers, in the quote; in order. */
  readonly marks: readonly Span[];
  /** The head of a table or list that is too far above to be in the quote. */
  readonly head: Span | null;
};

type QuotablePassage = Pick<Passage, "match" | "start" | "end" | "around">;

/**
 * Returns the quote of a sentence: with as many neighbours as fit, the better one first, because a sentence alone often lacks what its
 * "it" refers to. Tables, lists and code are quoted by their head and what matters of them, and never cut between the two.
 * (The gold answer of SQuAD's questions is in the first sentence for 78 %, in its quote for 83 %.)
 */
export function quoteSentence(sentences: readonly PassageSentence[], at: number): QuotedSpans {
  const sentence = sentences[at] as PassageSentence;
  const { block } = sentence;
  const next = sentences[at + 1];
  if (sentence.isHeading && next !== undefined) {
    const below = quoteSentence(sentences, at + 1);
    if (below.end - sentence.start <= MAX_BLOCK_LENGTH) return { ...below, start: Math.min(sentence.start, below.start) };
  }
  if (block === null) return { ...expand(sentences, sentence, null), marks: [sentence], head: null };
  const items = chooseItems(sentences, sentence);
  const last = items.findLast(({ end }) => end - block.start <= MAX_BLOCK_LENGTH);
  const isReached = last !== undefined && (sentence.isHead || last.end >= sentence.end);
  if (!isReached) {
    const item = findItem(sentence);
    return { ...item, marks: [item], head: block.head.end > block.head.start && !sentence.isHead ? block.head : null };
  }
  const span = { start: block.start, end: last.end };
  const isExpanded = block.kind === "list" || block.kind === "paragraph";
  return {
    ...(isExpanded ? expand(sentences, span, block) : span),
    marks: sentence.isHead ? [span] : items.filter(({ end }) => end <= last.end),
    head: null,
  };
}

/** Returns the items of a sentence's block that matter. */
function chooseItems(sentences: readonly PassageSentence[], sentence: PassageSentence): readonly Span[] {
  const { start, end, block, isHead } = sentence;
  if (block === null || block.kind === "table") return chooseRows(sentences, sentence);
  return isHead || block.kind === "code" ? block.items : [{ start, end }];
}

/** Returns the whole row that a sentence is in, and otherwise the sentence. */
function findItem({ start, end, block }: PassageSentence): Span {
  const row = block?.kind === "table" ? block.items.find((item) => start >= item.start && start < item.end) : undefined;
  return row ?? { start, end };
}

/** Adds the neighbours of a range. Of other blocks than its own, the whole or nothing is added. */
function expand(sentences: readonly PassageSentence[], span: Span, own: PassageSentence["block"]): Span {
  let { start, end } = span;
  const fits = (part: Span): boolean => Math.max(end, part.end) - Math.min(start, part.start) <= MAX_QUOTE_LENGTH;
  for (;;) {
    const before = sentences.findLast((sentence) => sentence.end <= start);
    const after = sentences.find((sentence) => sentence.start >= end);
    const [partBefore, partAfter] = [before, after].map((sentence) => (sentence === undefined ? null : getUnit(sentence, own)));
    const scoreBefore = before !== undefined && partBefore && fits(partBefore) ? before.score : -Infinity;
    const scoreAfter = after !== undefined && partAfter && fits(partAfter) ? after.score : -Infinity;
    if (scoreBefore === -Infinity && scoreAfter === -Infinity) break;
    const added = (scoreAfter >= scoreBefore ? partAfter : partBefore) as Span;
    start = Math.min(start, added.start);
    end = Math.max(end, added.end);
  }
  // A heading at the end announces what is not quoted.
  const inside = sentences.filter((sentence) => sentence.start >= span.end && sentence.end <= end);
  const last = inside.findLast(({ isHeading }) => !isHeading);
  return { start, end: inside.at(-1)?.isHeading === true ? (last?.end ?? span.end) : end };
}

/** Returns what is added with a sentence: itself, or the whole of another block. */
const getUnit = (sentence: PassageSentence, own: PassageSentence["block"]): Span =>
  sentence.block === null || sentence.block === own ? sentence : sentence.block;

/** Returns the quote of a passage's best sentence; empty if it has none. */
export function chooseQuote(passage: QuotablePassage, question: WeightedQuestion): Span {
  const sentences = readSentences(passage, question);
  let best = 0;
  for (const [at, { score }] of sentences.entries()) if (score > (sentences[best] as PassageSentence).score) best = at;
  return sentences.length === 0 ? { start: passage.start, end: passage.start } : quoteSentence(sentences, best);
}

/** Adds brackets and quotation marks at the edges of a quote that belong to it. Offsets are those of the tile's text. */
export const fitQuote = ({ around }: Pick<Passage, "around">, quote: Span): Span =>
  toTileSpan(around, fitToMarks(around.text, toExcerptSpan(around, quote)));
