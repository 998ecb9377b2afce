import { listWords, type Odds, type TokenKind } from "#ingest/clean/model/odds.ts";
import type { Example } from "./examples.ts";

/** How much content, and how much other text, has a token, and on how many sites. */
type Count = { content: number; other: number; readonly sites: Set<string> };
export type Counts = Readonly<Record<TokenKind, ReadonlyMap<string, Count>>>;
export type OddsTable = Readonly<Record<TokenKind, ReadonlyMap<string, number>>>;

/** Tokens of fewer sites are chance. */
const MIN_SITES = 4;
/** Added to the counts of a token, in the proportion of all text, against chance. */
const PRIOR = 0.15;
const MAX_ODDS = 4;
/** The most telling tokens of all are kept. */
const MAX_TOKENS = 4_000;

/** Counts the tokens of pages, by the weights of the blocks. */
export function countTokens(examples: readonly Example[]): Counts {
  const counts = { name: new Map<string, Count>(), word: new Map<string, Count>() };
  const add = (kind: TokenKind, token: string, { set, site }: Example, label: number, weight: number): void => {
    const count = counts[kind].get(token) ?? { content: 0, other: 0, sites: new Set() };
    counts[kind].set(token, count);
    count.content += weight * label;
    count.other += weight * (1 - label);
    // Composed pages are ours: what they have in common is not found on many sites.
    count.sites.add(set === "structure" ? set : site);
  };
  for (const example of examples) {
    const { elements, blocks } = example.outline;
    for (const [at, block] of blocks.entries()) {
      const [weight, label] = [(example.weights[at] as number) / 100, example.labels[at] as number];
      if (weight === 0) continue;
      const names = new Set(block.inline);
      for (let up = elements[block.element]; up; up = elements[up.parent]) for (const name of up.names) names.add(name);
      for (const name of names) add("name", name, example, label, weight);
      for (const word of new Set(listWords(block.text))) add("word", word, example, label, weight);
    }
  }
  return counts;
}

/** Computes the odds of tokens: how much more content has them than other text, as a logarithm. */
export function computeOdds(counts: Counts): OddsTable {
  const kinds = { name: new Map<string, number>(), word: new Map<string, number>() };
  for (const kind of ["name", "word"] as const) {
    let [content, other] = [0, 0];
    for (const count of counts[kind].values()) {
      content += count.content;
      other += count.other;
    }
    const share = content / Math.max(1e-9, content + other);
    for (const [token, count] of counts[kind]) {
      if (count.sites.size < MIN_SITES) continue;
      const ratio = (count.content + PRIOR * share) / (count.other + PRIOR * (1 - share));
      const odds = Math.log(ratio) - Math.log(share / (1 - share));
      kinds[kind].set(token, Math.round(Math.max(-MAX_ODDS, Math.min(MAX_ODDS, odds)) * 10) / 10);
    }
  }
  return kinds;
}

/** Chooses the tokens that tell most, by their odds and how much text has them. */
export function chooseTokens(counts: Counts): Readonly<Record<TokenKind, ReadonlySet<string>>> {
  const odds = computeOdds(counts);
  const rated = (["name", "word"] as const).flatMap((kind) =>
    [...odds[kind]].map(([token, value]) => {
      const { content, other } = counts[kind].get(token) as Count;
      return { kind, token, use: Math.abs(value) * Math.sqrt(content + other) };
    }),
  );
  const chosen = rated.sort((a, b) => b.use - a.use).slice(0, MAX_TOKENS);
  const listTokens = (wanted: TokenKind): ReadonlySet<string> =>
    new Set(chosen.filter(({ kind }) => kind === wanted).map(({ token }) => token));
  return { name: listTokens("name"), word: listTokens("word") };
}

/** Returns the odds of the chosen tokens. */
export const createOdds =
  (table: OddsTable, chosen: Readonly<Record<TokenKind, ReadonlySet<string>>>): Odds =>
  (kind, token) =>
    chosen[kind].has(token) ? (table[kind].get(token) ?? 0) : 0;
