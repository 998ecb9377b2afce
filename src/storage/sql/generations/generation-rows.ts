import { type Actor, actorId } from "#domain/core/access.ts";
import { notFound } from "#domain/core/errors/error.ts";
import {
  type Generation,
  type GenerationError,
  type GenerationSummary,
  type LeasedGeneration,
  type NewGeneration,
  generationPayload,
} from "#domain/answers/generation.ts";
import type { BoardKey, Dialect } from "../driver.ts";
import { recordEvent } from "../webhooks/events.ts";
import { json, Mapping, plainFields } from "../mapping.ts";
import { type Params, run, type Unit } from "../unit.ts";

const SUMMARY_FIELDS = {
  ...plainFields("id", "businessId", "boardId", "endpoint", "assetType", "status", "title", "createdAt", "updatedAt"),
  savedTileId: { column: "tile_id" },
  error: json,
};
export const SUMMARIES = new Mapping<GenerationSummary>(SUMMARY_FIELDS, "g");
export const GENERATIONS = new Mapping<Generation>({ ...SUMMARY_FIELDS, request: json, result: json }, "g");

export const IS_GENERATION = "business_id = @businessId AND id = @id";
/** The columns of every ended generation. */
export const ENDED = "lease = NULL, lease_until = NULL, updated_at = @now";

/** Locks and returns the generation if the condition holds for it; otherwise returns null. */
export function lockGeneration(
  dialect: Dialect,
  businessId: string,
  id: string,
  condition = "TRUE",
  params: Params = {},
): Unit<Generation | null> {
  const from = `generation g WHERE g.business_id = @businessId AND g.id = @id AND ${condition}`;
  return GENERATIONS.findForChange(dialect, from, { businessId, id, ...params });
}

/** Locks and returns a generation that this process still has the lease of; otherwise returns null. */
export const lockLeased = (dialect: Dialect, { businessId, id, lease }: LeasedGeneration): Unit<Generation | null> =>
  lockGeneration(dialect, businessId, id, "g.lease = @lease AND g.status = 'processing'", { lease });

/** Inserts a processing generation. Throws 404 when the board is deleted. */
export function* insertGeneration(
  dialect: Dialect,
  { actor, target }: { readonly actor: Actor; readonly target: BoardKey },
  { id, endpoint, assetType, lease, request }: NewGeneration,
  times: { readonly leaseUntil: number; readonly now: number },
  idempotencyKey: string | null,
): Unit<Generation> {
  const { businessId, id: boardId } = target;
  // Idempotency keys belong to the API key or member that made the request; the operator has none.
  const createdBy = actor.kind === "operator" ? null : actorId(actor);
  const created = yield* run(
    `INSERT INTO generation (business_id, id, board_id, endpoint, asset_type, status, created_by, once_key, lease, lease_until,
       created_at, updated_at, request)
     SELECT b.business_id, @id, b.id, @endpoint, @assetType, 'processing', @createdBy, @idempotencyKey, @lease, @leaseUntil, @now, @now,
       @request
     FROM board b WHERE b.business_id = @businessId AND b.id = @boardId AND b.deleted_at IS NULL`,
    { id, endpoint, assetType, createdBy, idempotencyKey, lease, request: JSON.stringify(request), businessId, boardId, ...times },
  );
  if (created === 0) throw notFound("Board");
  return (yield* lockGeneration(dialect, businessId, id)) as Generation;
}

/** Ends a locked generation without a result, and deletes its idempotency record, so that the request can be repeated. */
export function* endGeneration(
  dialect: Dialect,
  generation: Generation,
  status: "failed" | "cancelled",
  error: GenerationError | null,
  now: number,
): Unit<Generation> {
  const { businessId, id, boardId } = generation;
  yield* run(
    `DELETE FROM once WHERE (business_id, api_key_id, path, key) IN
       (SELECT business_id, created_by, endpoint, once_key FROM generation WHERE ${IS_GENERATION} AND once_key IS NOT NULL)`,
    { businessId, id },
  );
  const errorJson = error === null ? null : JSON.stringify(error);
  yield* run(`UPDATE generation SET status = @status, error = @errorJson, ${ENDED} WHERE ${IS_GENERATION}`, {
    status,
    errorJson,
    now,
    businessId,
    id,
  });
  if (status === "failed") yield* recordEvent(dialect, "generation.failed", { businessId, boardId }, generationPayload(generation), now);
  return { ...generation, status, error, updatedAt: now };
}
