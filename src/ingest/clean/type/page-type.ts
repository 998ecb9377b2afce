import type { PageFacts } from "../model/features/facts.ts";
import { describePage } from "../model/features/page.ts";

/** What kinds of pages have in common decides what their main content is. */
export const PAGE_TYPES = ["article", "documentation", "service", "forum", "product", "collection", "listing"] as const;
export type PageType = (typeof PAGE_TYPES)[number];

/** The weights of each token, one for each type in the order of `PAGE_TYPES`; the empty token stands for all pages. */
export type PageTypeData = Readonly<Record<string, readonly number[]>>;

const MAX_TOKENS = 400;
const MAX_PATH_WORDS = 20;

/** Lists what tells the type of a page: words of its address, its types of schema.org, names of its elements, and its sizes. */
export function listTypeTokens(facts: PageFacts): ReadonlySet<string> {
  const { outline, hints } = facts;
  const url = URL.parse(hints.url);
  const path = (url?.pathname ?? "").toLowerCase();
  const tokens = new Set<string>([""]);
  for (const label of (url?.hostname ?? "").split(".").slice(0, -1)) tokens.add(`host ${label}`);
  for (const word of path.split(/[^a-z]+/).slice(0, MAX_PATH_WORDS)) if (word.length > 1) tokens.add(`path ${word}`);
  tokens.add(/\d{4}\/\d\d?\b/.test(path) ? "path dated" : "path undated").add(/\d{5}/.test(path) ? "path numbered" : "path unnumbered");
  for (const type of hints.types) tokens.add(`type ${type}`);
  describePage((name, value) => tokens.add(`${name} ${value > 0 && value < 1 ? Math.round(value * 10) / 10 : Math.round(value)}`), facts);
  for (const { names } of outline.elements) {
    if (tokens.size > MAX_TOKENS) break;
    for (const name of names) tokens.add(`name ${name}`);
  }
  return tokens;
}

/** Returns the probability of each type, in the order of `PAGE_TYPES`. */
export function estimateTypes(data: PageTypeData, tokens: ReadonlySet<string>): number[] {
  const scores = PAGE_TYPES.map(() => 0);
  for (const token of tokens)
    for (const [at, weight] of (Object.hasOwn(data, token) ? (data[token] as readonly number[]) : []).entries())
      scores[at] = (scores[at] as number) + weight;
  return toProbabilities(scores);
}

/** Turns the sums of the tokens' weights into probabilities (softmax). */
export function toProbabilities(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - most));
  const sum = raised.reduce((all, one) => all + one, 0);
  return raised.map((one) => one / sum);
}

/** Returns the most likely type. */
export const chooseType = (probabilities: readonly number[]): PageType =>
  PAGE_TYPES[probabilities.indexOf(Math.max(...probabilities))] as PageType;

/** The probability that a page is of one of these types. */
export const sumTypes = (probabilities: readonly number[], wanted: ReadonlySet<PageType>): number =>
  PAGE_TYPES.reduce((sum, type, at) => (wanted.has(type) ? sum + (probabilities[at] as number) : sum), 0);

/** The probabilities of a page that is certainly of one type. */
export const onlyType = (type: PageType): number[] => PAGE_TYPES.map((one) => (one === type ? 1 : 0));
