import type { KnownTileType } from "./tile-types.ts";

/** A value the service may add to: known ones complete in the editor, new ones still type-check. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export type TileType = Open<KnownTileType>;
export type TileStatus = Open<"processing" | "ready" | "failed">;
export type ZoneColor = "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink";
export type ZoneSize = "sm" | "md" | "lg" | "xl";
export type Permission = Open<"read" | "ask" | "write" | "inbound">;
export type AssetType = "video" | "short_video" | "post" | "thread" | "article" | "newsletter" | "carousel" | "podcast";

/** What a key is: the connection test. */
export type Me = {
  readonly business: { readonly id: string; readonly name: string };
  readonly key: { readonly id: string; readonly name: string };
  /** The one board the key reaches; null for a key that reaches them all. */
  readonly scope: { readonly boardId: string | null };
  readonly permission: Permission;
  readonly expiresAt: string | null;
  /** Tokens of language models that the key may use in a calendar month (UTC); null for no bound. */
  readonly budget: number | null;
  /** What the key used of language models in the current month, such as `2026-11`. */
  readonly usage: { readonly month: string; readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };
};

export type Board = {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly slug: string;
};

/** A zone as listings show it. */
export type ZoneSummary = {
  readonly id: string;
  readonly name: string;
  readonly sortOrder: number;
  readonly connectedToChat: boolean;
  readonly color: Open<ZoneColor> | null;
  readonly emoji: string | null;
  readonly size: Open<ZoneSize>;
};

export type Zone = ZoneSummary & {
  readonly boardId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type TileError = {
  readonly code: string;
  readonly message: string;
  readonly stage: string;
  readonly retryable: boolean;
  readonly attempts: number;
};

export type TileWarning = { readonly code: string; readonly message: string };

export type TileMetadata = {
  readonly subtype?: string;
  readonly author?: string;
  readonly authorUrl?: string;
  readonly siteName?: string;
  readonly publishedAt?: string;
  readonly durationSeconds?: number;
  readonly thumbnailUrl?: string;
  readonly language?: string;
  readonly wordCount?: number;
  readonly canonicalUrl?: string;
  readonly stats?: Readonly<Record<string, number>>;
  /** Present on saved answers and generations. */
  readonly origin?: Open<TileOrigin>;
};

/** What made a text that is kept as a tile. */
export type TileOrigin = "answer" | "generation";

/** A tile as listings show it; `extractedText` is missing where `text: false` was asked. */
export type TileSummary = {
  readonly id: string;
  readonly zoneId: string | null;
  readonly type: TileType;
  readonly title: string;
  readonly extractedText?: string;
  readonly status: TileStatus;
  readonly sourceUrl: string | null;
  readonly error: TileError | null;
  readonly sortOrder: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Who made it, how long it is and so on, as far as it is known; missing where the service is older. */
  readonly metadata?: TileMetadata;
  /** False never feeds chat, true feeds it where the zone does, null follows the zone. In listings only with `metadata`. */
  readonly connectedToChat?: boolean | null;
  /** What is missing of the text; in listings only with `metadata`, and left out there where nothing is. */
  readonly warnings?: readonly TileWarning[];
  /** True where the text of a link or upload was replaced by hand, so that it is not read again; missing elsewhere. In listings only with `metadata`. */
  readonly textOverridden?: boolean;
};

/** Where a passage of a transcript is said: UTF-16 offsets into `extractedText`, and seconds from the start. */
export type Segment = { readonly start: number; readonly end: number; readonly seconds: number };

export type Tile = TileSummary & {
  readonly boardId: string;
  readonly rawContent: string;
  readonly extractedText: string;
  readonly metadata: TileMetadata;
  readonly warnings: readonly TileWarning[];
  readonly externalId: string | null;
  /** Only in the read of a single tile that has a transcript with times. */
  readonly segments?: readonly Segment[];
  /** What the last refresh that changed the text put in and took out. */
  readonly changes?: { readonly at: string; readonly added: readonly string[]; readonly removed: readonly string[] };
  /** How often the link is read again, in minutes. */
  readonly refreshMinutes?: number;
};

/** What an inbound call is sure to tell of the tile it made. */
export type InboundTile = Pick<Tile, "id" | "status" | "type"> & Partial<Tile>;

/** A resource with the `ETag` it was sent with, to hand back as `ifMatch`. */
export type Versioned<T> = T & { readonly etag: string | null };

export type TilePage = { readonly tiles: readonly TileSummary[]; readonly nextCursor: string | null };

export type Citation = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  /** Stands verbatim in the tile's `extractedText` from `start` to `end`, in UTF-16 code units. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  readonly seconds?: number;
};

export type Explanation = {
  readonly budgetTokens: number;
  readonly candidates: readonly {
    readonly tileId: string;
    readonly start: number;
    readonly end: number;
    readonly score: number;
    readonly parts: { readonly lexical?: number | null; readonly semantic?: number | null; readonly rerank?: number | null };
    readonly used: boolean;
    readonly reason: string;
  }[];
};

export type Answer = {
  readonly answer: string;
  readonly contextTokens: number;
  /** False when the board's content does not hold the answer; citations are then the nearest passages. */
  readonly answered: boolean;
  readonly mode: Open<"model" | "extractive">;
  /** What a reader should know of how the answer was made, such as why no model answered. */
  readonly notice?: string;
  readonly citations: readonly Citation[];
  readonly explain?: Explanation;
};

