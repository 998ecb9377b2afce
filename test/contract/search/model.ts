import { expect } from "vitest";
import { type Analysis, findEntries, iterateTerms, packTerms } from "#domain/answers/analysis.ts";
import type { PendingTile, Posting } from "#domain/answers/search.ts";
import type { StoreContext } from "../store-context.ts";

/** The terms of test analyses. */
export const TERMS = ["common", "odd", "rare", "first", "seven"] as const;

/**
 * An analysis derived from the tile's text only, `<chunks> <seed>`: a test can create any number of chunks
 * and still compute what the index must contain.
 */
export function analyseWords(text: string): Analysis {
  const [count = 0, seed = 0] = text.split(" ").map(Number);
  const chunks = Array.from({ length: count }, (_, i) => ({ start: i * 10, end: i * 10 + 9, length: 4 + ((i + seed) % 7) }));
  const holders: Record<(typeof TERMS)[number], (i: number) => boolean> = {
    common: () => true,
    odd: (i) => i % 2 === 1,
    rare: (i) => (i + seed) % 97 === 0,
    first: (i) => i === 0,
    seven: () => seed % 7 === 0,
  };
  const terms = new Map<string, { chunk: number; frequency: number }[]>();
  for (const term of TERMS) {
    const entries = chunks.flatMap((_, i) => (holders[term](i) ? [{ chunk: i, frequency: 1 + ((i + seed) % 3) }] : []));
    if (entries.length > 0) terms.set(term, entries);
  }
  return { chunks, terms: packTerms(terms) };
}

/** The analysis as parts of `size` chunks. */
export function* splitAnalysis({ chunks, terms }: Analysis, size: number): Generator<Analysis> {
  for (let from = 0; from < chunks.length; from += size) {
    const entries = new Map<string, { chunk: number; frequency: number }[]>();
    for (const term of iterateTerms(terms)) {
      const inPart = findEntries(terms, term).filter(({ chunk }) => chunk >= from && chunk < from + size);
      if (inPart.length > 0)
        entries.set(
          term,
          inPart.map(({ chunk, frequency }) => ({ chunk: chunk - from, frequency })),
        );
    }
    yield { chunks: chunks.slice(from, from + size), terms: packTerms(entries) };
  }
}

export const indexed = (tiles: readonly PendingTile[]) => tiles.map((tile) => ({ tile, analysis: analyseWords(tile.text) }));

/** Indexes until nothing is pending. */
export async function drain({ store }: Pick<StoreContext, "store">, limit = 7): Promise<void> {
  for (;;) {
    const tiles = await store.search.pending(limit, 1_000_000);
    if (tiles.length === 0) return;
    await store.search.index(indexed(tiles));
  }
}

const line = (tileId: string, start: number, end: number, frequency: number, length: number): string =>
  [tileId, start, end, frequency, length].join(" ");

/** The index entries of each term: tile, passage, frequency and length. Every tile must be connected. */
export async function contents({ store, board }: Pick<StoreContext, "store" | "board">): Promise<Map<string, string[]>> {
  const postings = await store.search.postings(board.businessId, board.id, TERMS);
  const documents = [...new Set([...postings.values()].flat().map(({ document }) => document))];
  const chunks = new Map(
    (await store.search.connectedChunks(board.businessId, board.id, documents)).map((chunk) => [chunk.document, chunk]),
  );
  expect(chunks.size).toBe(documents.length);
  const say = ({ document, frequency, length }: Posting): string => {
    const { tileId, start, end } = chunks.get(document)!;
    return line(tileId, start, end, frequency, length);
  };
  return new Map([...postings].map(([term, list]) => [term, list.map(say).sort()]));
}

/** Expects the index to equal one built from the live, indexed tiles only. */
export async function expectFresh(context: Pick<StoreContext, "store" | "board" | "scope">): Promise<void> {
  const { store, board, scope } = context;
  const pending = new Set((await store.search.pending(100_000, Infinity)).map(({ tileId }) => tileId));
  const tiles = (await store.tiles.list(scope, { order: "asc", withText: true, statuses: ["ready"] }, null, 100_000, Infinity)).tiles;
  const expected = new Map<string, string[]>();
  let documents = 0;
  let totalLength = 0;
  for (const { id, extractedText } of tiles) {
    if (pending.has(id)) continue;
    const { chunks, terms } = analyseWords(extractedText);
    documents += chunks.length;
    for (const { length } of chunks) totalLength += length;
    for (const term of iterateTerms(terms)) {
      const lines = expected.get(term) ?? [];
      for (const { chunk, frequency } of findEntries(terms, term))
        lines.push(line(id, chunks[chunk]!.start, chunks[chunk]!.end, frequency, chunks[chunk]!.length));
      expected.set(term, lines);
    }
  }
  for (const lines of expected.values()) lines.sort();
  expect(await store.search.statistics(board.businessId, board.id)).toMatchObject({ documents, totalLength });
  expect(await contents(context)).toEqual(expected);
}
