import { AppError, notFound } from "#domain/core/error.ts";
import type { Generation, GenerationError, GenerationResult, LeasedGeneration } from "#domain/answers/generation.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import { retryWhileUnavailable } from "#runtime/retry.ts";
import type { Deps } from "../deps.ts";

/** What a generation resulted in; `tile` is the tile to save it as, or null. */
export type Outcome = { readonly result: GenerationResult; readonly tile: NewTile | null };

export type OutcomeDeps = Pick<Deps, "store" | "clock">;

/** Shorter than a lease, so that nobody else ends the generation meanwhile. */
const RETRY = { delayMs: 500, maxMs: 9_500 };

const ZONE_GONE = "The zone to save to was deleted meanwhile, so no tile was made.";

/** Stores the result. Returns the generation as it is then, which another process may have ended before. */
export async function completeGeneration(deps: OutcomeDeps, held: LeasedGeneration, outcome: Outcome): Promise<Generation> {
  return (await retryWhileUnavailable(() => complete(deps, held, outcome), RETRY)) ?? findEnded(deps, held);
}

/** Stores the failure. Returns the generation as it is then, which another process may have ended before. */
export async function failGeneration(deps: OutcomeDeps, held: LeasedGeneration, failure: GenerationError): Promise<Generation> {
  const { store, clock } = deps;
  return (await retryWhileUnavailable(() => store.generations.fail(held, failure, clock.now()), RETRY)) ?? findEnded(deps, held);
}

/** Reads a generation that somebody else ended. 404 when it was erased. */
export async function findEnded({ store }: OutcomeDeps, { businessId, id }: LeasedGeneration): Promise<Generation> {
  const generation = await retryWhileUnavailable(() => store.generations.find(businessId, id), RETRY);
  if (generation === null) throw notFound("Generation");
  return generation;
}

/** Without the tile where its zone is gone. */
async function complete({ store, clock }: OutcomeDeps, held: LeasedGeneration, { result, tile }: Outcome): Promise<Generation | null> {
  try {
    return await store.generations.complete(held, result, tile, clock.now());
  } catch (error) {
    if (tile === null || !(error instanceof AppError) || !["invalid", "not_found"].includes(error.code)) throw error;
    const notice = [result.notice, ZONE_GONE].filter((part) => part !== undefined).join(" ");
    return store.generations.complete(held, { ...result, notice }, null, clock.now());
  }
}
