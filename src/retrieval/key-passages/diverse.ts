import { MAX_SENTENCE_LENGTH } from "./candidates.ts";
import type { KeyRanking, KeySentence } from "./ranking.ts";
import type { Steps } from "./steps.ts";

/** Squared weights of a sentence's terms, and the square root of their sum. */
export type Vector = { readonly squares: ReadonlyMap<string, number>; readonly norm: number };

export function toVector(terms: readonly string[], getWeight: (term: string) => number): Vector {
  const squares = new Map<string, number>();
  let total = 0;
  for (const term of terms) {
    const square = getWeight(term) ** 2;
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
  /** Maximum length of a sentence, in UTF-16 code units. */
  readonly maxLength?: number;
  /** Similarity from which on a sentence repeats a selected one. */
  readonly repeatThreshold?: number;
  /** Maximum number of sentences of one text. */
  readonly perSource?: number;
};

/** Sentences considered: enough for the longest draft, and few enough to be compared with each other. */
const MAX_CANDIDATES = 400;
/** Weight of the similarity to selected sentences: maximal marginal relevance (Carbonell and Goldstein 1998). */
const REDUNDANCY_WEIGHT = 0.5;
const DEFAULT_REPEAT_THRESHOLD = 0.5;

/** Selects the best sentences that do not repeat each other, best first. */
export function* chooseDiverse(
  { sentences, getWeight }: Pick<KeyRanking, "sentences" | "getWeight">,
  options: DiverseOptions,
): Steps<KeySentence[]> {
  const { limit, maxLength = MAX_SENTENCE_LENGTH, repeatThreshold = DEFAULT_REPEAT_THRESHOLD, perSource = Infinity } = options;
  const open = sentences.filter(({ text }) => text.length <= maxLength).slice(0, MAX_CANDIDATES);
  const top = open[0]?.score ?? 0;
  const vectors = open.map(({ terms }) => toVector(terms, getWeight));
  const redundancy = open.map(() => 0);
  const selected: KeySentence[] = [];
  const used = new Map<number, number>();
  const isOpen = open.map(() => true);
  while (selected.length < limit) {
    yield;
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
