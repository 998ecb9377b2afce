/** A run of characters of a question, and its share of all that such runs tell. */
export type Run = { readonly text: string; readonly share: number };

/** The runs that a passage holds, and its text as they are looked for in it. */
export type HeldRuns = { readonly text: string; readonly runs: readonly Run[] };

/**
 * The runs of a question that each of these passages holds, in the passages' order. The fewer of them hold a run the more it tells,
 * by the idf of BM25 among them alone; one that none of them holds tells nothing. A question typed without a capital is looked for
 * without regard to them.
 */
export function weighRuns(runs: readonly string[], passages: readonly string[]): readonly HeldRuns[] {
  const hasCapitals = runs.some((run) => run !== run.toLowerCase());
  const texts = hasCapitals ? passages : passages.map(inSmallLetters);
  const padded = texts.map(pad);
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
  return texts.map((text, at) => ({ text, runs: found[at] as Run[] }));
}

/** What of the runs stands between two places of the passage that holds them. */
export function runsBetween({ text, runs }: HeldRuns, start: number, end: number): number {
  const stretch = pad(text.slice(start, end));
  let share = 0;
  for (const run of runs) if (stretch.includes(run.text)) share += run.share;
  return share;
}

/** What of a question's runs stands in the passage. */
export const shareOf = ({ runs }: HeldRuns): number => runs.reduce((sum, { share }) => sum + share, 0);

/** Places in a text stay where they are, so the few texts that would change their length are left alone. */
function inSmallLetters(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}

/** A text's first and last word have a blank beside them too. */
const pad = (text: string): string => ` ${text} `;
