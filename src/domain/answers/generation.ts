import type { Authorized } from "../core/access.ts";
import type { Board, Business } from "../core/board.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "../core/idempotency.ts";
import type { TileType } from "../content/tile.ts";
import type { NewTile } from "../content/tile-store.ts";

/** The paths of the endpoints that generate content from a board. */
export const GENERATION_ENDPOINTS = ["/api/v1/generate", "/api/v1/idea"] as const;
export type GenerationEndpoint = (typeof GENERATION_ENDPOINTS)[number];

export const ASSET_TYPES = ["video", "short_video", "post", "thread", "article", "newsletter", "carousel", "podcast"] as const;
export type AssetType = (typeof ASSET_TYPES)[number];

export const GENERATION_STATUSES = ["processing", "complete", "failed", "cancelled"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

/** The number of ideas when none is requested. */
export const DEFAULT_IDEAS = 5;

/** A generation's lease expires when its process does not renew it for this long, in milliseconds. */
export const GENERATION_LEASE_MS = 15_000;
/** A lease that ends later than this from now was taken while the clock was ahead, and counts as expired. */
export const FUTURE_GENERATION_LEASE_MS = 2 * GENERATION_LEASE_MS;

/** A quote from a tile: `extractedText.slice(start, end)` when it was read, in UTF-16 code units. `seconds` is its time in a recording. */
export type SourceQuote = {
  readonly tileId: string;
  readonly title: string;
  readonly type: TileType;
  readonly sourceUrl: string | null;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  readonly seconds?: number;
};

/** A section of the output, with the quotes that support it. */
export type OutputSection = { readonly heading: string; readonly text: string; readonly citations: readonly SourceQuote[] };

/** `text` is the whole output in simple Markdown, rendered from the sections. */
export type GenerationOutput = { readonly title: string; readonly text: string; readonly sections: readonly OutputSection[] };

export type Idea = {
  readonly id: string;
  readonly title: string;
  readonly hook: string;
  readonly angle: string;
  readonly rationale: string;
  readonly citations: readonly SourceQuote[];
};

/** The parsed request, stored with the generation. */
export type GenerationRequest = {
  readonly prompt?: string;
  readonly assetType?: AssetType;
  readonly zoneIds?: readonly string[];
  readonly tileIds?: readonly string[];
  readonly count?: number;
  readonly tone?: string;
  readonly audience?: string;
  readonly language?: string;
  /** A number of words, or a description such as `short`. */
  readonly length?: string | number;
  readonly ideaId?: string;
  readonly saveToZoneId?: string;
  /** Whether the call returns before the generation has ended. */
  readonly async?: boolean;
};

/** The result of a generation: `output` for `/generate`, `ideas` for `/idea`. */
export type GenerationResult = {
  /** Written by a language model, or assembled from quotes. */
  readonly mode: "model" | "extractive";
  readonly output: GenerationOutput | null;
  readonly ideas: readonly Idea[] | null;
  readonly citations: readonly SourceQuote[];
  readonly contextTokens: number;
  /** One or two sentences for the reader about how it was generated. */
  readonly notice?: string;
};

/** Why a generation failed. `code` is for programs, `message` is for people. */
export type GenerationError = { readonly code: GenerationFailure; readonly message: string; readonly retryAfterSeconds?: number };
export type GenerationFailure =
  | "no_content"
  | "budget_spent"
  | "model_unreachable"
  | "model_rate_limited"
  | "model_timeout"
  | "model_refused"
  | "model_cut_off"
  | "model_wrong_answer"
  | "interrupted"
  | "internal";

export type GenerationSummary = {
  readonly id: string;
  readonly businessId: string;
  readonly boardId: string;
  readonly endpoint: GenerationEndpoint;
  /** Null for ideas. */
  readonly assetType: AssetType | null;
  readonly status: GenerationStatus;
  /** The title of the output; null until it is complete, and for ideas. */
  readonly title: string | null;
  /** The tile that the result was saved as, if requested. */
  readonly savedTileId: string | null;
  readonly error: GenerationError | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type Generation = GenerationSummary & {
  readonly request: GenerationRequest;
  /** Null until it is complete. */
  readonly result: GenerationResult | null;
};

export type NewGeneration = {
  readonly id: string;
  readonly endpoint: GenerationEndpoint;
  readonly assetType: AssetType | null;
  readonly request: GenerationRequest;
  /** A unique token that identifies the process's lease. */
  readonly lease: string;
};

/** A generation with the lease of the process that runs it. Only the lease holder can end it, and only once. */
export type LeasedGeneration = { readonly businessId: string; readonly boardId: string; readonly id: string; readonly lease: string };

export type GenerationQuery = { readonly boardId?: string; readonly endpoint?: GenerationEndpoint };

export interface GenerationStore {
  /** Stores it as `processing`, leased until `now + GENERATION_LEASE_MS`. Throws 404 when the board is deleted. */
  create(
    scope: Authorized<Board, "ask">,
    generation: NewGeneration,
    now: number,
    idempotency?: IdempotencyRecord<Generation>,
  ): Promise<IdempotentOutcome<Generation>>;
  /** Returns the response stored for the same request under the same idempotency key, or null. */
  findStoredResponse(
    idempotency: Pick<IdempotencyRecord<unknown>, "businessId" | "apiKeyId" | "path" | "key" | "requestHash">,
    now: number,
  ): Promise<string | null>;
  /** Finds a generation of this business on a board that is not deleted. */
  find(businessId: string, generationId: string): Promise<Generation | null>;
  /** Finds an idea of this board from a complete generation. */
  findIdea(board: Pick<Board, "businessId" | "id">, ideaId: string): Promise<Idea | null>;
  /** Lists at most `limit` generations on boards that are not deleted, newest first, after the id `after`. */
  list(scope: Authorized<Business, "read">, query: GenerationQuery, after: string | null, limit: number): Promise<GenerationSummary[]>;
  /** Renews leases. Returns the ids whose lease is still held; the others were cancelled or have expired. */
  renew(held: readonly LeasedGeneration[], now: number): Promise<ReadonlySet<string>>;
  /**
   * Stores the result, creates the tile if given, and records the event, in one transaction. Returns null when the lease is lost.
   * Throws 400 when the tile's zone is deleted and 404 when its board is deleted; then nothing is stored.
   */
  complete(held: LeasedGeneration, result: GenerationResult, tile: NewTile | null, now: number): Promise<Generation | null>;
  /** Ends it as failed, records the event and releases its idempotency key. Returns null when the lease is lost. */
  fail(held: LeasedGeneration, error: GenerationError, now: number): Promise<Generation | null>;
  /** Cancels a processing generation of any process, without an event. Throws 409 when it has ended, 404 when it is on another board. */
  cancel(scope: Authorized<Board, "ask">, generationId: string, now: number): Promise<Generation>;
  /** Fails generations with an expired lease and records their events. Returns how many. */
  expire(now: number): Promise<number>;
}

/** Returns the event payload of a generation. Only `/api/v1/generate` has an `assetType`. */
export const generationPayload = ({
  id,
  boardId,
  endpoint,
  assetType,
}: Pick<GenerationSummary, "id" | "boardId" | "endpoint" | "assetType">): object => ({
  generationId: id,
  boardId,
  endpoint,
  ...(assetType === null ? {} : { assetType }),
});

/** The error of a generation whose process was lost. */
export const INTERRUPTED: GenerationError = {
  code: "interrupted",
  message: "The server stopped during this generation. Send the request again.",
};
