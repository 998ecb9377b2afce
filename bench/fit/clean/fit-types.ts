import { PAGE_TYPES, type PageType, type PageTypeData, toProbabilities } from "#ingest/clean/type/page-type.ts";

export type TypedPage = { readonly type: PageType; readonly site: string; readonly tokens: ReadonlySet<string> };

/** Tokens of fewer sites are chance. */
const MIN_SITES = 8;
/** The tokens of most sites are kept. */
const MAX_TOKENS = 800;
const TYPES = PAGE_TYPES.length;
const ROUNDS = 150;
const RATE = 0.3;
const DECAY = 0.002;

/** Fits the weights of tokens by multinomial logistic regression: AdaGrad over all pages, with decay of weights. */
export function fitTypes(pages: readonly TypedPage[]): PageTypeData {
  const kept = chooseTokens(pages);
  const numbers = new Map(kept.map((token, at) => [token, at * TYPES]));
  const rows = pages.map(({ tokens }) => Int32Array.from([...tokens].flatMap((token) => numbers.get(token) ?? [])));
  const weights = new Float64Array(kept.length * TYPES);
  const squares = new Float64Array(weights.length).fill(1e-3);
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = weights.map((weight) => weight * DECAY);
    for (const [page, { type }] of pages.entries()) {
      const row = rows[page] as Int32Array;
      const scores = PAGE_TYPES.map((_, at) => row.reduce((sum, token) => sum + (weights[token + at] as number), 0));
      const estimates = toProbabilities(scores);
      for (const [at, one] of PAGE_TYPES.entries()) {
        const error = ((estimates[at] as number) - (one === type ? 1 : 0)) / pages.length;
        for (const token of row) slopes[token + at] = (slopes[token + at] as number) + error;
      }
    }
    for (const [at, slope] of slopes.entries()) {
      squares[at] = (squares[at] as number) + slope * slope;
      weights[at] = (weights[at] as number) - (RATE * slope) / Math.sqrt(squares[at] as number);
    }
  }
  const read = (from: number): number[] => [...weights.subarray(from, from + TYPES)].map((weight) => Math.round(weight * 100) / 100);
  return Object.fromEntries(kept.map((token, at) => [token, read(at * TYPES)]));
}

function chooseTokens(pages: readonly TypedPage[]): readonly string[] {
  const sites = new Map<string, Set<string>>();
  for (const { tokens, site } of pages) for (const token of tokens) sites.set(token, (sites.get(token) ?? new Set()).add(site));
  return [...sites]
    .filter(([, { size }]) => size >= MIN_SITES)
    .sort(([, one], [, other]) => other.size - one.size)
    .slice(0, MAX_TOKENS)
    .map(([token]) => token)
    .sort();
}
