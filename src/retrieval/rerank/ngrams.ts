/** A run of characters of a question, and its share of all that such runs tell. */
export type Ngram = { readonly text: string; readonly share: number };

/** The runs that a passage holds, and its text as they are looked for in it. */
export type PassageNgrams = { readonly text: string; readonly ngrams: readonly Ngram[] };

/**
 * The runs of a question that each of these passages holds, in the passages' order. The fewer of them hold a run the more it tells,
 * by the idf of BM25 among them alone; one that none of them holds tells nothing. A question typed without a capital is looked for
 * without regard to them.
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

/** What of the runs stands between two places of the passage that holds them. */
export function computeNgramShareBetween({ text, ngrams }: PassageNgrams, start: number, end: number): number {
  const window = pad(text.slice(start, end));
  let share = 0;
  for (const ngram of ngrams) if (window.includes(ngram.text)) share += ngram.share;
  return share;
}

/** What of a question's runs stands in the passage. */
export const computeNgramShare = ({ ngrams }: PassageNgrams): number => ngrams.reduce((sum, { share }) => sum + share, 0);

/** Places in a text stay where they are, so the few texts that would change their length are left alone. */
function lowerCaseKeepingOffsets(text: string): string {
  const lowerCase = text.toLowerCase();
  return lowerCase.length === text.length ? lowerCase : text;
}

/** A text's first and last word have a blank beside them too. */
const pad = (text: string): string => ` ${text} `;
