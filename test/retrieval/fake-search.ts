import { type Chunk, findEntries, iterateTerms } from "#domain/answers/analysis.ts";
import type { Posting, SearchStore, WaitingTile } from "#domain/answers/search.ts";
import type { RetrievalDeps } from "#retrieval/candidates.ts";
import { createAnalyser } from "#composition/analysis/analyser.ts";
import { analyse, analysePart } from "#retrieval/lexical/analyse.ts";

export type FakeTile = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly connected?: boolean;
  readonly indexed?: boolean;
};

/** Indexes tiles as a store does: the postings of each term, and the chunks by document, from 1 on. */
function indexTiles(tiles: readonly FakeTile[]) {
  const postings = new Map<string, Posting[]>();
  const stored: (Chunk & { readonly tile: FakeTile })[] = [];
  for (const tile of tiles) {
    const { chunks, terms } = analyse(tile);
    for (const term of iterateTerms(terms)) {
      const added = findEntries(terms, term).map(({ chunk, frequency }) => ({
        document: stored.length + chunk + 1,
        frequency,
        length: chunks[chunk]?.length ?? 0,
      }));
      postings.set(term, [...(postings.get(term) ?? []), ...added]);
    }
    stored.push(...chunks.map(({ start, end, length }) => ({ start, end, length, tile })));
  }
  return { postings, stored };
}

/** An in-memory board whose disconnected tiles throw when their text is read. */
export function fakeBoard(tiles: readonly FakeTile[]): RetrievalDeps {
  const { postings, stored } = indexTiles(tiles.filter(({ indexed }) => indexed !== false));
  const isConnected = ({ connected }: FakeTile): boolean => connected !== false;
  const toWaiting = ({ id, title, text }: FakeTile): WaitingTile => ({
    businessId: "b",
    boardId: "c",
    tileId: id,
    version: 1,
    bytes: text.length,
    content: { title, text },
  });
  const search: SearchStore = {
    statistics: async () => ({
      documents: stored.length,
      totalLength: stored.reduce((sum, { length }) => sum + length, 0),
      nextDocument: stored.length + 1,
    }),
    postings: async (_b, _c, terms) => new Map(terms.flatMap((term) => (postings.has(term) ? [[term, postings.get(term) ?? []]] : []))),
    postingSizes: async (_b, _c, terms) =>
      new Map(terms.flatMap((term) => (postings.has(term) ? [[term, 3 * (postings.get(term) ?? []).length]] : []))),
    terms: async (_b, _c, prefix, limit) => [...postings.keys()].filter((term) => term.startsWith(prefix)).slice(0, limit),
    connectedChunks: async (_b, _c, documents) =>
      documents.flatMap((document) => {
        const chunk = stored[document - 1];
        return chunk && isConnected(chunk.tile)
          ? [{ document, tileId: chunk.tile.id, tileBytes: chunk.tile.text.length, start: chunk.start, end: chunk.end }]
          : [];
      }),
    connectedTiles: async (_b, _c, ids) =>
      ids.map((id) => {
        const tile = tiles.find((other) => other.id === id);
        if (tile === undefined || !isConnected(tile)) throw new Error(`the text of ${id} was read`);
        return { id, version: 1, title: tile.title, type: "TEXT", sourceUrl: null, extractedText: tile.text };
      }),
    tileBeginnings: async () => [],
    chatTiles: async () => [],
    readyTiles: async () => [],
    unreadyTiles: async () => [],
    pendingConnected: async () => tiles.filter((tile) => tile.indexed === false && isConnected(tile)).map(toWaiting),
    hasConnected: async () => tiles.some(isConnected),
    pendingTexts: async () => [],
    pending: async () => [],
    index: async () => {},
    indexParts: async () => {},
    eraseDropped: async () => {},
  };
  const analyser = createAnalyser({ analyse: async (parts) => parts.map(analysePart) }, search);
  return { search, analyseWaiting: (waiting) => analyser.analyseWaiting(waiting), semantic: null };
}
