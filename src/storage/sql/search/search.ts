import { countTerms } from "#domain/answers/analysis.ts";
import type { ConnectedChunk, Posting, ReadyTile, SearchFilter, SearchStore, UnreadyTile } from "#domain/answers/search.ts";
import { BLOCK_SIZE, isDead, visitEntries } from "../../shared/codec.ts";
import type { Driver } from "../driver.ts";
import { all, arrays, get, type Unit } from "../unit.ts";
import { IS_READY, IS_CONNECTED, filterConditions, hasConnectedTile, IS_READY_AND_CONNECTED, searchableTiles } from "./conditions.ts";
import { listChatTiles, orderByKeys, readTileBeginnings } from "./connected-tiles.ts";
import { eraseDroppedPostings, hasDroppedBlock } from "./index.ts";
import { PartIndexer } from "./index-parts.ts";
import { groupByTermCount, type IndexedTile, storeAnalyses } from "./index-tiles.ts";
import { readBoardNumber } from "./postings.ts";
import { CONNECTED_TILES, UNREADY_TILES } from "./search-rows.ts";
import type { TileClaims } from "./tile-claims.ts";
import { WaitingTiles } from "./waiting-tiles.ts";

type Arguments<Name extends keyof SearchStore> = Parameters<SearchStore[Name]>;

/** The parts of the search store that differ between the engines. */
export type SearchAdapter = {
  readonly claims: TileClaims;
  /** Terms in one unit of work when several tiles are written together. */
  readonly groupTerms: number;
  /** Maximum number of terms that one unit of work writes. A tile with more is written in parts. */
  readonly maxTerms: number;
};

/** Number of blocks at each end of a board whose terms are searched. */
const TERM_BLOCKS = 4;

/** Converts the flag, which SQLite returns as 0 or 1. */
const withConnected = <Row extends { readonly connected: unknown }>(row: Row) => ({ ...row, connected: Boolean(row.connected) });

export class SqlSearchStore implements SearchStore {
  readonly #driver: Driver;
  readonly #adapter: SearchAdapter;
  readonly #waiting: WaitingTiles;
  readonly #parts: PartIndexer;

  constructor(driver: Driver, adapter: SearchAdapter) {
    this.#driver = driver;
    this.#adapter = adapter;
    this.#waiting = new WaitingTiles(driver, adapter.claims);
    this.#parts = new PartIndexer(driver, adapter.claims, adapter.maxTerms);
  }

