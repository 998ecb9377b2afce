import type { TileStatus, TileType } from "../content/tile.ts";

/** A passage of a tile's text, the unit that is searched; offsets are UTF-16 code units into `extractedText`. */
export type Chunk = { readonly start: number; readonly end: number; /** Terms in it, title included. */ readonly length: number };

/** One term in one chunk; `chunk` is an index into `Analysis.chunks`. */
export type TermEntry = { readonly chunk: number; readonly frequency: number };

/** What indexing needs to know of one tile. */
export type Analysis = {
  readonly chunks: readonly Chunk[];
  readonly terms: ReadonlyMap<string, readonly TermEntry[]>;
};

/** One term in one stored chunk. `document` is unique within its board. */
export type Posting = { readonly document: number; readonly frequency: number; readonly length: number };

/** What is counted over the live chunks of one board. */
export type BoardStatistics = {
  readonly documents: number;
  readonly totalLength: number;
  /** The number that the chunk indexed next will get. */
  readonly nextDocument: number;
};

/** A tile whose words are not in the index yet. */
export type PendingTile = {
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  readonly version: number;
  readonly title: string;
  readonly text: string;
};

/** A stored chunk with its tile, where the tile is ready, not deleted and feeds chat. */
export type ConnectedChunk = {
  readonly document: number;
  readonly tileId: string;
  readonly start: number;
  readonly end: number;
};

/** What a search covers: the content that feeds chat, or everything on the board. */
export const SEARCH_SCOPES = ["connected", "all"] as const;
export type SearchScope = (typeof SEARCH_SCOPES)[number];

/** Narrows a search; times are milliseconds, `createdBefore` is left out itself. */
export type SearchFilter = {
  readonly zoneId?: string;
  readonly type?: TileType;
  readonly createdSince?: number;
  readonly createdBefore?: number;
  /** True also takes tiles that do not feed chat; only for a search by a person, never for an answer. */
  readonly includeDisconnected?: boolean;
};

export type ConnectedTile = {
  readonly id: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  readonly extractedText: string;
};

/** A ready tile, whether it feeds chat or not. */
export type ReadyTile = ConnectedTile & { readonly connected: boolean };

/** A tile that is processing or failed: it has no text to search, only a title and an address. */
export type UnreadyTile = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly status: Exclude<TileStatus, "ready">;
  readonly sourceUrl: string | null;
  /** Whether it feeds chat once it is ready. */
  readonly connected: boolean;
  /** Its place among the tiles of its board, rising with each creation. */
  readonly sequence: number;
};

/** Postings and statistics, kept per board so that no board's search depends on another's. */
export interface SearchStore {
  statistics(businessId: string, boardId: string): Promise<BoardStatistics>;
  /** Live postings of each term on the board, dead chunks left out; a term nobody uses is missing. */
  postings(businessId: string, boardId: string, terms: readonly string[]): Promise<ReadonlyMap<string, readonly Posting[]>>;
  /** Index terms of the board that begin so, at most `limit`, in no order; the oldest and newest blocks of a large board are looked at. */
  terms(businessId: string, boardId: string, prefix: string, limit: number): Promise<readonly string[]>;
  /** Of these documents, those that may be read for chat and pass the filter. */
  connectedChunks(businessId: string, boardId: string, documents: readonly number[], filter?: SearchFilter): Promise<ConnectedChunk[]>;
  connectedTiles(businessId: string, boardId: string, tileIds: readonly string[]): Promise<ConnectedTile[]>;
  /** Of these tiles, the ready ones, also those that do not feed chat. */
  readyTiles(businessId: string, boardId: string, tileIds: readonly string[]): Promise<ReadyTile[]>;
  /**
   * Processing and failed tiles of the board that pass the filter, newest first, at most `limit`, of those made before the one with
   * sequence `before`; null begins with the newest.
   */
  unreadyTiles(businessId: string, boardId: string, before: number | null, limit: number, filter?: SearchFilter): Promise<UnreadyTile[]>;
  /**
   * Connected, ready tiles of the board that are not indexed yet and pass the filter, in the order they were made; of many the newest,
   * up to `maxCharacters` of text (one tile at least).
   */
  pendingConnected(businessId: string, boardId: string, maxCharacters: number, filter?: SearchFilter): Promise<PendingTile[]>;
  /** Whether anything on the board may be read for chat. */
  hasConnected(businessId: string, boardId: string): Promise<boolean>;
  /** Tiles to be indexed next, board by board, bounded in number and in characters. */
  pending(limit: number, maxCharacters: number): Promise<PendingTile[]>;
  /** Stores analyses of tiles whose version is still the one analysed; the others stay pending. */
  index(items: readonly { readonly tile: PendingTile; readonly analysis: Analysis }[]): Promise<void>;
}

/** Analyses text off the main thread. */
export interface Analyser {
  /** Where `only` is given, no other terms are told, so that what comes of many texts is small. */
  analyse(items: readonly { readonly title: string; readonly text: string }[], only?: ReadonlySet<string>): Promise<readonly Analysis[]>;
}
