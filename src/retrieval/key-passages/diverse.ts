import { LONGEST } from "./candidates.ts";
import type { KeyRanking, KeySentence } from "./ranking.ts";

/** A sentence's terms, each weighed, and the square root of the sum of their squares. */
export type Vector = { readonly squares: ReadonlyMap<string, number>; readonly norm: number };

export function vectorOf(terms: readonly string[], weightOf: (term: string) => number): Vector {
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
export function similarity(a: Vector, b: Vector): number {
  let shared = 0;
  for (const [term, square] of a.squares) if (b.squares.has(term)) shared += square;
  return shared === 0 ? 0 : shared / (a.norm * b.norm);
}

export type DiverseOptions = {
  readonly most: number;
  /** Longest sentence to take, in UTF-16 code units. */
  readonly longest?: number;
  /** From which similarity on a sentence repeats one already taken. */
  readonly repeats?: number;
  /** Most sentences of one text. */
  readonly perSource?: number;
};

/** Sentences looked at for a choice: enough for the longest piece, and few enough to be compared with each other. */
const LOOKED_AT = 400;
/** What a sentence's likeness to those taken costs it beside its score: maximal marginal relevance (Carbonell and Goldstein 1998). */
const LIKENESS = 0.5;
const REPEATS = 0.5;

/** The best sentences that do not say the same, best first. */
export function chooseDiverse({ sentences, weightOf }: Pick<KeyRanking, "sentences" | "weightOf">, options: DiverseOptions): KeySentence[] {
  const { most, longest = LONGEST, repeats = REPEATS, perSource = Infinity } = options;
  const open = sentences.filter(({ text }) => text.length <= longest).slice(0, LOOKED_AT);
  const top = open[0]?.score ?? 0;
  const vectors = open.map(({ terms }) => vectorOf(terms, weightOf));
  const likeness = open.map(() => 0);
  const taken: KeySentence[] = [];
  const used = new Map<number, number>();
  const isOpen = open.map(() => true);
  while (taken.length < most) {
    let best = -1;
    let bestWorth = -Infinity;
    for (const [at, sentence] of open.entries()) {
      if (isOpen[at] !== true || (likeness[at] as number) >= repeats || (used.get(sentence.source) ?? 0) >= perSource) continue;
      const worth = sentence.score / Math.max(1e-9, top) - LIKENESS * (likeness[at] as number);
      if (worth > bestWorth) [best, bestWorth] = [at, worth];
    }
    const chosen = open[best];
    if (chosen === undefined) break;
    isOpen[best] = false;
    taken.push(chosen);
    used.set(chosen.source, (used.get(chosen.source) ?? 0) + 1);
    for (const [at, vector] of vectors.entries())
      if (isOpen[at] === true) likeness[at] = Math.max(likeness[at] as number, similarity(vector, vectors[best] as Vector));
  }
  return taken;
}
