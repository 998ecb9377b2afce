import type { Authorized } from "../core/access.ts";
import type { Board, Business } from "../core/board.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "../core/idempotency.ts";
import type { TileType } from "../content/tile.ts";
import type { NewTile } from "../content/tile-store.ts";

/** The calls that make something of a board, by their paths. */
export const GENERATION_ENDPOINTS = ["/api/v1/generate", "/api/v1/idea"] as const;
export type GenerationEndpoint = (typeof GENERATION_ENDPOINTS)[number];

export const ASSET_TYPES = ["video", "short_video", "post", "thread", "article", "newsletter", "carousel", "podcast"] as const;
export type AssetType = (typeof ASSET_TYPES)[number];

export const GENERATION_STATUSES = ["processing", "complete", "failed", "cancelled"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

/** Ideas where no number is asked for. */
export const DEFAULT_IDEAS = 5;

/** How long the process that works on a generation is believed to live without a sign of it, in milliseconds. */
export const GENERATION_LEASE_MS = 15_000;
/** A lease that ends later than this from now was given while the clock was ahead, and counts as lost. */
export const FUTURE_GENERATION_LEASE_MS = 2 * GENERATION_LEASE_MS;

/** Words of a tile: `extractedText.slice(start, end)` at the time, in UTF-16 code units; `seconds` is when they are said. */
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

/** A part of what was written, with the words of tiles that it rests on. */
export type OutputSection = { readonly heading: string; readonly text: string; readonly citations: readonly SourceQuote[] };

/** `text` is the whole as light Markdown, made of the sections. */
export type GenerationOutput = { readonly title: string; readonly text: string; readonly sections: readonly OutputSection[] };

export type Idea = {
  readonly id: string;
  readonly title: string;
  readonly hook: string;
  readonly angle: string;
  readonly rationale: string;
  readonly citations: readonly SourceQuote[];
};

/** What was asked for, as it was read; kept with the generation. */
export type GenerationRequest = {
  readonly prompt?: string;
  readonly assetType?: AssetType;
  readonly zoneIds?: readonly string[];
  readonly tileIds?: readonly string[];
  readonly count?: number;
  readonly tone?: string;
  readonly audience?: string;
  readonly language?: string;
  /** Words, or in the caller's own words. */
  readonly length?: string | number;
  readonly ideaId?: string;
  readonly saveToZoneId?: string;
  /** Whether the caller wanted to be answered before it is done. */
  readonly async?: boolean;
};

/** What came of a generation: an output for generate, ideas for idea. */
export type GenerationResult = {
  /** Written by a language model, or assembled from the tiles' own words. */
  readonly mode: "model" | "extractive";
  readonly output: GenerationOutput | null;
  readonly ideas: readonly Idea[] | null;
  readonly citations: readonly SourceQuote[];
  readonly contextTokens: number;
  /** What a reader should know of it, in a sentence or two. */
  readonly notice?: string;
};

/** Why a generation failed; `code` is one of a few fixed names. */
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
  /** Only of `/api/v1/generate`. */
  readonly assetType: AssetType | null;
  readonly status: GenerationStatus;
  /** The title of what was written; null until then, and for ideas. */
  readonly title: string | null;
  /** The tile that keeps the result, where one was asked for and made. */
  readonly savedTileId: string | null;
  readonly error: GenerationError | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type Generation = GenerationSummary & {
  readonly request: GenerationRequest;
  /** Null until it is complete. */ readonly result: GenerationResult | null;
};

export type NewGeneration = {
  readonly id: string;
  readonly endpoint: GenerationEndpoint;
  readonly assetType: AssetType | null;
  readonly request: GenerationRequest;
  /** Names the process's hold on it; never the same twice. */
  readonly lease: string;
};

/** A generation that a process works on; only who knows the lease can finish it, and only once. */
export type LeasedGeneration = { readonly businessId: string; readonly boardId: string; readonly id: string; readonly lease: string };

export type GenerationQuery = { readonly boardId?: string; readonly endpoint?: GenerationEndpoint };

export interface GenerationStore {
  /** Writes it as `processing`, held under its lease until `now + GENERATION_LEASE_MS`. 404 where the board is deleted. */
  create(
    scope: Authorized<Board, "ask">,
    generation: NewGeneration,
    now: number,
    idempotency?: IdempotencyRecord<Generation>,
  ): Promise<IdempotentOutcome<Generation>>;
  /** The answer remembered for the same request under the same idempotency key; null without one. */
  findStoredResponse(
    idempotency: Pick<IdempotencyRecord<unknown>, "businessId" | "apiKeyId" | "path" | "key" | "requestHash">,
    now: number,
  ): Promise<string | null>;
  /** One of this business, on a board that is not deleted. */
  find(businessId: string, generationId: string): Promise<Generation | null>;
  /** An idea of this board's, from a generation that is complete. */
  findIdea(board: Pick<Board, "businessId" | "id">, ideaId: string): Promise<Idea | null>;
  /** The newest first, on boards that are not deleted, after the one of the id `after`; at most `limit`. */
  list(scope: Authorized<Business, "read">, query: GenerationQuery, after: string | null, limit: number): Promise<GenerationSummary[]>;
  /** Prolongs leases; answers the ids that are still held (one missing from it was cancelled, or taken for lost). */
  renew(held: readonly LeasedGeneration[], now: number): Promise<ReadonlySet<string>>;
  /**
   * Stores the result, makes the tile where one is given, and records the event, all in one; null when it was no longer held. Throws 400
   * where the tile's zone is gone and 404 where its board is, and then nothing happened.
   */
  complete(held: LeasedGeneration, result: GenerationResult, tile: NewTile | null, now: number): Promise<Generation | null>;
  /** Ends it as failed and records the event; its idempotency key may be used again. Null when it was no longer held. */
  fail(held: LeasedGeneration, error: GenerationError, now: number): Promise<Generation | null>;
  /** processing → cancelled, by any process; no event. 409 when it has ended, 404 where it is not on this board. */
  cancel(scope: Authorized<Board, "ask">, generationId: string, now: number): Promise<Generation>;
  /** Fails those whose lease ran out, with their events; answers how many. */
  expire(now: number): Promise<number>;
}

/** The payload of a generation's events: `assetType` for `/api/v1/generate` alone. */
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

/** What a generation is told whose process was not heard of again. */
export const INTERRUPTED: GenerationError = {
  code: "interrupted",
  message: "The service stopped while this was being made. Send the request again.",
};
