import type { UploadedFile } from "./file.ts";
import { TILE_TYPES, type TileType } from "./tile-types.ts";

export { TILE_TYPES, type TileType };

export const TILE_STATUSES = ["processing", "ready", "failed"] as const;
export type TileStatus = (typeof TILE_STATUSES)[number];

/** What made a text that is kept as a tile. */
export const TILE_ORIGINS = ["answer", "generation"] as const;
export type TileOrigin = (typeof TILE_ORIGINS)[number];

export const UNTITLED = "Untitled note";
/** The longest id of a caller's own, in Unicode code points. */
export const MAX_EXTERNAL_ID_LENGTH = 200;

/** Why ingestion of a tile failed: `code` is for programs, `message` tells a person what happened and what to do. */
export type TileError = {
  readonly code: string;
  readonly message: string;
  readonly stage: string;
  readonly retryable: boolean;
  readonly attempts: number;
};

export type TileWarning = { readonly code: string; readonly message: string };

/** What is known of the thing behind a link; unknown fields are left out. */
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
  /** Present on saved answers and generations, which are no source of answers unless switched on. */
  readonly origin?: TileOrigin;
};

/** A stretch of a transcript: where in the text it stands, in UTF-16 code units, and when it is said, in seconds. */
export type Segment = { readonly start: number; readonly end: number; readonly seconds: number };

/** What a listing shows of a tile. */
export type TileSummary = {
  readonly id: string;
  readonly zoneId: string | null;
  readonly type: TileType;
  readonly title: string;
  readonly extractedText: string;
  readonly status: TileStatus;
  readonly sourceUrl: string | null;
  readonly error: TileError | null;
  readonly sortOrder: number;
  /** Rises with each creation on the board; the order of creation even within one millisecond. */
  readonly sequence: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** In listings only where metadata was asked for, with the fields that follow. */
  readonly metadata?: TileMetadata;
  readonly warnings?: readonly TileWarning[];
  readonly textOverridden?: boolean;
  /** Null follows the zone, false never feeds chat, true feeds it where the zone does. */
  readonly connectedToChat?: boolean | null;
};

export type Tile = TileSummary & {
  readonly businessId: string;
  readonly boardId: string;
  readonly rawContent: string;
  readonly metadata: TileMetadata;
  readonly warnings: readonly TileWarning[];
  /** When each part of a transcript is said; empty where nothing has a time. */
  readonly segments: readonly Segment[];
  /** The text before the last refresh that changed it, and until when it stood; null where none did. */
  readonly previousText: { readonly text: string; readonly until: number } | null;
  /** What an upload said of itself; null for text and links. */
  readonly file: UploadedFile | null;
  /** How often a link is read again, in minutes; null: only when it is asked for. */
  readonly refreshMinutes: number | null;
  readonly externalId: string | null;
  readonly connectedToChat: boolean | null;
  /** A caller's own title or text is never replaced by ingestion. */
  readonly titleOverridden: boolean;
  readonly textOverridden: boolean;
  readonly version: number;
};
