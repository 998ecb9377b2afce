import { AppError, notFound } from "#domain/core/errors/error.ts";
import type { Generation, GenerationError, GenerationResult, LeasedGeneration } from "#domain/answers/generation.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import type { StoreDeps } from "../deps.ts";

/** The result of a generation; `tile` is the tile to save it as, or null. */
export type Outcome = { readonly result: GenerationResult; readonly tile: NewTile | null };

export /** Shorter than a lease, so that no other process ends the generation during the retries. */
const RETRY = { delayMs: 500, maxMs: 9_500 };

const ZONE_DELETED = "The zone to save to was deleted, so no tile was created.";

/** Stores the result. Returns the stored generation, which another process may have ended before. */
export async function completeGeneration(deps: StoreDeps, leased: LeasedGeneration, outcome: Outcome): Promise<Generation> {
  return (await retryWhileUnavailable(() => complete(deps, leased, outcome), RETRY)) ?? findEnded(deps, leased);
}

/** Stores the failure. Returns the stored generation, which another process may have ended before. */
export async function failGeneration(deps: StoreDeps, leased: LeasedGeneration, failure: GenerationError): Promise<Generation> {
  const { store, clock } = deps;
  return (await retryWhileUnavailable(() => store.generations.fail(leased, failure, clock.now()), RETRY)) ?? findEnded(deps, leased);
}

/** Reads a generation that was ended elsewhere. Throws 404 when it was erased. */
export async function findEnded({ store }: StoreDeps, { businessId, id }: LeasedGeneration): Promise<Generation> {
  const generation = await retryWhileUnavailable(() => store.generations.find(businessId, id), RETRY);
  if (generation === null) throw notFound("Generation");
  return generation;
}

/** Stores the result with its tile, or without the tile when the zone or the tile is refused. */
async function complete({ store, clock }: StoreDeps, leased: LeasedGeneration, { result, tile }: Outcome): Promise<Generation | null> {
  try {
    return await store.generations.complete(leased, result, tile, clock.now());
  } catch (error) {
    if (tile === null || !(error instanceof AppError) || !["invalid", "not_found"].includes(error.kind)) throw error;
    const notice = [result.notice, ZONE_DELETED].filter((part) => part !== undefined).join(" ");
    return store.generations.complete(leased, { ...result, notice }, null, clock.now());
  }
}
