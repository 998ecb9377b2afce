import type { ReadyTile, SearchStore, SearchFilter, UnreadyTile, WaitingTile } from "#domain/answers/search.ts";
import type { ParsedSearch } from "./parse.ts";
import { findUnready, getSearchedText } from "./unready.ts";

/** The state of a tile in a search of the whole board. */
export type TileState = Pick<ReadyTile, "connected"> & { readonly status: "ready" | UnreadyTile["status"] };

/** The index of a board, not limited to connected content. */
export type WholeBoard = {
  /** Replaces the store for retrieval and vocabulary. */
  readonly search: SearchStore;
  /** Returns the state of a tile whose text was read through `search`. */
  getState(tileId: string): TileState;
};

/**
 * Opens the index for a search of the whole board. It includes disconnected tiles, and processing or failed tiles as if their title
 * and address were their text, so that all are ranked together.
 */
export async function openWholeBoard(
  search: SearchStore,
  businessId: string,
  boardId: string,
  parsed: ParsedSearch,
  filter: SearchFilter = {},
): Promise<WholeBoard> {
  const unready = new Map((await findUnready(search, businessId, boardId, parsed, filter)).map((tile) => [tile.tileId, tile]));
  const pendingTiles = [...unready.values()].map((tile) => toWaitingTile(businessId, boardId, tile));
  const ready = new Map<string, ReadyTile>();
  const includeDisconnected = (given: SearchFilter = {}): SearchFilter => ({ ...given, includeDisconnected: true });
  // Methods of a class are not copied by a spread, so each one is delegated.
  const view: SearchStore = {
    statistics: (...args) => search.statistics(...args),
    postings: (...args) => search.postings(...args),
    postingSizes: (...args) => search.postingSizes(...args),
    terms: (...args) => search.terms(...args),
    readyTiles: (...args) => search.readyTiles(...args),
    unreadyTiles: (...args) => search.unreadyTiles(...args),
    tileBeginnings: (...args) => search.tileBeginnings(...args),
    chatTiles: (...args) => search.chatTiles(...args),
    hasConnected: (...args) => search.hasConnected(...args),
    pending: (...args) => search.pending(...args),
    pendingTexts: (...args) => search.pendingTexts(...args),
    index: (...args) => search.index(...args),
    indexParts: (...args) => search.indexParts(...args),
    eraseDropped: () => search.eraseDropped(),
    connectedChunks: (business, board, documents, given) => search.connectedChunks(business, board, documents, includeDisconnected(given)),
    async connectedTiles(business, board, tileIds) {
      const found = await search.readyTiles(business, board, tileIds);
      for (const tile of found) ready.set(tile.id, tile);
      // If a tile has become ready meanwhile, its text is used.
      const known = new Set(found.map(({ id }) => id));
      const others = tileIds.flatMap((id) => (known.has(id) ? [] : (unready.get(id) ?? [])));
      return [
        ...found,
        ...others.map(({ tileId, ...tile }) => ({ id: tileId, version: UNREADY_VERSION, ...tile, extractedText: getSearchedText(tile) })),
      ];
    },
    pendingConnected: async (business, board, maxBytes, given) => [
      ...(await search.pendingConnected(business, board, maxBytes, includeDisconnected(given))),
      ...pendingTiles,
    ],
  };
  return {
    search: view,
    getState(tileId) {
      const found = ready.get(tileId);
      if (found !== undefined) return { connected: found.connected, status: "ready" };
      const { connected = false, status = "processing" } = unready.get(tileId) ?? {};
      return { connected, status };
    },
  };
}

/** The version under which a tile without text is found. Stored tiles have higher ones, so a tile that became ready meanwhile differs. */
const UNREADY_VERSION = 0;

function toWaitingTile(businessId: string, boardId: string, tile: UnreadyTile): WaitingTile {
  const text = getSearchedText(tile);
  const { tileId, title } = tile;
  return { businessId, boardId, tileId, version: UNREADY_VERSION, bytes: text.length, content: { title, text } };
}
