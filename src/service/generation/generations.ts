import { randomUUID } from "node:crypto";
import { type Actor, requirePermission } from "#domain/core/access.ts";
import { conflict, notFound } from "#domain/core/error.ts";
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
import type { Deps } from "../deps.ts";
import { errorOfFailure } from "./failure.ts";
import { makeGeneration } from "./make.ts";
import type { GenerationRunner } from "./runner.ts";
import { checkSelection, requireContent, requireGrounds } from "./selection.ts";
import { requireZoneOn } from "../content/tiles.ts";
import { requireBudget } from "../usage.ts";

export type GenerationDeps = Deps & { readonly runner: GenerationRunner };

export type GenerationInput = { readonly boardId: string; readonly endpoint: GenerationEndpoint; readonly request: GenerationRequest };

/** A generation on its way: the row as it was written, and how it ends. */
export type StartedGeneration = { readonly generation: Generation; readonly isReplayed: boolean; ended(): Promise<Generation> };

/** What is remembered under an idempotency key; the answer is made anew from it. */
export const renderGenerationId = ({ id }: Generation): string => JSON.stringify({ generationId: id });

/**
 * Takes a generation on. Checks, after the body by itself: permission to save, scope and existence of the board, zones and tiles, the
 * idea, content, budget.
 */
export async function startGeneration(
  deps: GenerationDeps,
  actor: Actor,
  input: GenerationInput,
  asked?: IdempotencyRecord<Generation>,
): Promise<StartedGeneration> {
  const { boardId, endpoint, request } = input;
  if (request.saveToZoneId !== undefined) requirePermission(actor, "write");
  const scope = await authorizeBoard(deps, actor, boardId, "ask");
  // By the call's own name, however its path was written, so that a failed generation finds it again.
  const idempotency = asked === undefined ? undefined : { ...asked, path: endpoint };
  const remembered = idempotency === undefined ? null : await deps.store.generations.findStoredResponse(idempotency, deps.clock.now());
  if (remembered !== null) return replay(deps, actor, remembered);
  if (request.saveToZoneId !== undefined) await requireZoneOn(deps, scope, request.saveToZoneId);
  await checkSelection(deps, scope, request);
  const idea = request.ideaId === undefined ? null : await findIdea(deps, scope, request.ideaId);
  if (idea !== null) await requireGrounds(deps, scope, idea);
  await requireContent(deps, scope, request);
  if (deps.model !== null) await requireBudget(deps, actor);
  deps.runner.requireCapacity(actor.businessId);
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
  const held = { businessId: actor.businessId, boardId, id: generation.id, lease: draft.lease };
  const ended = deps.runner.start(held, (signal) => makeGeneration(deps, scope, generation, idea, signal));
  return { generation, isReplayed: false, ended: () => ended };
}

async function replay(deps: GenerationDeps, actor: Actor, body: string): Promise<StartedGeneration> {
  const { generationId } = JSON.parse(body) as { readonly generationId: string };
  const generation = await deps.store.generations.find(actor.businessId, generationId);
  if (generation === null) throw notFound("Generation");
  return { generation, isReplayed: true, ended: () => endOf(deps, generation) };
}

/** How it ended, whoever works on it; its lease sees to it that it does. */
async function endOf(deps: GenerationDeps, generation: Generation): Promise<Generation> {
  let current: Generation | null = generation;
  while (current?.status === "processing") {
    await waitAtMost(POLL_INTERVAL_MS, deps.runner.ended(generation.id));
    current = await deps.store.generations.find(generation.businessId, generation.id);
  }
  if (current === null) throw notFound("Generation");
  return current;
}

/**
 * The generation once it is done, or as it stands after `waitMs`. Throws what a failed one is told as, 409 for one that was cancelled,
 * and 409 for a call under an idempotency key whose first call still waits.
 */
export async function awaitGeneration(
  { clock }: Deps,
  { generation, isReplayed, ended }: StartedGeneration,
  waitMs: number,
): Promise<Generation> {
  const isWaitedFor =
    isReplayed && generation.status === "processing" && generation.request.async !== true && clock.now() < generation.createdAt + waitMs;
  if (isWaitedFor) throw conflict("A call with this Idempotency-Key is still running. Wait for its answer, or try again in a moment.");
  const result = ended();
  await waitAtMost(waitMs, result);
  return requireSuccess(await Promise.race([result, generation]));
}

/** Throws for a generation that failed or was cancelled. */
export function requireSuccess(generation: Generation): Generation {
  if (generation.error !== null) throw errorOfFailure(generation.error);
  if (generation.status === "cancelled") throw conflict("This generation was cancelled.");
  return generation;
}

async function findIdea(deps: Deps, { target }: BoardAsker, ideaId: string): Promise<Idea> {
  const idea = await deps.store.generations.findIdea(target, ideaId);
  if (idea === null) throw notFound("Idea");
  return idea;
}

/** A generation of the actor's business, with a grant on its board. Checks as for a tile: existence, scope, permission. */
export async function authorizeGeneration(deps: Deps, actor: Actor, generationId: string, need: "read" | "ask") {
  const generation = await deps.store.generations.find(actor.businessId, generationId);
  if (generation === null) throw notFound("Generation");
  return { generation, scope: await authorizeBoard(deps, actor, generation.boardId, need) };
}

/** Ends a generation that is under way; the work on it stops, on this node at once. */
export async function cancelGeneration(deps: GenerationDeps, scope: BoardAsker, generationId: string): Promise<Generation> {
  const cancelled = await deps.store.generations.cancel(scope, generationId, deps.clock.now());
  deps.runner.abort(generationId);
  return cancelled;
}

export type GenerationPage = { readonly generations: readonly GenerationSummary[]; readonly next: string | null };

/**
 * The newest first, of one board or of all that the actor reaches; checks scope and existence of the board. `next` is where it goes on.
 */
export async function listGenerations(
  deps: Deps,
  actor: Actor,
  query: GenerationQuery,
  after: string | null,
  limit: number,
): Promise<GenerationPage> {
  const boardId = query.boardId ?? (actor.kind === "key" ? actor.boardId : null);
  if (boardId !== null) await authorizeBoard(deps, actor, boardId, "read");
  const scope = await authorizeBusiness(deps, actor, "read");
  const asked = { ...query, ...(boardId === null ? {} : { boardId }) };
  const found = await deps.store.generations.list(scope, asked, after, limit + 1);
  const generations = found.slice(0, limit);
  return { generations, next: found.length > limit ? (generations.at(-1)?.id ?? null) : null };
}

/** How often a waiting read polls for a generation that another node runs. */
const POLL_INTERVAL_MS = 500;

/** Reads a generation, waiting until it is no longer processing, at most `seconds`, or until `signal`. */
export async function waitForGeneration(
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
