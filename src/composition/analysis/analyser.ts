import type { Analysis } from "#domain/answers/analysis.ts";
import type { AnalysedTile, Analyser, PendingTile, SearchStore, TileVersion, WaitingTile } from "#domain/answers/search.ts";
import type { Pool } from "#ingest/threads/pool.ts";
import { MAX_PART_LENGTH, splitIntoParts } from "#retrieval/lexical/parts.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";
import { createSingleFlight } from "#runtime/single-flight.ts";
import { AnalysisCache, type CacheLimits, getVersionKey } from "./analysis-cache.ts";
import { TextAnalyser } from "./text-analyser.ts";

/** Memory of cached analyses: those of 8 MB of distinct words, or of 50 MB of prose. A question needs at most 10 MB. */
const CACHE_LIMITS: CacheLimits = { maxBytes: 48 * 1_048_576, maxBusinessBytes: 16 * 1_048_576 };
/** Characters of one tile that a question reads before the tile is indexed. */
const MAX_WAITING_CHARACTERS = 2_000_000;
/** Businesses whose texts are in memory at the same time; each of them has one batch at a time. */
const MAX_BATCHES = 4;
/** Tiles whose texts are read and analysed together; there may be one, of any length. */
const MAX_BATCH_TILES = 100;
const NEVER_ABORTED = new AbortController().signal;

type Batch = { readonly id: string; readonly tiles: readonly WaitingTile[] };
type Analysed = ReadonlyMap<string, AnalysedTile>;

/** Creates the analyser of questions and of the indexer. `search` reads the texts of waiting tiles. */
export function createAnalyser(
  threads: Pick<Pool, "analyse">,
  search: Pick<SearchStore, "pendingTexts">,
  cacheLimits: CacheLimits = CACHE_LIMITS,
): Analyser {
  const texts = new TextAnalyser(threads);
  const cache = new AnalysisCache(cacheLimits);
  const waiting = new WaitingAnalyser(texts, search, cache);
  const getCached = (tile: TileVersion): readonly Analysis[] | undefined => cache.get(tile)?.parts;
  return {
    analyseWaiting: (tiles, signal = NEVER_ABORTED) => waiting.analyse(tiles, signal),
    async analyse(tiles) {
      const found = new Map<PendingTile, Analysis | null>();
      for (const tile of tiles) found.set(tile, getCached(tile)?.[0] ?? null);
      const missing = tiles.filter((tile) => found.get(tile) === null);
      for (const [business, group] of Map.groupBy(missing, ({ businessId }) => businessId)) {
        const analyses = await texts.analyse(group, { business, isUrgent: false });
        for (const [at, tile] of group.entries()) found.set(tile, analyses[at] ?? null);
      }
      return tiles.map((tile) => found.get(tile) ?? null);
    },
    async *analyseParts(tile) {
      const cached = getCached(tile) ?? [];
      // The cache lacks the end of a very long text, and parts that could not be analysed.
      const isWhole = tile.text.length <= MAX_WAITING_CHARACTERS && cached.length === [...splitIntoParts(tile.text)].length;
      yield* isWhole ? cached : texts.analyseParts(tile, { business: tile.businessId, isUrgent: false });
    },
  };
}

/** Analyses each version of a waiting tile once, for all questions that need it. */
class WaitingAnalyser {
  readonly #texts: TextAnalyser;
  readonly #search: Pick<SearchStore, "pendingTexts">;
  readonly #cache: AnalysisCache;
  /** Without a limit: searches and questions come here in their turn, a few at a time. */
  readonly #flights = createSingleFlight<Analysed>();
  readonly #slots = createSemaphore({ slots: 0, reserved: MAX_BATCHES });
  /** The batch that analyses a tile now, by the tile's version. */
  readonly #batches = new Map<string, Batch>();
  #lastBatch = 0;

  constructor(texts: TextAnalyser, search: Pick<SearchStore, "pendingTexts">, cache: AnalysisCache) {
    this.#texts = texts;
    this.#search = search;
    this.#cache = cache;
  }

