import type { Analyser, ConnectedChunk, ConnectedTile, SearchStore } from "#domain/search.ts";
import { safeCut } from "./text/characters.ts";
import type { Passage, Retrieval } from "./passage.ts";
import { addPending, type Found } from "./pending.ts";
import { queryTerms } from "./query.ts";
import { bestFirst, idfWeights, scoreBm25, type Ranked } from "./rank.ts";

export type RetrievalDeps = { readonly search: SearchStore; readonly analyse: Analyser["analyse"] };
export type RetrieveOptions = {
  /** Most passages to return. */
  readonly limit: number;
  /** Most passages of one tile; unbounded unless given. */
  readonly perTile?: number;
};

type Place = Omit<ConnectedChunk, "document"> & Ranked;
type Scope = { readonly search: SearchStore; readonly businessId: string; readonly boardId: string };

const FIRST_BATCH = 64;
const LAST_BATCH = 4_096;

/**
 * The passages of a board's connected tiles that match a question best, best first. Tiles that are not indexed yet take
 * part as though they were. Text is loaded only of tiles that `connectedChunks` has let through.
 */
export async function retrieve(
  deps: RetrievalDeps,
  businessId: string,
  boardId: string,
  question: string,
  options: RetrieveOptions,
): Promise<Retrieval> {
  const { search } = deps;
  const terms = queryTerms(question);
  if (terms.length === 0 || options.limit < 1) return { passages: [], weights: new Map(), documents: 0 };
  // Pending first: a tile that is indexed meanwhile is then seen twice (and dropped once) rather than never.
  const tiles = await search.pendingConnected(businessId, boardId);
  const [statistics, postings] = await Promise.all([
    search.statistics(businessId, boardId),
    search.postings(businessId, boardId, [...new Set(terms)]),
  ]);
  const found = await addPending(deps.analyse, terms, { statistics, postings }, tiles);
  const weights = idfWeights(terms, found.postings, found.statistics);
  const scope = { search, businessId, boardId };
  const passages = await resolve(scope, found, bestFirst(scoreBm25(terms, found.postings, found.statistics)), options);
  return { passages, weights, documents: found.statistics.documents };
}

/** Walks down the ranking in growing batches until enough passages have turned out to be connected. */
async function resolve(scope: Scope, found: Found, ranking: Iterator<Ranked>, options: RetrieveOptions): Promise<Passage[]> {
  const { limit, perTile = Infinity } = options;
  const pendingTiles = new Set(Array.from(found.pending.values(), ({ tile }) => tile.tileId));
  const passages: Passage[] = [];
  const taken = new Map<string, number>();
  for (let size = Math.max(FIRST_BATCH, limit); passages.length < limit; size = Math.min(size * 2, LAST_BATCH)) {
    const batch = take(ranking, size);
    if (batch.length === 0) break;
    const wanted: Place[] = [];
    for (const place of await locate(scope, found, pendingTiles, batch)) {
      const count = taken.get(place.tileId) ?? 0;
      if (count >= perTile || passages.length + wanted.length >= limit) continue;
      taken.set(place.tileId, count + 1);
      wanted.push(place);
    }
    passages.push(...(await load(scope, found, wanted)));
  }
  return passages;
}

function take(ranking: Iterator<Ranked>, count: number): Ranked[] {
  const batch: Ranked[] = [];
  while (batch.length < count) {
    const { value, done } = ranking.next();
    if (done === true) break;
    batch.push(value);
  }
  return batch;
}

/** Where the batch's documents stand, in its order, without those that may not be read. */
async function locate(
  { search, businessId, boardId }: Scope,
  found: Found,
  pendingTiles: ReadonlySet<string>,
  batch: readonly Ranked[],
): Promise<Place[]> {
  const stored = batch.map(({ document }) => document).filter((document) => !found.pending.has(document));
  const chunks = stored.length > 0 ? await search.connectedChunks(businessId, boardId, stored) : [];
  const connected = new Map(chunks.map((chunk) => [chunk.document, chunk]));
  return batch.flatMap((ranked) => {
    const pending = found.pending.get(ranked.document);
    if (pending !== undefined) return [{ ...ranked, tileId: pending.tile.tileId, start: pending.start, end: pending.end }];
    const chunk = connected.get(ranked.document);
    return chunk === undefined || pendingTiles.has(chunk.tileId) ? [] : [{ ...chunk, ...ranked }];
  });
}

/** Reads the text; a tile that was disconnected, deleted or cut short meanwhile drops out. */
async function load({ search, businessId, boardId }: Scope, found: Found, places: readonly Place[]): Promise<Passage[]> {
  if (places.length === 0) return [];
  const tileIds = [...new Set(places.map(({ tileId }) => tileId))];
  const tiles = new Map((await search.connectedTiles(businessId, boardId, tileIds)).map((tile) => [tile.id, tile]));
  return places.flatMap((place) => {
    const tile = tiles.get(place.tileId);
    const pending = found.pending.get(place.document);
    if (tile === undefined || (pending !== undefined && pending.tile.text !== tile.extractedText)) return [];
    return toPassage(place, tile);
  });
}

function toPassage({ start, end, score, coverage }: Place, { id, title, type, sourceUrl, extractedText }: ConnectedTile): Passage[] {
  if (end > extractedText.length || safeCut(extractedText, start) !== start || safeCut(extractedText, end) !== end) return [];
  const text = extractedText.slice(start, end);
  return [{ tileId: id, title, type, sourceUrl, text, start, end, score, coverage, tileText: extractedText }];
}