export type SearchResult = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly score: number;
  /** `extractedText.slice(start, end)` of the tile. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  /** Where the words of the search stand in `quote`. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[];
  /** Only with scope `all`: whether zone and tile let it feed chat, once it is ready. */
  readonly connected?: boolean;
  /** Only with scope `all`; `quote` is empty unless it is ready. */
  readonly status?: TileStatus;
};

/** What narrows a search; times are ISO 8601. */
export type SearchFilter = {
  readonly limit?: number;
  /** `all` also finds tiles that do not feed chat, and those that are processing or failed by title and address. */
  readonly scope?: "connected" | "all";
  readonly zoneId?: string;
  readonly type?: TileType;
  readonly createdSince?: string;
  readonly createdBefore?: string;
};

/** One item's outcome in a batch: the tile it made, or why it was refused. */
export type BatchResult =
  | { readonly tile: InboundTile; readonly error?: undefined }
  | { readonly error: string; readonly tile?: undefined };

export type GenerationStatus = Open<"processing" | "complete" | "failed" | "cancelled">;

/** A generation as listings show it. */
export type GenerationSummary = {
  readonly id: string;
  readonly boardId: string;
  readonly endpoint: "/api/v1/generate" | "/api/v1/idea";
  readonly assetType?: AssetType;
  readonly status: GenerationStatus;
  /** The title of what was written. */
  readonly title?: string;
  /** The tile that keeps the result, where one was asked for. */
  readonly savedTileId?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type OutputSection = { readonly heading: string; readonly text: string; readonly citations: readonly Citation[] };

export type Idea = {
  readonly id: string;
  readonly title: string;
  readonly hook: string;
  readonly angle: string;
  readonly rationale: string;
  readonly citations: readonly Citation[];
};

/** What a generate or an idea call makes; `output` (of generate) and `ideas` (of idea) are null until it is complete. */
export type Generation = Omit<GenerationSummary, "title"> & {
  /** The zones that it was restricted to, where it was. */
  readonly zoneIds?: readonly string[];
  /** The tiles that it was restricted to, where it was. */
  readonly tileIds?: readonly string[];
  /** Written by a language model, or assembled from the tiles' own words. */
  readonly mode?: Open<"model" | "extractive"> | null;
  readonly output?: { readonly title: string; readonly text: string; readonly sections: readonly OutputSection[] } | null;
  readonly ideas?: readonly Idea[] | null;
  readonly citations?: readonly Citation[];
  readonly contextTokens: number;
  /** What a reader should know of how it was made. */
  readonly notice?: string;
};

export type GenerationPage = { readonly generations: readonly GenerationSummary[]; readonly nextCursor: string | null };
