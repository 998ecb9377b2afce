/** A character n-gram of a question, and its share of the sum of their weights. */
export type Ngram = { readonly text: string; readonly share: number };

/** The n-grams that a passage contains, and the text in which they were searched. */
export type PassageNgrams = { readonly text: string; readonly ngrams: readonly Ngram[] };

/**
 * Finds the n-grams of a question in each of these passages, in order. An n-gram is weighted by its idf (BM25's) among these
 * passages alone; one that none of them contains has no weight. If the question has no capitals, case is ignored.
 */
export function weightNgrams(ngrams: readonly string[], passages: readonly string[]): readonly PassageNgrams[] {
  const hasCapitals = ngrams.some((ngram) => ngram !== ngram.toLowerCase());
  const texts = hasCapitals ? passages : passages.map(lowerCaseKeepingOffsets);
  const padded = texts.map(pad);
  const holders = ngrams.map((ngram) => {
    const held: number[] = [];
    for (const [at, passage] of padded.entries()) if (passage.includes(ngram)) held.push(at);
    return held;
  });
  const weights = holders.map(({ length }) => (length === 0 ? 0 : Math.log(1 + (passages.length - length + 0.5) / (length + 0.5))));
  const idfSum = weights.reduce((sum, weight) => sum + weight, 0);
  const found: Ngram[][] = passages.map(() => []);
  for (const [number, text] of ngrams.entries()) {
    const ngram = { text, share: (weights[number] as number) / idfSum };
    for (const at of holders[number] as number[]) found[at]?.push(ngram);
  }
  return texts.map((text, at) => ({ text, ngrams: found[at] as Ngram[] }));
}

/** Share of the question's n-grams between two offsets of the passage. */
export function computeNgramShareBetween({ text, ngrams }: PassageNgrams, start: number, end: number): number {
  const window = pad(text.slice(start, end));
  let share = 0;
  for (const ngram of ngrams) if (window.includes(ngram.text)) share += ngram.share;
  return share;
}

/** Share of the question's n-grams in the passage. */
export const computeNgramShare = ({ ngrams }: PassageNgrams): number => ngrams.reduce((sum, { share }) => sum + share, 0);

/** Lower-cases a text, unless that changes its length, and so its offsets. */
function lowerCaseKeepingOffsets(text: string): string {
  const lowerCase = text.toLowerCase();
  return lowerCase.length === text.length ? lowerCase : text;
}

/** Adds a blank before the first and after the last word, as n-grams have it. */
const pad = (text: string): string => ` ${text} `;
