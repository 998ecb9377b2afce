import type { Passage } from "../passage.ts";
import type { SentenceMatch } from "../rerank/match-passage.ts";
import type { Span } from "../text/spans.ts";

/** Longest quote, in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 400;

/** What a sentence's passage weighs beside the sentence itself; this and `worthOf` were fitted on public questions (SQuAD). */
export const PASSAGE_WEIGHT = 0.62;

type QuotablePassage = Pick<Passage, "match" | "start">;

/** How well a sentence meets the question by itself: its share of the question's words, of its runs of characters, and its meaning. */
export const scoreSentence = ({ coverage, ngramShare, similarity }: SentenceMatch): number =>
  coverage + 0.6 * ngramShare + 0.76 * (similarity ?? 0);

/**
 * A sentence of a passage with as many of its neighbours as fit a quote, the better one first, as offsets into the tile's
 * `extractedText`: a sentence alone often leaves out what its "it" stands for. (The gold answer of SQuAD's questions stands in the
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

/** The best sentence of a passage with its neighbours; empty where it has none. */
export function chooseQuote(passage: QuotablePassage): Span {
  const { sentences } = passage.match;
  let best = 0;
  for (const [at, sentence] of sentences.entries())
    if (scoreSentence(sentence) > scoreSentence(sentences[best] as SentenceMatch)) best = at;
  return expandQuote(passage, best);
}
