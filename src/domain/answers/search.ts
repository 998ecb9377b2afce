import type { Analysis } from "./analysis.ts";
import type { TileStatus, TileType } from "../content/tile.ts";
import type { INDEXED_OPTIONS, TileOptions } from "../content/tile-options.ts";

/** One term in one stored chunk. `document` is unique within its board. */
export type Posting = { readonly document: number; readonly frequency: number; readonly length: number };

/** Statistics of the live chunks of one board. */
export type BoardStatistics = {
  readonly documents: number;
  readonly totalLength: number;
  /** The number of the next indexed chunk. */
  readonly nextDocument: number;
};

/** What search knows of a tile besides its text, wherever it analyses, indexes or matches the text. */
export type TextContext = { readonly title: string } & Partial<Pick<TileOptions, (typeof INDEXED_OPTIONS)[number]>>;

/** The text of a tile, or of a part of it. */
export type AnalysableText = TextContext & { readonly text: string };

/** A tile as it was when it was read. */
export type TileVersion = {
  readonly businessId: string;
  readonly boardId: string;
  readonly tileId: string;
  readonly version: number;
};

/** A tile that is not indexed yet, with its text. */
export type PendingTile = TileVersion & AnalysableText;

/**
 * A tile that a question ranks although it is not in the index, with the size of its text in UTF-8. `content` is what to analyse, if that
 * is not the stored text.
 */
export type WaitingTile = TileVersion & { readonly bytes: number; readonly content?: AnalysableText };

/** A tile with the analyses of its parts, in order. Texts that are not long have one part. */
export type AnalysedTile = { readonly tile: TileVersion; readonly parts: readonly Analysis[] };

/** A stored chunk of a tile that is ready, not deleted and connected to chat. */
export type ConnectedChunk = {
  readonly document: number;
  readonly tileId: string;
  /** The length of the tile's text in bytes. */
  readonly tileBytes: number;
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

export type ConnectedTile = TextContext & {
  readonly id: string;
  readonly version: number;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  readonly extractedText: string;
};

/** A connected tile with the beginning of its text, and the size of all of it in UTF-8. */
export type TileBeginning = ConnectedTile & { readonly bytes: number };

/** A ready tile that is not excluded from chat itself. `zone` is the position of its zone, or null outside zones. */
export type ChatTile = {
  readonly id: string;
  readonly sequence: number;
  readonly sortOrder: number;
  readonly zone: { readonly id: string; readonly sortOrder: number; readonly isConnected: boolean } | null;
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
  /** Returns the size of each term's postings, in bytes. Unknown terms are missing. */
  postingSizes(businessId: string, boardId: string, terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns at most `limit` terms with this prefix, in no order. On a large board only the oldest and newest blocks are searched. */
  terms(businessId: string, boardId: string, prefix: string, limit: number): Promise<readonly string[]>;
  /** Returns those of the documents that are connected to chat and pass the filter. */
  connectedChunks(businessId: string, boardId: string, documents: readonly number[], filter?: SearchFilter): Promise<ConnectedChunk[]>;
  connectedTiles(businessId: string, boardId: string, tileIds: readonly string[]): Promise<ConnectedTile[]>;
  /** As `connectedTiles`, with at most the first `maxCharacters` of each text, in code points. */
  tileBeginnings(businessId: string, boardId: string, tileIds: readonly string[], maxCharacters: number): Promise<TileBeginning[]>;
  /**
   * Lists at most `limit` ready tiles that are not excluded from chat themselves, in order of creation, after the tile with the sequence
   * `after`. Tiles of disconnected zones are listed too, so that a call reads no more than `limit` of them.
   */
  chatTiles(businessId: string, boardId: string, after: number, limit: number): Promise<ChatTile[]>;
  /** Returns the ready ones of these tiles, including those that are not connected to chat. */
  readyTiles(businessId: string, boardId: string, tileIds: readonly string[]): Promise<ReadyTile[]>;
  /**
   * Returns at most `limit` processing and failed tiles that pass the filter, newest first, created before the tile with the sequence
   * `before`; null starts with the newest.
   */
  unreadyTiles(businessId: string, boardId: string, before: number | null, limit: number, filter?: SearchFilter): Promise<UnreadyTile[]>;
  /**
   * Returns connected, ready tiles that are not indexed yet and pass the filter, in order of creation. When they have more than
   * `maxBytes` of text, returns the newest, but at least one tile. Reads no text. A tile counts as at least 200 bytes.
   */
  pendingConnected(businessId: string, boardId: string, maxBytes: number, filter?: SearchFilter): Promise<WaitingTile[]>;
  /** Returns those of the tiles, all of one business, that still wait in this version, with the first `maxCharacters` of their text. */
  pendingTexts(tiles: readonly TileVersion[], maxCharacters: number): Promise<PendingTile[]>;
  /** Whether any content of the board is connected to chat. */
  hasConnected(businessId: string, boardId: string): Promise<boolean>;
  /** Returns the tiles to index next, limited in number and bytes, at least one. Businesses take turns. */
  pending(limit: number, maxBytes: number): Promise<PendingTile[]>;
  /** Stores the analyses of tiles that have not changed since. Changed tiles stay pending. */
  index(items: readonly { readonly tile: TileVersion; readonly analysis: Analysis }[]): Promise<void>;
  /**
   * Stores the analyses of a long tile's parts, in many small units of work. The tile stays pending until the last one, and if it changes
   * meanwhile or the process ends. Null stands for a part that can't be analysed: the tile gets the warning `partly_indexed`.
   */
  indexParts(tile: TileVersion, parts: AsyncIterable<Analysis | null>): Promise<void>;
  /** Erases postings that are left over from changed and deleted tiles, in small units of work. */
  eraseDropped(): Promise<void>;
}

/** Analyses text without blocking the main thread. */
export interface Analyser {
  /**
   * Analyses waiting tiles for a question. Each version is analysed once for all questions. Only the beginning of a very long text is
   * analysed, and parts that exceed the analyser's limits are left out, as are tiles that changed. Throws the signal's reason.
   */
  analyseWaiting(tiles: readonly WaitingTile[], signal?: AbortSignal): Promise<readonly AnalysedTile[]>;
  /** Analyses tiles that are not long, to index them; null for a tile that exceeds the limits. */
  analyse(tiles: readonly PendingTile[]): Promise<readonly (Analysis | null)[]>;
  /** Analyses a long tile part by part, to index it. Yields null for a part that exceeds the limits. */
  analyseParts(tile: PendingTile): AsyncIterable<Analysis | null>;
}