  async analyse(tiles: readonly WaitingTile[], signal: AbortSignal): Promise<readonly AnalysedTile[]> {
    const found = new Map<string, AnalysedTile>();
    const missing: WaitingTile[] = [];
    const batches = new Set<Batch>();
    for (const tile of tiles) {
      const key = getVersionKey(tile);
      const cached = tile.content === undefined ? this.#cache.get(tile) : undefined;
      const batch = this.#batches.get(key);
      if (cached !== undefined) found.set(key, cached);
      else if (batch !== undefined) batches.add(batch);
      else missing.push(tile);
    }
    for (const group of groupByBytes(missing)) batches.add({ id: String(++this.#lastBatch), tiles: group });
    const results = await Promise.all(
      [...batches].map((batch) => this.#flights.run(batch.id, signal, (shared) => this.#run(batch, shared))),
    );
    for (const result of results) for (const [key, analysed] of result) found.set(key, analysed);
    return tiles.flatMap((tile) => found.get(getVersionKey(tile)) ?? []);
  }

  /** The batch is found by other questions from the call on, and until the result is there. One whose signal has aborted is never called. */
  async #run(batch: Batch, signal: AbortSignal): Promise<Analysed> {
    for (const tile of batch.tiles) this.#batches.set(getVersionKey(tile), batch);
    const owner = batch.tiles[0]?.businessId ?? "";
    try {
      return await this.#slots.run(() => this.#analyseBatch(batch.tiles, owner, signal), { owner, signal });
    } finally {
      for (const tile of batch.tiles) {
        const key = getVersionKey(tile);
        if (this.#batches.get(key) === batch) this.#batches.delete(key);
      }
    }
  }

  async #analyseBatch(tiles: readonly WaitingTile[], business: string, signal: AbortSignal): Promise<Analysed> {
    const options = { business, isUrgent: true, signal };
    const analysed = new Map<string, AnalysedTile>();
    const pending = await this.#readTexts(tiles);
    const [long, short] = [pending.filter(isLong), pending.filter((tile) => !isLong(tile))];
    const analyses = await this.#texts.analyse(short, options);
    const add = (tile: PendingTile, parts: readonly (Analysis | null)[]): void => {
      const { businessId, boardId, tileId, version } = tile;
      const result = { tile: { businessId, boardId, tileId, version }, parts: parts.filter((part) => part !== null) };
      analysed.set(getVersionKey(tile), result);
      if (version > 0) this.#cache.set(result);
    };
    for (const [at, tile] of short.entries()) add(tile, [analyses[at] ?? null]);
    for (const tile of long) {
      const parts: (Analysis | null)[] = [];
      for await (const part of this.#texts.analyseParts(tile, options)) parts.push(part);
      add(tile, parts);
    }
    return analysed;
  }

  async #readTexts(tiles: readonly WaitingTile[]): Promise<readonly PendingTile[]> {
    const given = tiles.flatMap(({ content, ...tile }) => (content === undefined ? [] : [{ ...tile, ...content }]));
    const stored = tiles.filter(({ content }) => content === undefined);
    return [...given, ...(stored.length === 0 ? [] : await this.#search.pendingTexts(stored, MAX_WAITING_CHARACTERS))];
  }
}

const isLong = ({ text }: PendingTile): boolean => text.length > MAX_PART_LENGTH;

/** Groups tiles so that the texts of a group are those of one task, or of one long tile. */
function* groupByBytes(tiles: readonly WaitingTile[]): Generator<readonly WaitingTile[]> {
  let group: WaitingTile[] = [];
  let bytes = 0;
  for (const tile of tiles) {
    if (group.length > 0 && (bytes + tile.bytes > MAX_PART_LENGTH || group.length >= MAX_BATCH_TILES)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(tile);
    bytes += tile.bytes;
  }
  if (group.length > 0) yield group;
}
