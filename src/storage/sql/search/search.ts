import type {
  Analysis,
  ConnectedChunk,
  PendingTile,
  Posting,
  ReadyTile,
  SearchFilter,
  SearchStore,
  UnreadyTile,
} from "#domain/answers/search.ts";
import { BLOCK_SIZE, isDead, visitEntries } from "../../shared/codec.ts";
import type { Driver } from "../driver.ts";
import { all, arrays, get, run, type Unit } from "../unit.ts";
import { READY, feedsChat, filterConditions, hasConnectedTile, isConnected, readableBy } from "./conditions.ts";
import { addToIndex, readBoardNumber, removeFromIndex } from "./index.ts";
import { CONNECTED_TILES, UNREADY_TILES } from "./search-rows.ts";

type Arguments<Name extends keyof SearchStore> = Parameters<SearchStore[Name]>;
type Item = { readonly tile: PendingTile; readonly analysis: Analysis };

/** What the engines do in ways of their own: how they read what waits for the index without reading more text than asked for. */
export type SearchAdapter = Pick<SearchStore, "pending" | "pendingConnected"> & {
  /** Terms that one unit of work writes, at least one tile's. */
  readonly maxTerms: number;
};

/** Blocks whose terms are looked through at either end of a board. */
const TERM_BLOCKS = 4;

/** Cuts a board's tiles into groups of about so many terms; one tile is never cut. */
function cutByTerms(items: readonly Item[], maxTerms: number): Item[][] {
  const groups: Item[][] = [];
  let terms = Infinity;
  for (const item of items) {
    if (terms >= maxTerms) {
      groups.push([]);
      terms = 0;
    }
    groups.at(-1)?.push(item);
    terms += item.analysis.terms.size;
  }
  return groups;
}

/** The values in the order of the keys that were asked for; keys without a value are left out. */
function inOrder<Key, Value>(keys: readonly Key[], values: readonly Value[], keyOf: (value: Value) => Key): Value[] {
  const byKey = new Map(values.map((value) => [keyOf(value), value]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Whether the tile feeds chat, which SQLite returns as 0 or 1. */
const withConnected = <Row extends { readonly connected: unknown }>(row: Row) => ({ ...row, connected: Boolean(row.connected) });

export class SqlSearchStore implements SearchStore {
  readonly pending: SearchStore["pending"];
  readonly pendingConnected: SearchStore["pendingConnected"];
  readonly #driver: Driver;
  readonly #maxTerms: number;

  constructor(driver: Driver, { pending, pendingConnected, maxTerms }: SearchAdapter) {
    this.pending = pending;
    this.pendingConnected = pendingConnected;
    this.#driver = driver;
    this.#maxTerms = maxTerms;
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
    // One statement, so that blocks and postings are of one moment.
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
    const { sql, params } = readableBy(dialect, filter);
    return this.#driver.read(function* () {
      const rows = yield* arrays<[number, string, number, number]>(
        `SELECT c.document, c.tile_id, c.${index.start}, c.${index.end}
         FROM board b CROSS JOIN chunk c CROSS JOIN tile t
         WHERE b.business_id = @businessId AND b.id = @boardId AND ${index.isOfRow("c")} AND ${dialect.isAnyOf("c.document", "documents")}
           AND t.business_id = @businessId AND t.id = c.tile_id AND ${sql}`,
        { businessId, boardId, documents, ...params },
      );
      const chunks = rows.map(([document, tileId, start, end]): ConnectedChunk => ({ document, tileId, start, end }));
      return inOrder(documents, chunks, ({ document }) => document);
    });
  }

  connectedTiles(businessId: string, boardId: string, tileIds: readonly string[]): ReturnType<SearchStore["connectedTiles"]> {
    const { dialect } = this.#driver;
    return this.#driver.read(function* () {
      const tiles = yield* CONNECTED_TILES.list(
        `tile t WHERE t.business_id = @businessId AND ${dialect.isAnyOf("t.id", "tileIds")}
         AND ${dialect.unindexed("t.board_id")} = @boardId AND ${isConnected(dialect)}`,
        { businessId, boardId, tileIds },
      );
      return inOrder(tileIds, tiles, ({ id }) => id);
    });
  }

  readyTiles(businessId: string, boardId: string, tileIds: readonly string[]): ReturnType<SearchStore["readyTiles"]> {
    const { dialect } = this.#driver;
    return this.#driver.read(function* () {
      const rows = yield* all<ReadyTile>(
        `SELECT ${CONNECTED_TILES.columns}, (${feedsChat(dialect)}) AS connected FROM tile t WHERE t.business_id = @businessId
         AND ${dialect.isAnyOf("t.id", "tileIds")} AND ${dialect.unindexed("t.board_id")} = @boardId AND ${READY}`,
        { businessId, boardId, tileIds },
      );
      return inOrder(tileIds, rows.map(withConnected), ({ id }) => id);
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
        `SELECT ${UNREADY_TILES.columns}, (${feedsChat(dialect)}) AS connected
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

  async index(items: Arguments<"index">[0]): Promise<void> {
    const boards = Map.groupBy<string, Item>(items, ({ tile }) => `${tile.businessId} ${tile.boardId}`);
    for (const group of [...boards.values()].flatMap((board) => cutByTerms(board, this.#maxTerms)))
      await this.#driver.write(() => this.#index(group));
  }

  /** Stores the analyses of tiles of one board; their documents are numbered in the order given. */
  *#index(group: readonly Item[]): Unit<void> {
    const { dialect } = this.#driver;
    const { businessId, boardId } = (group[0] as Item).tile;
    const board = yield* readBoardNumber(businessId, boardId);
    if (board === undefined) return;
    const current = new Set<string>();
    // Locked in the order of their ids, as every writer of several tiles does.
    for (const { tileId, version } of group.map(({ tile }) => tile).sort((a, b) => (a.tileId < b.tileId ? -1 : 1))) {
      const changed = yield* run(
        `UPDATE tile SET ${dialect.tile.indexed} = TRUE, ${dialect.tile.embedded} = FALSE
         WHERE business_id = @businessId AND id = @tileId AND version = @version AND ${dialect.is(dialect.tile.indexed, false)}`,
        { businessId, tileId, version },
      );
      if (changed > 0) current.add(tileId);
    }
    yield* removeFromIndex(dialect, businessId, [...current]);
    const analysed = group.map(({ tile, analysis }) => ({ tileId: tile.tileId, analysis }));
    yield* addToIndex(
      dialect,
      board,
      analysed.filter(({ tileId }, i) => current.has(tileId) && analysed.findIndex((item) => item.tileId === tileId) === i),
    );
  }
}
