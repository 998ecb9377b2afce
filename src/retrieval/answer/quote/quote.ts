import { type Passage, toExcerptSpan, toTileSpan } from "../../passage.ts";
import type { WeightedQuestion } from "../../lexical/weight-question.ts";
import { fitToMarks } from "../../text/edge-marks.ts";
import type { Span } from "../../text/spans.ts";
import { type PassageSentence, readSentences } from "./passage-sentences.ts";
import { chooseItems, mergeUnits, selectAdding, toUnit } from "./items.ts";

/** UTF-16 code units: of sentences with their neighbours, and of a table, a list or code. */
export const MAX_QUOTE_LENGTH = 400;
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
export function quoteSentence(question: WeightedQuestion, sentences: readonly PassageSentence[], at: number): QuotedSpans {
  const sentence = sentences[at] as PassageSentence;
  const next = sentences[at + 1];
  if (sentence.isHeading && next !== undefined) {
    const below = quoteSentence(question, sentences, at + 1);
    if (below.end - sentence.start <= MAX_BLOCK_LENGTH) return { ...below, start: Math.min(sentence.start, below.start) };
  }
  const quoted = quoteItems(question, sentences, sentence);
  return quoted.head === null ? addMarks(question, sentences, sentence, quoted) : quoted;
}

/** Marks sentences of a quote with further parts of the question. */
function addMarks(
  question: WeightedQuestion,
  sentences: readonly PassageSentence[],
  { words, block }: PassageSentence,
  quoted: QuotedSpans,
): QuotedSpans {
  const { start, end, marks } = quoted;
  const isMarked = (each: Span): boolean => marks.some((mark) => each.start < mark.end && mark.start < each.end);
  const covered = sentences.filter(isMarked).reduce((all, each) => all.union(each.words), words);
  const inside = sentences.filter((each) => each.start >= start && each.end <= end);
  const others = inside.filter(
    (each) => !isMarked(each) && !each.isHeading && (!each.isHead || (each.block !== block && toUnit(each).end <= end)),
  );
  return { ...quoted, marks: mergeUnits([...marks, ...selectAdding(question, covered, others).map(toUnit)]) };
}

/** Returns the quote of a sentence, with the rows or items of its block that answer. */
function quoteItems(question: WeightedQuestion, sentences: readonly PassageSentence[], sentence: PassageSentence): QuotedSpans {
  const { block } = sentence;
  if (block === null) return { ...expand(sentences, sentence, null), marks: [sentence], head: null };
  const items = chooseItems(question, sentences, sentence);
  const last = items.findLast(({ end }) => end - block.start <= MAX_BLOCK_LENGTH);
  const isReached = last !== undefined && (sentence.isHead || last.end >= sentence.end);
  if (!isReached) {
    const item = toUnit(sentence);
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
  return sentences.length === 0 ? { start: passage.start, end: passage.start } : quoteSentence(question, sentences, best);
}

/** Adds brackets and quotation marks at the edges of a quote that belong to it. Offsets are those of the tile's text. */
export const fitQuote = ({ around }: Pick<Passage, "around">, quote: Span): Span =>
  toTileSpan(around, fitToMarks(around.text, toExcerptSpan(around, quote)));
