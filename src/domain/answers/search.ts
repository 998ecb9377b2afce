import type { TileStatus, TileType } from "../content/tile.ts";

/** A passage of a tile's text, the unit that is searched; offsets are UTF-16 code units into `extractedText`. */
export type Chunk = { readonly start: number; readonly end: number; /** Terms in it, title included. */ readonly length: number };

/** One term in one chunk; `chunk` is an index into `Analysis.chunks`. */
export type TermEntry = { readonly chunk: number; readonly frequency: number };

/** The index entries of one tile. */
export type Analysis = {
  readonly chunks: readonly Chunk[];
  readonly terms: ReadonlyMap<string, readonly TermEntry[]>;
};

/** One term in one stored chunk. `document` is unique within its board. */
export type Posting = { readonly document: number; readonly frequency: number; readonly length: number };

/** Statistics of the live chunks of one board. */
export type BoardStatistics = {
  readonly documents: number;
  readonly totalLength: number;
  /** The number of the next indexed chunk. */
  readonly nextDocument: number;
};

/** The text of a tile, with its language as a BCP 47 tag; null or undefined detects it. */
export type AnalysableText = { readonly title: string; readonly text: string; readonly languageHint?: string | null };

/** A tile that is not indexed yet. */
export type PendingTile = {
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  readonly version: number;
} & AnalysableText;

/** A stored chunk of a tile that is ready, not deleted and connected to chat. */
export type ConnectedChunk = {
  readonly document: number;
  readonly tileId: string;
  readonly start: number;
  readonly end: number;
};

/** What a search covers: content connected to chat, or everything on the board. */
export const SEARCH_SCOPES = ["connected", "all"] as const;
export type SearchScope = (typeof SEARCH_SCOPES)[number];

/** Narrows a search. Times are in milliseconds; `createdBefore` is exclusive. */
export type SearchFilter = {
  readonly zoneId?: string;
  readonly type?: TileType;
  readonly createdSince?: number;
  readonly createdBefore?: number;
  /** Includes tiles that are not connected to chat. Used for searches by people, never for answers. */
  readonly includeDisconnected?: boolean;
};

export type ConnectedTile = {
  readonly id: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  readonly extractedText: string;
  readonly languageHint?: string | null;
};

/** A ready tile, connected to chat or not. */
export type ReadyTile = ConnectedTile & { readonly connected: boolean };

/** A tile that is processing or failed. It has no text to search, only a title and a URL. */
export type UnreadyTile = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly status: Exclude<TileStatus, "ready">;
  readonly sourceUrl: string | null;
  /** Whether it is connected to chat once it is ready. */
  readonly connected: boolean;
  /** Increases with each tile created on the board. */
  readonly sequence: number;
};

/** Postings and statistics per board, so that no board's search depends on another board. */
export interface SearchStore {
  statistics(businessId: string, boardId: string): Promise<BoardStatistics>;
  /** Returns the live postings of each term, without deleted chunks. Unknown terms are missing. */
  postings(businessId: string, boardId: string, terms: readonly string[]): Promise<ReadonlyMap<string, readonly Posting[]>>;
  /** Returns at most `limit` terms with this prefix, in no order. On a large board only the oldest and newest blocks are searched. */
  terms(businessId: string, boardId: string, prefix: string, limit: number): Promise<readonly string[]>;
  /** Returns those of the documents that are connected to chat and pass the filter. */
  connectedChunks(businessId: string, boardId: string, documents: readonly number[], filter?: SearchFilter): Promise<ConnectedChunk[]>;
  connectedTiles(businessId: string, boardId: string, tileIds: readonly string[]): Promise<ConnectedTile[]>;
  /** Returns the ready ones of these tiles, including those that are not connected to chat. */
  readyTiles(businessId: string, boardId: string, tileIds: readonly string[]): Promise<ReadyTile[]>;
  /**
   * Returns at most `limit` processing and failed tiles that pass the filter, newest first, created before the tile with the sequence
   * `before`; null starts with the newest.
   */
  unreadyTiles(businessId: string, boardId: string, before: number | null, limit: number, filter?: SearchFilter): Promise<UnreadyTile[]>;
  /**
   * Returns connected, ready tiles that are not indexed yet and pass the filter, in order of creation. When there are more than
   * `maxCharacters` of text, returns the newest, but at least one tile.
   */
  pendingConnected(businessId: string, boardId: string, maxCharacters: number, filter?: SearchFilter): Promise<PendingTile[]>;
  /** Whether any content of the board is connected to chat. */
  hasConnected(businessId: string, boardId: string): Promise<boolean>;
  /** Returns the tiles to index next, board by board, limited in number and characters. */
  pending(limit: number, maxCharacters: number): Promise<PendingTile[]>;
  /** Stores the analyses of tiles that have not changed since. Changed tiles stay pending. */
  index(items: readonly { readonly tile: PendingTile; readonly analysis: Analysis }[]): Promise<void>;
}

/** Analyses text off the main thread. */
export interface Analyser {
  /** With `only`, returns no other terms, which keeps the result of many texts small. */
  analyse(items: readonly AnalysableText[], only?: ReadonlySet<string>): Promise<readonly Analysis[]>;
}
