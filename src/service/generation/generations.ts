import { randomUUID } from "node:crypto";
import { type Actor, requirePermission } from "#domain/core/access.ts";
import { conflict, notFound } from "#domain/core/errors/error.ts";
import type {
  Generation,
  GenerationEndpoint,
  GenerationQuery,
  GenerationRequest,
  GenerationSummary,
  Idea,
} from "#domain/answers/generation.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import { waitAtMost } from "#runtime/wait.ts";
import { type BoardAsker, authorizeBoard, authorizeBusiness } from "../access.ts";
import type { AnswerDeps, Deps, StoreDeps } from "../deps.ts";
import { toOwner } from "../work-queue.ts";
import { toCallerError } from "./failure.ts";
import { generateResult } from "./generate.ts";
import type { GenerationRunner } from "./runner.ts";
import { checkSelection, requireContent, requireReadableSources } from "./selection.ts";
import { requireZoneOn } from "../content/tiles.ts";
import { requireBudget } from "../usage.ts";

export type GenerationDeps = AnswerDeps & Pick<Deps, "waitQueue"> & { readonly runner: GenerationRunner };

export type GenerationInput = { readonly boardId: string; readonly endpoint: GenerationEndpoint; readonly request: GenerationRequest };

/** A generation that was started: the stored row, and a promise of its final state, for which a replay polls until `signal` aborts. */
export type StartedGeneration = {
  readonly generation: Generation;
  readonly isReplayed: boolean;
  ended(signal?: AbortSignal): Promise<Generation>;
};

/** Returns the response stored under an idempotency key. A replay loads the generation by this id. */
export const presentGenerationId = ({ id }: Generation) => ({ generationId: id });

/**
 * Starts a generation. After the body, it checks in this order: permission to save, scope and existence of the board, zones and tiles,
 * the idea, content, the budget, and how many generations are in progress.
 */
export async function startGeneration(
  deps: GenerationDeps,
  actor: Actor,
  input: GenerationInput,
  callerRecord?: IdempotencyRecord<Generation>,
): Promise<StartedGeneration> {
  const { boardId, endpoint, request } = input;
  if (request.saveToZoneId !== undefined) requirePermission(actor, "write");
  const scope = await authorizeBoard(deps, actor, boardId, "ask");
  // Use the canonical endpoint as path, so that a failed generation finds and deletes its record.
  const idempotency = callerRecord === undefined ? undefined : { ...callerRecord, path: endpoint };
  const storedResponse = idempotency === undefined ? null : await deps.store.generations.findStoredResponse(idempotency, deps.clock.now());
  if (storedResponse !== null) return replay(deps, actor, storedResponse);
  if (request.saveToZoneId !== undefined) await requireZoneOn(deps, scope, request.saveToZoneId, "save_to_zone_id");
  await checkSelection(deps, scope, request);
  const idea = request.ideaId === undefined ? null : await findIdea(deps, scope, request.ideaId);
  if (idea !== null) await requireReadableSources(deps, scope, idea);
  await requireContent(deps, scope, request);
  if (deps.model !== null) await requireBudget(deps, actor);
  return deps.runner.start(actor, async (begin) => {
    const now = deps.clock.now();
    const draft = {
      id: newId("gen", now),
      endpoint,
      assetType: endpoint === "/api/v1/generate" ? (request.assetType ?? null) : null,
      request,
      lease: randomUUID(),
    };
    const created = await deps.store.generations.create(scope, draft, now, idempotency);
    if (created.replayed) return replay(deps, actor, created.body);
    const generation = created.value;
    const leased = { businessId: actor.businessId, boardId, id: generation.id, lease: draft.lease };
    const ended = begin(leased, (signal) => generateResult(deps, scope, generation, idea, signal));
    return { generation, isReplayed: false, ended: () => ended };
  });
}

async function replay(deps: GenerationDeps, actor: Actor, body: string): Promise<StartedGeneration> {
  if (body === "")
    throw conflict(
      "The first call with this Idempotency-Key started a generation. List the generations to find it.",
      "response_not_stored",
    );
  const { generationId } = JSON.parse(body) as { readonly generationId: string };
  const generation = await deps.store.generations.find(actor.businessId, generationId);
  if (generation === null) throw notFound("Generation");
  return { generation, isReplayed: true, ended: (signal) => waitForEnd(deps, generation, signal) };
}

/** Waits for the end of a generation that any process runs. Its lease guarantees that it ends. */
async function waitForEnd(deps: GenerationDeps, generation: Generation, signal?: AbortSignal): Promise<Generation> {
  let current: Generation | null = generation;
  while (current?.status === "processing") {
    await waitAtMost(POLL_INTERVAL_MS, deps.runner.ended(generation.id), signal);
    signal?.throwIfAborted();
    current = await deps.store.generations.find(generation.businessId, generation.id);
  }
  if (current === null) throw notFound("Generation");
  return current;
}

