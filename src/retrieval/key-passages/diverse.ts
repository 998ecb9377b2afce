import { MAX_SENTENCE_LENGTH } from "./candidates.ts";
import type { KeyRanking, KeySentence } from "./ranking.ts";

/** A sentence's terms, each weighed, and the square root of the sum of their squares. */
export type Vector = { readonly squares: ReadonlyMap<string, number>; readonly norm: number };

export function toVector(terms: readonly string[], weightOf: (term: string) => number): Vector {
  const squares = new Map<string, number>();
  let total = 0;
  for (const term of terms) {
    const square = weightOf(term) ** 2;
    squares.set(term, square);
    total += square;
  }
  return { squares, norm: Math.sqrt(total) };
}

/** Cosine of two sentences, 0 to 1. */
export function computeSimilarity(a: Vector, b: Vector): number {
  let shared = 0;
  for (const [term, square] of a.squares) if (b.squares.has(term)) shared += square;
  return shared === 0 ? 0 : shared / (a.norm * b.norm);
}

export type DiverseOptions = {
  readonly limit: number;
  /** Longest sentence to take, in UTF-16 code units. */
  readonly maxLength?: number;
  /** From which similarity on a sentence repeats one already taken. */
  readonly repeatThreshold?: number;
  /** Most sentences of one text. */
  readonly perSource?: number;
};

/** Sentences looked at for a choice: enough for the longest piece, and few enough to be compared with each other. */
const MAX_CANDIDATES = 400;
/** What a sentence's likeness to those taken costs it beside its score: maximal marginal relevance (Carbonell and Goldstein 1998). */
const REDUNDANCY_WEIGHT = 0.5;
const DEFAULT_REPEAT_THRESHOLD = 0.5;

/** The best sentences that do not say the same, best first. */
export function chooseDiverse(
  { sentences, getWeight }: Pick<KeyRanking, "sentences" | "getWeight">,
  options: DiverseOptions,
): KeySentence[] {
  const { limit, maxLength = MAX_SENTENCE_LENGTH, repeatThreshold = DEFAULT_REPEAT_THRESHOLD, perSource = Infinity } = options;
  const open = sentences.filter(({ text }) => text.length <= maxLength).slice(0, MAX_CANDIDATES);
  const top = open[0]?.score ?? 0;
  const vectors = open.map(({ terms }) => toVector(terms, getWeight));
  const redundancy = open.map(() => 0);
  const selected: KeySentence[] = [];
  const used = new Map<number, number>();
  const isOpen = open.map(() => true);
  while (selected.length < limit) {
    let best = -1;
    let bestScore = -Infinity;
    for (const [at, sentence] of open.entries()) {
      if (isOpen[at] !== true || (redundancy[at] as number) >= repeatThreshold || (used.get(sentence.source) ?? 0) >= perSource) continue;
      const score = sentence.score / Math.max(1e-9, top) - REDUNDANCY_WEIGHT * (redundancy[at] as number);
      if (score > bestScore) [best, bestScore] = [at, score];
    }
    const chosen = open[best];
    if (chosen === undefined) break;
    isOpen[best] = false;
    selected.push(chosen);
    used.set(chosen.source, (used.get(chosen.source) ?? 0) + 1);
    for (const [at, vector] of vectors.entries())
      if (isOpen[at] === true) redundancy[at] = Math.max(redundancy[at] as number, computeSimilarity(vector, vectors[best] as Vector));
  }
  return selected;
}
