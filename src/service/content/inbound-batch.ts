import type { Actor } from "#domain/core/access.ts";
import { AppError, conflict, isUnavailable } from "#domain/core/errors/error.ts";
import { weighLabels } from "#domain/labels/labels.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import type { BatchTile } from "#domain/content/tile-store.ts";
import { authorizeBoard } from "../access.ts";
import type { ContentDeps, StoreDeps } from "../deps.ts";
import { createSteps } from "../work-queue.ts";
import { type BatchResult, type InboundCreation, type InboundTile, requireResult } from "./inbound.ts";
import { draftTile } from "./drafts.ts";

/** The texts and labels of one transaction, in characters: on SQLite, other calls wait while they are written, about 10 ms for each megabyte. */
const MAX_STEP_CHARACTERS = 1_000_000;
/** And its tiles, of which 500 take 60 ms. */
const MAX_STEP_TILES = 100;

type Items = readonly (InboundTile | AppError)[];
type Results = readonly BatchResult[];
type Batch = { readonly deps: ContentDeps; readonly actor: Actor; readonly record: IdempotencyRecord<Results> | undefined };

/**
 * Creates many tiles. Each item succeeds or fails on its own. Few short texts are stored in one transaction, and others in several: if the
 * storage fails after the first, the remaining items have that error. Throws 429 when too much work of the caller is waiting.
 */
export async function createInboundBatch(
  deps: ContentDeps,
  actor: Actor,
  items: Items,
  record?: IdempotencyRecord<Results>,
): Promise<IdempotentOutcome<Results>> {
  const batch: Batch = { deps, actor, record };
  const runStep = createSteps(deps, actor);
  const steps = splitIntoSteps(items);
  if (steps.length === 1) return runStep(() => createTiles(batch, items));

  const replay = record === undefined ? undefined : await runStep(() => findReplay(deps, record));
  if (replay?.replayed === true) return replay;
  const results: BatchResult[] = [];
  let failure: AppError | undefined;
  for (const [index, step] of steps.entries()) {
    try {
      results.push(...(failure === undefined ? await runStep(() => createStep(batch, step, index)) : fail(step, failure)));
    } catch (error) {
      if (index === 0 || !(error instanceof AppError) || !isUnavailable(error)) throw error;
      failure = error;
      results.push(...fail(step, error));
    }
  }
  if (record === undefined || failure !== undefined) return { replayed: false, value: results };
  return runStep(() => storeResponse(deps, record, results));
}

const getTextLength = (item: InboundTile): number => ("content" in item ? item.content.length : (item.html?.length ?? 0));

/** Splits the items, in order. The same request is always split in the same way. */
function splitIntoSteps(items: Items): Items[] {
  const steps: (InboundTile | AppError)[][] = [[]];
  let characters = 0;
  for (const item of items) {
    const length = item instanceof AppError ? 0 : getTextLength(item) + weighLabels(item);
    const { length: tiles } = steps.at(-1) as Items;
    if (tiles === MAX_STEP_TILES || (tiles > 0 && characters + length > MAX_STEP_CHARACTERS)) {
      steps.push([]);
      characters = 0;
    }
    characters += length;
    steps.at(-1)?.push(item);
  }
  return steps;
}

const fail = (items: Items, failure: AppError): Results => items.map((item) => (item instanceof AppError ? item : failure));

/** Stores the tiles and the response in one transaction. */
async function createTiles({ deps, actor, record }: Batch, items: Items): Promise<IdempotentOutcome<Results>> {
  const drafts = await Promise.all(items.map((item) => draftItem(deps, actor, item)));
  const accepted = drafts.flatMap((draft) => (draft instanceof AppError ? [] : [draft]));
  const merge = (created: readonly (InboundCreation | Error)[]): Results => {
    const rest = created.values();
    return drafts.map((draft) => (draft instanceof AppError ? draft : requireResult(rest.next().value)));
  };
  const rendered = record && { ...record, render: (created: readonly (InboundCreation | Error)[]) => record.render(merge(created)) };
  const outcome = await deps.store.tiles.createMany(accepted, deps.clock.now(), rendered);
  return outcome.replayed ? outcome : { replayed: false, value: merge(outcome.value) };
}

async function draftItem(deps: ContentDeps, actor: Actor, item: InboundTile | AppError) {
  if (item instanceof AppError) return item;
  try {
    const tile = draftTile(deps, item);
    return { scope: await authorizeBoard(deps, actor, item.boardId, "inbound"), tile };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/**
 * Creates the tiles of a step. Its results have a record of their own, so that a call that was cut off is continued when it is repeated.
 * No path of a request contains `#`.
 */
async function createStep(batch: Batch, items: Items, index: number): Promise<Results> {
  const { record } = batch;
  const own = record && { ...record, path: `${record.path}#${index}`, render: renderStep };
  const outcome = await createTiles({ ...batch, record: own }, items);
  return outcome.replayed ? readStep(outcome.body) : outcome.value;
}

/** Finds the response of the same call. Throws 409 if the key was used with another request. */
const findReplay = (deps: StoreDeps, record: IdempotencyRecord<Results>) =>
  deps.store.tiles.createMany([], deps.clock.now(), { ...record, render: () => null });

async function storeResponse(deps: StoreDeps, record: IdempotencyRecord<Results>, results: Results): Promise<IdempotentOutcome<Results>> {
  const outcome = await deps.store.tiles.createMany([], deps.clock.now(), { ...record, render: () => record.render(results) });
  return outcome.replayed ? outcome : { replayed: false, value: results };
}

type StoredResult = Exclude<BatchResult, AppError> | { readonly error: Pick<AppError, "code" | "message" | "details"> };

/** Returns null if nothing was created, so that the step runs again. */
function renderStep(results: Results): string | null {
  if (results.every((result) => result instanceof AppError || result.tile === null)) return null;
  const stored = results.map((result): StoredResult => {
    if (!(result instanceof AppError)) return result.tile === null ? result : { ...result, tile: pickHead(result.tile) };
    return { error: { code: result.code, message: result.message, details: result.details } };
  });
  return JSON.stringify(stored);
}

const pickHead = ({ id, type, status, version }: BatchTile): BatchTile => ({ id, type, status, version });

function readStep(body: string): Results {
  if (body === "") throw conflict(NOT_STORED, "response_not_stored");
  const results = JSON.parse(body) as StoredResult[];
  return results.map((result) =>
    "error" in result ? new AppError(result.error.code, result.error.message, undefined, result.error.details) : result,
  );
}

const NOT_STORED =
  "The first call with this Idempotency-Key was cut off, and its results are no longer stored. List what exists, or use another key.";