  statistics(businessId: string, boardId: string): ReturnType<SearchStore["statistics"]> {
    const { joinCounters } = this.#driver.dialect.index;
    return this.#driver.read(function* () {
      const row = yield* get<{ documents: number; total_length: number; next_document: number }>(
        `SELECT i.documents, i.total_length, i.next_document FROM board b ${joinCounters} WHERE b.business_id = @businessId AND b.id = @boardId`,
        { businessId, boardId },
      );
      return { documents: row?.documents ?? 0, totalLength: row?.total_length ?? 0, nextDocument: row?.next_document ?? 0 };
    });
  }

  postings(businessId: string, boardId: string, terms: readonly string[]): ReturnType<SearchStore["postings"]> {
    return this.#driver.read(() => this.#postings(businessId, boardId, terms));
  }

  *#postings(businessId: string, boardId: string, terms: readonly string[]): Unit<Map<string, Posting[]>> {
    const found = new Map<string, Posting[]>();
    const board = yield* readBoardNumber(businessId, boardId);
    if (board === undefined || terms.length === 0) return found;
    const { isAnyOf, index } = this.#driver.dialect;
    // One statement reads blocks and postings of the same snapshot.
    const rows = yield* arrays<[number, Buffer, string, Buffer]>(
      `SELECT p.block, k.dead, p.term, p.entries FROM posting_block k CROSS JOIN posting p
       WHERE ${index.isOfBoard("k")} AND k.live > 0 AND ${index.isOfBoard("p")} AND p.block = k.block AND ${isAnyOf("p.term", "terms")}
       ORDER BY k.block`,
      { ...board, terms },
    );
    for (const [block, dead, term, entries] of rows) {
      const postings = found.get(term) ?? [];
      visitEntries(entries, (slot, frequency, length) => {
        if (!isDead(dead, slot)) postings.push({ document: block * BLOCK_SIZE + slot, frequency, length });
      });
      if (postings.length > 0) found.set(term, postings);
    }
    return found;
  }

  postingSizes(businessId: string, boardId: string, terms: readonly string[]): ReturnType<SearchStore["postingSizes"]> {
    const { isAnyOf, index } = this.#driver.dialect;
    return this.#driver.read(function* () {
      const board = yield* readBoardNumber(businessId, boardId);
      if (board === undefined || terms.length === 0) return new Map<string, number>();
      const rows = yield* arrays<[string, number | string]>(
        `SELECT p.term, sum(length(p.entries)) FROM posting_block k CROSS JOIN posting p
         WHERE ${index.isOfBoard("k")} AND k.live > 0 AND ${index.isOfBoard("p")} AND p.block = k.block AND ${isAnyOf("p.term", "terms")}
         GROUP BY p.term`,
        { ...board, terms },
      );
      return new Map(rows.map(([term, bytes]) => [term, Number(bytes)]));
    });
  }

  terms(businessId: string, boardId: string, prefix: string, limit: number): Promise<string[]> {
    return this.#driver.read(() => this.#terms(businessId, boardId, prefix, limit));
  }

  *#terms(businessId: string, boardId: string, prefix: string, limit: number): Unit<string[]> {
    const board = yield* readBoardNumber(businessId, boardId);
    if (board === undefined) return [];
    const { isAnyOf, index } = this.#driver.dialect;
    // Two statements: SQLite needs 60 µs to find the outer blocks within the second one, 35 for both.
    const live = yield* arrays<[number]>(`SELECT block FROM posting_block WHERE ${index.isOfBoard()} AND live > 0 ORDER BY block`, board);
    const outer = live.length > 2 * TERM_BLOCKS ? [...live.slice(0, TERM_BLOCKS), ...live.slice(-TERM_BLOCKS)] : live;
    const rows = yield* arrays<[string]>(
      `SELECT DISTINCT p.term FROM posting p WHERE ${index.isOfBoard("p")} AND ${isAnyOf("p.block", "blocks")} AND ${index.hasPrefix("p.term")}
       LIMIT @limit`,
      { ...board, prefix, limit, blocks: outer.map(([block]) => block) },
    );
    return rows.map(([term]) => term);
  }

  connectedChunks(
    businessId: string,
    boardId: string,
    documents: readonly number[],
    filter: SearchFilter = {},
  ): ReturnType<SearchStore["connectedChunks"]> {
    const { dialect } = this.#driver;
    const { index } = dialect;
    const { sql, params } = searchableTiles(filter);
    return this.#driver.read(function* () {
      const rows = yield* arrays<[number, string, number, number, number]>(
        `SELECT c.document, c.tile_id, c.${index.start}, c.${index.end}, octet_length(t.extracted_text)
         FROM board b CROSS JOIN chunk c CROSS JOIN tile t
         WHERE b.business_id = @businessId AND b.id = @boardId AND ${index.isOfRow("c")} AND ${dialect.isAnyOf("c.document", "documents")}
           AND t.business_id = @businessId AND t.id = c.tile_id AND ${sql}`,
        { businessId, boardId, documents, ...params },
      );
      const chunks = rows.map(([document, tileId, start, end, tileBytes]): ConnectedChunk => ({ document, tileId, tileBytes, start, end }));
      return orderByKeys(documents, chunks, ({ document }) => document);
    });
  }

  connectedTiles(businessId: string, boardId: string, tileIds: readonly string[]): ReturnType<SearchStore["connectedTiles"]> {
    const { dialect } = this.#driver;
    return this.#driver.read(function* () {
      const tiles = yield* CONNECTED_TILES.list(
        `tile t WHERE t.business_id = @businessId AND ${dialect.isAnyOf("t.id", "tileIds")}
         AND ${dialect.unindexed("t.board_id")} = @boardId AND ${IS_READY_AND_CONNECTED}`,
        { businessId, boardId, tileIds },
      );
      return orderByKeys(tileIds, tiles, ({ id }) => id);
    });
  }

  tileBeginnings(
    businessId: string,
    boardId: string,
    tileIds: readonly string[],
    maxCharacters: number,
  ): ReturnType<SearchStore["tileBeginnings"]> {
    return this.#driver.read(() => readTileBeginnings(this.#driver.dialect, businessId, boardId, tileIds, maxCharacters));
  }

  chatTiles(businessId: string, boardId: string, after: number, limit: number): ReturnType<SearchStore["chatTiles"]> {
    return this.#driver.read(() => listChatTiles(this.#driver.dialect, businessId, boardId, after, limit));
  }

  readyTiles(businessId: string, boardId: string, tileIds: readonly string[]): ReturnType<SearchStore["readyTiles"]> {
    const { dialect } = this.#driver;
    return this.#driver.read(function* () {
      const rows = yield* all<ReadyTile>(
        `SELECT ${CONNECTED_TILES.columns}, (${IS_CONNECTED}) AS connected FROM tile t WHERE t.business_id = @businessId
         AND ${dialect.isAnyOf("t.id", "tileIds")} AND ${dialect.unindexed("t.board_id")} = @boardId AND ${IS_READY}`,
        { businessId, boardId, tileIds },
      );
      return orderByKeys(tileIds, rows.map(withConnected), ({ id }) => id);
    });
  }

  unreadyTiles(
    businessId: string,
    boardId: string,
    before: number | null,
    limit: number,
    filter: SearchFilter = {},
  ): ReturnType<SearchStore["unreadyTiles"]> {
    const { dialect } = this.#driver;
    const { sql, params } = filterConditions(filter);
    return this.#driver.read(function* () {
      const rows = yield* all<UnreadyTile>(
        `SELECT ${UNREADY_TILES.columns}, (${IS_CONNECTED}) AS connected
         FROM tile t${dialect.useIndex("tile_unready")} WHERE t.business_id = @businessId AND t.board_id = @boardId
         AND t.status <> 'ready' AND t.deleted_at IS NULL AND t.sequence < @before${sql} ORDER BY t.sequence DESC LIMIT @limit`,
        { businessId, boardId, before: before ?? Number.MAX_SAFE_INTEGER, limit, ...params },
      );
      return rows.map(withConnected);
    });
  }

  hasConnected(businessId: string, boardId: string): Promise<boolean> {
    const sql = hasConnectedTile(this.#driver.dialect);
    return this.#driver.read(function* () {
      return Boolean((yield* get<{ found: number | boolean }>(sql, { businessId, boardId }))?.found);
    });
  }

  pendingConnected(...args: Arguments<"pendingConnected">): ReturnType<SearchStore["pendingConnected"]> {
    return this.#waiting.listConnected(...args);
  }

  pendingTexts(...args: Arguments<"pendingTexts">): ReturnType<SearchStore["pendingTexts"]> {
    return this.#waiting.readTexts(...args);
  }

  pending(...args: Arguments<"pending">): ReturnType<SearchStore["pending"]> {
    return this.#waiting.next(...args);
  }

  async index(items: Arguments<"index">[0]): Promise<void> {
    const { groupTerms, maxTerms } = this.#adapter;
    const isLarge = ({ analysis }: IndexedTile): boolean => countTerms(analysis.terms) > maxTerms;
    const boards = Map.groupBy<string, IndexedTile>(
      items.filter((item) => !isLarge(item)),
      ({ tile }) => `${tile.businessId} ${tile.boardId}`,
    );
    for (const group of [...boards.values()].flatMap((board) => groupByTermCount(board, groupTerms)))
      await this.#driver.write(() => storeAnalyses(this.#driver.dialect, group));
    for (const { tile, analysis } of items.filter(isLarge)) await this.#parts.index(tile, [analysis]);
  }

  indexParts(...args: Arguments<"indexParts">): Promise<void> {
    return this.#parts.index(...args);
  }

  async eraseDropped(): Promise<void> {
    const { dialect, read, write } = this.#driver;
    // Without dropped blocks, nothing is written, since each commit invalidates cached listings.
    while (await read(() => hasDroppedBlock())) if (!(await write(() => eraseDroppedPostings(dialect, this.#adapter.maxTerms)))) return;
  }
}