/**
 * Returns the generation when it has ended, or its current state after `waitMs`. Throws the error of a failed one, 409 for a cancelled
 * one, and 409 for a repeated idempotency key whose first call is still waiting.
 */
export async function awaitGeneration(
  { clock }: StoreDeps,
  { generation, isReplayed, ended }: StartedGeneration,
  waitMs: number,
  signal?: AbortSignal,
): Promise<Generation> {
  const isFirstCallWaiting =
    isReplayed && generation.status === "processing" && generation.request.async !== true && clock.now() < generation.createdAt + waitMs;
  if (isFirstCallWaiting)
    throw conflict(
      "A call with this Idempotency-Key is still running. Wait for its response, or try again in a moment.",
      "idempotency_key_in_use",
    );
  const result = ended(signal);
  await waitAtMost(waitMs, result, signal);
  return requireSuccess(await Promise.race([result, generation]));
}

/** Returns the generation. Throws when it failed or was cancelled. */
export function requireSuccess(generation: Generation): Generation {
  if (generation.error !== null) throw toCallerError(generation.error);
  if (generation.status === "cancelled") throw conflict("This generation was cancelled.", "generation_ended");
  return generation;
}

async function findIdea(deps: StoreDeps, { target }: BoardAsker, ideaId: string): Promise<Idea> {
  const idea = await deps.store.generations.findIdea(target, ideaId);
  if (idea === null) throw notFound("Idea");
  return idea;
}

/** Loads a generation of the actor's business and authorizes access to its board. Checks existence, scope and permission. */
export async function authorizeGeneration(deps: StoreDeps, actor: Actor, generationId: string, need: "read" | "ask") {
  const generation = await deps.store.generations.find(actor.businessId, generationId);
  if (generation === null) throw notFound("Generation");
  return { generation, scope: await authorizeBoard(deps, actor, generation.boardId, need) };
}

/** Cancels a running generation. Its work stops immediately on this node, and with the next lease renewal on another one. */
export async function cancelGeneration(deps: GenerationDeps, scope: BoardAsker, generationId: string): Promise<Generation> {
  const cancelled = await deps.store.generations.cancel(scope, generationId, deps.clock.now());
  deps.runner.abort(generationId);
  return cancelled;
}

export type GenerationPage = { readonly generations: readonly GenerationSummary[]; readonly next: string | null };

/**
 * Lists generations, newest first, of one board or of all boards that the actor can access. Checks scope and existence of the board.
 * `next` is the cursor of the next page.
 */
export async function listGenerations(
  deps: StoreDeps,
  actor: Actor,
  query: GenerationQuery,
  after: string | null,
  limit: number,
): Promise<GenerationPage> {
  const boardId = query.boardId ?? (actor.kind === "key" ? actor.boardId : null);
  if (boardId !== null) await authorizeBoard(deps, actor, boardId, "read");
  const scope = await authorizeBusiness(deps, actor, "read");
  const scopedQuery = { ...query, ...(boardId === null ? {} : { boardId }) };
  const found = await deps.store.generations.list(scope, scopedQuery, after, limit + 1);
  const generations = found.slice(0, limit);
  return { generations, next: found.length > limit ? (generations.at(-1)?.id ?? null) : null };
}

/** How often a waiting read polls for a generation that another node runs. */
const POLL_INTERVAL_MS = 500;

/**
 * Waits until a generation is no longer processing, for at most `seconds` or until `signal` is aborted. Throws 429 while too many calls of
 * the caller wait.
 */
export async function waitForGeneration(
  deps: GenerationDeps,
  actor: Actor,
  generation: Generation,
  seconds: number,
  signal: AbortSignal,
): Promise<Generation | null> {
  if (generation.status !== "processing") return generation;
  return deps.waitQueue.run(() => watchGeneration(deps, generation, seconds, signal), { owner: toOwner(actor) });
}

async function watchGeneration(
  deps: GenerationDeps,
  generation: Generation,
  seconds: number,
  signal: AbortSignal,
): Promise<Generation | null> {
  const until = performance.now() + seconds * 1_000;
  let current: Generation | null = generation;
  while (current?.status === "processing" && performance.now() < until && !signal.aborted) {
    await waitAtMost(Math.min(POLL_INTERVAL_MS, until - performance.now()), deps.runner.ended(generation.id), signal);
    current = await deps.store.generations.find(generation.businessId, generation.id);
  }
  return current;
}
