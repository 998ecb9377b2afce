import type { BoardStatistics, Posting } from "#domain/answers/search.ts";
import { WEIGHTS } from "../weights.ts";

/** Override the fitted values of `WEIGHTS.bm25`. */
export type Bm25Options = { readonly k1?: number; readonly b?: number };
/** `coverage`: share of the question's idf sum that the document contains, 0 to 1. */
export type RankedDocument = { readonly document: number; readonly score: number; readonly coverage: number };
/** Parallel arrays with one slot for each document that contains any of the terms. */
export type Bm25Scores = { readonly documents: Float64Array; readonly scores: Float64Array; readonly coverages: Float64Array };

/** Inverse document frequency as in Lucene's BM25, ln(1 + (N − df + ½) / (df + ½)), of a term in `df` of N passages. */
export function computeIdf(df: number, documents: number): number {
  return Math.log(1 + (Math.max(0, Math.max(documents, WEIGHTS.bm25.minDocuments) - df) + 0.5) / (df + 0.5));
}

/** A term to score by. `isWord` is false for a prefix, which does not count towards coverage. */
export type WeightedTerm = { readonly postings: readonly Posting[]; readonly weight: number; readonly isWord: boolean };

/** BM25 scores (Robertson and Zaragoza 2009) of all documents that contain any of the terms, in no particular order. */
export function scoreBm25(terms: readonly WeightedTerm[], statistics: BoardStatistics, options: Bm25Options = {}): Bm25Scores {
  const { k1 = WEIGHTS.bm25.k1, b = WEIGHTS.bm25.b } = options;
  const average = statistics.documents > 0 ? Math.max(1, statistics.totalLength / statistics.documents) : 1;
  let idfSum = 0;
  let size = 0;
  for (const { postings, weight, isWord } of terms) {
    if (isWord) idfSum += weight;
    size += postings.length;
  }
  const slots = numberDocuments(terms, size);
  const documents = new Float64Array(size);
  const scores = new Float64Array(size);
  const coverages = new Float64Array(size);
  for (const { postings, weight, isWord } of terms) {
    const share = isWord ? weight / idfSum : 0;
    for (const { document, frequency, length } of postings) {
      const slot = slots.of(document);
      documents[slot] = document;
      const norm = k1 * (1 - b + (b * length) / average);
      scores[slot] = (scores[slot] as number) + (weight * frequency * (k1 + 1)) / (frequency + norm);
      coverages[slot] = (coverages[slot] as number) + share;
    }
  }
  const used = slots.count();
  return { documents: documents.subarray(0, used), scores: scores.subarray(0, used), coverages: coverages.subarray(0, used) };
}

/** Yields documents best first, ties by document ascending. */
export function* iterateBestFirst({ documents, scores, coverages }: Bm25Scores): Generator<RankedDocument, void, undefined> {
  const isBefore = (x: number, y: number): boolean => (documents[x] as number) < (documents[y] as number);
  for (const slot of takeBest(scores, scores.length, isBefore))
    yield { document: documents[slot] as number, score: scores[slot] as number, coverage: Math.min(1, coverages[slot] as number) };
}

/** Yields the indexes of the `limit` highest scores, highest first, and ties by `isBefore`. A heap makes taking a few of many cheap. */
export function* takeBest(
  scores: Float64Array,
  limit: number,
  isBefore: (x: number, y: number) => boolean = (x, y) => x < y,
): Generator<number, void, undefined> {
  const heap = Uint32Array.from(scores.keys());
  let size = heap.length;
  const before = (x: number, y: number): boolean => {
    const difference = (scores[x] as number) - (scores[y] as number);
    return difference !== 0 ? difference > 0 : isBefore(x, y);
  };
  const sink = (from: number): void => {
    const item = heap[from] as number;
    let at = from;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && before(heap[child + 1] as number, heap[child] as number)) child++;
      if (!before(heap[child] as number, item)) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = item;
  };
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(at);
  for (let taken = 0; size > 0 && taken < limit; taken++) {
    const slot = heap[0] as number;
    size--;
    heap[0] = heap[size] as number;
    if (size > 1) sink(0);
    yield slot;
  }
}

/** Returns the best `limit` documents, best first, ties by document ascending. */
export function rankBm25(
  terms: readonly WeightedTerm[],
  statistics: BoardStatistics,
  options: Bm25Options & { readonly limit?: number } = {},
): RankedDocument[] {
  const { limit = Infinity } = options;
  const best: RankedDocument[] = [];
  if (limit < 1) return best;
  for (const ranked of iterateBestFirst(scoreBm25(terms, statistics, options))) {
    best.push(ranked);
    if (best.length >= limit) break;
  }
  return best;
}

/** Weights each term by its idf times its number of occurrences in `terms`. */
export function weightTerms(
  terms: readonly string[],
  postings: ReadonlyMap<string, readonly Posting[]>,
  statistics: BoardStatistics,
): WeightedTerm[] {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts].map(([term, count]) => {
    const found = postings.get(term) ?? [];
    return { postings: found, weight: count * computeIdf(found.length, statistics.documents), isWord: true };
  });
}

/**
 * Weighted score of the documents before and after each of `of`. Passages of one text have consecutive numbers, and so do notes
 * that were created together, such as the turns of a conversation.
 */
export function computeNeighbourScores({ documents, scores }: Bm25Scores, of: readonly number[]): number[] {
  const { firstNeighbour, secondNeighbour, thirdNeighbour } = WEIGHTS.match;
  const steps = [[1, firstNeighbour] as const, [2, secondNeighbour] as const, [3, thirdNeighbour] as const];
  const wanted = new Map<number, number>();
  for (const document of of) for (const [step] of steps) wanted.set(document - step, 0).set(document + step, 0);
  for (let slot = 0; slot < documents.length; slot++) {
    const document = documents[slot] as number;
    if (wanted.has(document)) wanted.set(document, scores[slot] as number);
  }
  const at = (document: number): number => wanted.get(document) ?? 0;
  return of.map((document) => steps.reduce((sum, [step, weight]) => sum + weight * (at(document - step) + at(document + step)), 0));
}

type Slots = { of(document: number): number; count(): number };

/** Numbers documents from 0 in the order of first use; with an array if their ids are close together, else with a map. */
function numberDocuments(terms: readonly WeightedTerm[], size: number): Slots {
  let low = Infinity;
  let high = -Infinity;
  for (const { postings } of terms) {
    for (const { document } of postings) {
      if (document < low) low = document;
      if (document > high) high = document;
    }
  }
  let used = 0;
  const count = (): number => used;
  if (high - low < 32 * size + 1_024) {
    const table = new Uint32Array(size === 0 ? 0 : high - low + 1);
    return { count, of: (document) => (table[document - low] ||= ++used) - 1 };
  }
  const map = new Map<number, number>();
  return {
    count,
    of: (document) => {
      const known = map.get(document);
      if (known !== undefined) return known;
      map.set(document, used);
      return used++;
    },
  };
}
