import { type Passage, toExcerptSpan, toTileSpan } from "../passage.ts";
import type { SentenceMatch } from "../rerank/match-passage.ts";
import { fitToMarks } from "../text/edge-marks.ts";
import type { Span } from "../text/spans.ts";
import { WEIGHTS } from "../weights.ts";

/** UTF-16 code units. */
const MAX_QUOTE_LENGTH = 400;

type QuotablePassage = Pick<Passage, "match" | "start">;

/** Scores how well a sentence matches the question, without its passage. */
export function scoreSentence({ coverage, ngramShare, similarity }: SentenceMatch): number {
  const weights = WEIGHTS.sentence;
  return weights.coverage * coverage + weights.ngrams * ngramShare + weights.similarity * (similarity ?? 0);
}

/**
 * Extends a sentence of a passage by as many neighbours as fit into a quote, the better one first, because a sentence alone often
 * lacks what its "it" refers to. Returns offsets into the tile's `extractedText`. (The gold answer of SQuAD's questions is in the
 * first sentence for 78 %, in its quote for 83 %.)
 */
export function expandQuote({ match, start }: QuotablePassage, at: number): Span {
  const { sentences } = match;
  let [from, to] = [at, at];
  const scoreAt = (index: number): number => {
    const sentence = sentences[index];
    return sentence === undefined ? -Infinity : scoreSentence(sentence);
  };
  const fits = (first: number, last: number): boolean =>
    sentences[first] !== undefined && sentences[last] !== undefined && sentences[last].end - sentences[first].start <= MAX_QUOTE_LENGTH;
  for (;;) {
    const before = fits(from - 1, to) ? scoreAt(from - 1) : -Infinity;
    const after = fits(from, to + 1) ? scoreAt(to + 1) : -Infinity;
    if (before === -Infinity && after === -Infinity) break;
    if (after >= before) to++;
    else from--;
  }
  const [first, last] = [sentences[from], sentences[to]];
  return { start: start + (first?.start ?? 0), end: start + (last?.end ?? 0) };
}

/** Returns the best sentence of a passage with its neighbours; empty if it has none. */
export function chooseQuote(passage: QuotablePassage): Span {
  const { sentences } = passage.match;
  let best = 0;
  for (const [at, sentence] of sentences.entries())
    if (scoreSentence(sentence) > scoreSentence(sentences[best] as SentenceMatch)) best = at;
  return expandQuote(passage, best);
}

/** Adds brackets and quotation marks at the edges of a quote that belong to it. Offsets are those of the tile's text. */
export const fitQuote = ({ around }: Pick<Passage, "around">, quote: Span): Span =>
  toTileSpan(around, fitToMarks(around.text, toExcerptSpan(around, quote)));
