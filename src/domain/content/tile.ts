import type { LabelFilter } from "../labels/labels.ts";
import type { UploadedFile } from "./file.ts";
import type { TileOptions } from "./tile-options.ts";
import { TILE_TYPES, type TileType } from "./tile-types.ts";

export { TILE_TYPES, type TileType };

export const TILE_STATUSES = ["processing", "ready", "failed"] as const;
export type TileStatus = (typeof TILE_STATUSES)[number];

/** What produced a saved text tile. */
export const TILE_ORIGINS = ["answer", "generation"] as const;
export type TileOrigin = (typeof TILE_ORIGINS)[number];

export const UNTITLED = "Untitled note";
/** Maximum length of an external id, in Unicode code points. */
export const MAX_EXTERNAL_ID_LENGTH = 200;

/** Why ingestion of a tile failed: `code` is for programs, `message` tells a person what happened and what to do. */
export type TileError = {
  readonly code: string;
  readonly message: string;
  readonly stage: string;
  readonly retryable: boolean;
  readonly attempts: number;
};

/** The code of the warning that search does not find a part of a tile's text. Indexing the tile again sets or removes it. */
export const PARTLY_INDEXED = "partly_indexed";
export type TileWarning = { readonly code: string; readonly message: string };

/** Metadata of the linked content; unknown fields are undefined. */
export type TileMetadata = {
  readonly subtype?: string;
  /** What kind of page was read, such as `article` or `forum`. */
  readonly pageType?: string;
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
  /** Present on saved answers and generations, which are not used to answer questions by default. */
  readonly origin?: TileOrigin;
};

/** A part of a transcript: its offsets in the text, in UTF-16 code units, and its time in seconds. */
export type Segment = { readonly start: number; readonly end: number; readonly seconds: number };

/** The fields of a tile in a listing. */
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
  /** Increases with each tile created on the board. It defines the order of creation within a millisecond. */
  readonly sequence: number;
  /** The caller's own id. Tiles of a board that are not deleted have different ones. */
  readonly externalId: string | null;
  readonly tags: TileOptions["tags"];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** This field and the following ones are in listings only when metadata is requested. */
  readonly metadata?: TileMetadata;
  readonly warnings?: readonly TileWarning[];
  readonly textOverridden?: boolean;
  readonly connectedToChat?: TileOptions["connectedToChat"];
};

export type Tile = TileOptions &
  TileSummary & {
    readonly businessId: string;
    readonly boardId: string;
    readonly rawContent: string;
    readonly metadata: TileMetadata;
    readonly warnings: readonly TileWarning[];
    /** The times of the parts of a transcript; empty without times. */
    readonly segments: readonly Segment[];
    /** The text before the last refresh that changed it, and when it was replaced; null without such a refresh. */
    readonly previousText: { readonly text: string; readonly until: number } | null;
    /**
     * The declared name and type of an upload, whose bytes are stored as long as the tile; null for text, links, and imported tiles, whose
     * bytes are not in an export.
     */
    readonly file: UploadedFile | null;
    /** The refresh interval of a link in minutes; null for no scheduled refresh. */
    readonly refreshMinutes: number | null;
    /** Whether the title, or the text, was replaced by hand. Ingestion keeps an overridden title or text. */
    readonly titleOverridden: boolean;
    readonly textOverridden: boolean;
    readonly version: number;
  };

/** Whether a tile is read from its address. The address of a text only says where the text came from. */
export const isLink = ({ type, sourceUrl }: Pick<Tile, "type" | "sourceUrl">): boolean => sourceUrl !== null && type !== "TEXT";

/** A tile without its texts. `textBytes` is how long they are as they are stored. */
export type TileHead = Omit<Tile, "rawContent" | "extractedText" | "segments" | "previousText"> & { readonly textBytes: number };

/** Conditions on tiles, all of which a tile must meet. */
export type TileFilter = LabelFilter & {
  /** Null: only tiles outside zones. */
  readonly zoneId?: string | null;
  /** Any of these. */
  readonly statuses?: readonly TileStatus[];
  /** Any of these. */
  readonly types?: readonly TileType[];
  /** Only tiles that this source made. */
  readonly sourceId?: string;
};
