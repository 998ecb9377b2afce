import type { BoardStatistics, Posting } from "#domain/answers/search.ts";

export type Bm25Options = { readonly k1?: number; readonly b?: number };
/** `coverage`: the share of the question's idf mass that the document holds, 0 to 1. */
export type RankedDocument = { readonly document: number; readonly score: number; readonly coverage: number };
/** Parallel arrays, one slot a document that holds any of the terms. */
export type Bm25Scores = { readonly documents: Float64Array; readonly scores: Float64Array; readonly coverages: Float64Array };

/** A smaller board is weighed as one of so many passages: on a board of one, a word it holds would tell next to nothing. */
const MIN_DOCUMENTS = 100;

/** The idf of Lucene's BM25, ln(1 + (N − df + ½) / (df + ½)), of what stands in `df` passages. */
export function computeIdf(df: number, documents: number): number {
  return Math.log(1 + (Math.max(0, Math.max(documents, MIN_DOCUMENTS) - df) + 0.5) / (df + 0.5));
}

/** A term to score by: its postings, its weight, and whether finding it counts as finding a word of the question. */
export type WeightedTerm = { readonly postings: readonly Posting[]; readonly weight: number; readonly isWord: boolean };

/** BM25 (Robertson and Zaragoza 2009) of every document that holds any of the terms, in no order. */
export function scoreBm25(terms: readonly WeightedTerm[], statistics: BoardStatistics, options: Bm25Options = {}): Bm25Scores {
  const { k1 = 1.2, b = 0.75 } = options;
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

/** Yields documents best first, ties by document ascending; a heap, so that taking few of many is cheap. */
export function* iterateBestFirst({ documents, scores, coverages }: Bm25Scores): Generator<RankedDocument, void, undefined> {
  const heap = Uint32Array.from(documents.keys());
  let size = heap.length;
  const before = (x: number, y: number): boolean => {
    const difference = (scores[x] as number) - (scores[y] as number);
    return difference !== 0 ? difference > 0 : (documents[x] as number) < (documents[y] as number);
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
  while (size > 0) {
    const slot = heap[0] as number;
    size--;
    heap[0] = heap[size] as number;
    if (size > 1) sink(0);
    yield { document: documents[slot] as number, score: scores[slot] as number, coverage: Math.min(1, coverages[slot] as number) };
  }
}

/** The best `limit` documents, best first, ties by document ascending. */
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

/** Weighs the terms, by their own keys, as words that stand in a question as often as they are named. */
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

/** Steps to either side that count as around a passage, and what each weighs. */
const NEIGHBOURS: readonly (readonly [step: number, weight: number])[] = [
  [1, 0.25],
  [2, 0.125],
  [3, 0.125],
];

/**
 * For each of the documents, the mean score of those next to it on its board: passages of one text follow one another, and so do
 * notes that were put on a board together, such as the turns of a conversation.
 */
export function computeNeighbourScores({ documents, scores }: Bm25Scores, of: readonly number[]): number[] {
  const wanted = new Map<number, number>();
  for (const document of of) for (const [step] of NEIGHBOURS) wanted.set(document - step, 0).set(document + step, 0);
  for (let slot = 0; slot < documents.length; slot++) {
    const document = documents[slot] as number;
    if (wanted.has(document)) wanted.set(document, scores[slot] as number);
  }
  const at = (document: number): number => wanted.get(document) ?? 0;
  return of.map((document) => NEIGHBOURS.reduce((sum, [step, weight]) => sum + weight * (at(document - step) + at(document + step)), 0));
}

type Slots = { of(document: number): number; count(): number };

/** Numbers documents from 0 as they come: by array where their ids lie close together, else by map. */
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
