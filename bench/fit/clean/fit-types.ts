import { estimateTypes, PAGE_TYPES, type PageType, type PageTypeData } from "#ingest/clean/type/page-type.ts";

export type TypedPage = { readonly type: PageType; readonly site: string; readonly tokens: ReadonlySet<string> };

/** Tokens of fewer sites are chance. */
const MIN_SITES = 8;
/** The tokens of most sites are kept. */
const MAX_TOKENS = 800;
const ROUNDS = 150;
const RATE = 0.3;
const DECAY = 0.002;

/** Fits the weights of tokens by multinomial logistic regression: AdaGrad over all pages, with decay of weights. */
export function fitTypes(pages: readonly TypedPage[]): PageTypeData {
  const sites = new Map<string, Set<string>>();
  for (const { tokens, site } of pages) for (const token of tokens) sites.set(token, (sites.get(token) ?? new Set()).add(site));
  const kept = [...sites]
    .filter(([, { size }]) => size >= MIN_SITES)
    .sort(([, one], [, other]) => other.size - one.size)
    .slice(0, MAX_TOKENS)
    .map(([token]) => token)
    .sort();
  const weights: Record<string, number[]> = Object.fromEntries(kept.map((token) => [token, PAGE_TYPES.map(() => 0)]));
  const steps: Record<string, number[]> = Object.fromEntries(kept.map((token) => [token, PAGE_TYPES.map(() => 1e-3)]));
  for (let round = 0; round < ROUNDS; round++) {
    const gradients: Record<string, number[]> = Object.fromEntries(kept.map((token) => [token, (weights[token] as number[]).map((one) => one * DECAY)]));
    for (const { type, tokens } of pages) {
      const estimates = estimateTypes(weights, tokens);
      for (const token of tokens) {
        const own = gradients[token];
        if (own) for (const [at, one] of PAGE_TYPES.entries()) own[at] = (own[at] as number) + ((estimates[at] as number) - (one === type ? 1 : 0)) / pages.length;
      }
    }
    for (const token of kept)
      for (const at of PAGE_TYPES.keys()) {
        const slope = (gradients[token] as number[])[at] as number;
        const step = (steps[token] as number[])[at] as number + slope * slope;
        (steps[token] as number[])[at] = step;
        (weights[token] as number[])[at] = ((weights[token] as number[])[at] as number) - (RATE * slope) / Math.sqrt(step);
      }
  }
  return Object.fromEntries(Object.entries(weights).map(([token, values]) => [token, values.map((value) => Math.round(value * 100) / 100)]));
}
