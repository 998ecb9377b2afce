import { type Actor, actorId } from "#domain/core/access.ts";
import { type AppError, conflict } from "#domain/core/error.ts";
import type {
  AssetType,
  Generation,
  GenerationEndpoint,
  GenerationError,
  GenerationRequest,
  GenerationResult,
  GenerationStatus,
  GenerationSummary,
} from "#domain/answers/generation.ts";

export type GenerationSummaryRow = {
  business_id: string;
  id: string;
  board_id: string;
  endpoint: string;
  asset_type: string | null;
  status: string;
  title: string | null;
  tile_id: string | null;
  error: string | null;
  created_at: number;
  updated_at: number;
};
export type GenerationRow = GenerationSummaryRow & { request: string; result: string | null };

const SUMMARY = [
  ...["business_id", "id", "board_id", "endpoint", "asset_type", "status", "title", "tile_id", "error"],
  ...["created_at", "updated_at"],
];
const named = (names: readonly string[]): string => names.map((name) => `g.${name}`).join(", ");
export const GENERATION_SUMMARY_COLUMNS = named(SUMMARY);
export const GENERATION_COLUMNS = named([...SUMMARY, "request", "result"]);

export const generationSummaryOf = (row: GenerationSummaryRow): GenerationSummary => ({
  id: row.id,
  businessId: row.business_id,
  boardId: row.board_id,
  endpoint: row.endpoint as GenerationEndpoint,
  assetType: row.asset_type as AssetType | null,
  status: row.status as GenerationStatus,
  title: row.title,
  savedTileId: row.tile_id,
  error: row.error === null ? null : (JSON.parse(row.error) as GenerationError),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const generationOf = (row: GenerationRow): Generation => ({
  ...generationSummaryOf(row),
  request: JSON.parse(row.request) as GenerationRequest,
  result: row.result === null ? null : (JSON.parse(row.result) as GenerationResult),
});

/** The key or member that asked, whose idempotency keys are its own; null for the operator. */
export const askerOf = (actor: Actor): string | null => (actor.kind === "operator" ? null : actorId(actor));

/** 409 for a cancellation that came too late. */
export const hasEnded = (status: string): AppError => conflict(`This generation has ended already: it is ${status}.`);
