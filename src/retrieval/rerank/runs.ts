/** A run of characters of a question, and its share of all that such runs tell. */
export type Run = { readonly text: string; readonly share: number };

/**
 * The runs of a question that each of these passages holds, in the passages' order. The fewer of them hold a run the more it tells,
 * by the idf of BM25 among them alone; one that none of them holds tells nothing.
 */
export function weighRuns(runs: readonly string[], passages: readonly string[]): readonly (readonly Run[])[] {
  const padded = passages.map(pad);
  const holders = runs.map((run) => {
    const held: number[] = [];
    for (const [at, passage] of padded.entries()) if (passage.includes(run)) held.push(at);
    return held;
  });
  const weights = holders.map(({ length }) => (length === 0 ? 0 : Math.log(1 + (passages.length - length + 0.5) / (length + 0.5))));
  const mass = weights.reduce((sum, weight) => sum + weight, 0);
  const found: Run[][] = passages.map(() => []);
  for (const [number, text] of runs.entries()) {
    const run = { text, share: (weights[number] as number) / mass };
    for (const at of holders[number] as number[]) found[at]?.push(run);
  }
  return found;
}

/** What of the runs stands between two places of a passage. */
export function runsBetween(runs: readonly Run[], passage: string, start: number, end: number): number {
  const stretch = pad(passage.slice(start, end));
  let share = 0;
  for (const run of runs) if (stretch.includes(run.text)) share += run.share;
  return share;
}

/** What of the runs stands in a passage that holds them all. */
export const shareOf = (runs: readonly Run[]): number => runs.reduce((sum, { share }) => sum + share, 0);

/** A text's first and last word have a blank beside them too. */
const pad = (text: string): string => ` ${text} `;
