import type { Actor } from "#domain/core/access.ts";
import { AppError, getErrorMessage } from "#domain/core/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import type { BatchTile, TileCreation } from "#domain/content/tile-store.ts";
import { authorizeBoard } from "../access.ts";
import type { Deps } from "../deps.ts";
import { writeText } from "./long-tiles.ts";
import { type NewContent, draftTile } from "./tiles.ts";
import { runInTurn } from "../work-queue.ts";

export type InboundTile = NewContent & { readonly boardId: string };

/** Creates a tile from an external trigger. Validates the body first, then the key's scope and the board, then the zone. */
export async function createInboundTile(
  deps: Deps,
  actor: Actor,
  input: InboundTile,
  idempotency?: IdempotencyRecord<InboundCreation>,
): Promise<IdempotentOutcome<InboundCreation>> {
  const tile = draftTile(deps, input);
  const scope = await authorizeBoard(deps, actor, input.boardId, "inbound");
  const storedRecord =
    idempotency === undefined
      ? undefined
      : {
          ...idempotency,
          render: ([created]: readonly (InboundCreation | Error)[]) =>
            created === undefined || created instanceof Error ? null : idempotency.render(created),
        };
  const create = () => deps.store.tiles.createMany([{ scope, tile }], deps.clock.now(), storedRecord);
  const outcome = await writeText(deps, actor, tile.rawContent, create);
  if (outcome.replayed) return outcome;
  const result = requireResult(outcome.value[0]);
  if (result instanceof AppError) throw result;
  return { replayed: false, value: result };
}

/** The tile of an inbound call, without its texts. */
export type InboundCreation = TileCreation<BatchTile>;
export type BatchResult = InboundCreation | AppError;

/** Creates many tiles. Each item succeeds or fails on its own. Throws 429 when too much work of the caller is waiting. */
export async function createInboundBatch(
  deps: Deps,
  actor: Actor,
  items: readonly (InboundTile | AppError)[],
  idempotency?: IdempotencyRecord<readonly BatchResult[]>,
): Promise<IdempotentOutcome<readonly BatchResult[]>> {
  const drafts = await Promise.all(items.map((item) => draftItem(deps, actor, item)));
  const accepted = drafts.flatMap((draft) => (draft instanceof AppError ? [] : [draft]));
  const merge = (created: readonly (InboundCreation | Error)[]): BatchResult[] => {
    const rest = created.values();
    return drafts.map((draft) => (draft instanceof AppError ? draft : requireResult(rest.next().value)));
  };
  const storedRecord =
    idempotency === undefined
      ? undefined
      : { ...idempotency, render: (created: readonly (InboundCreation | Error)[]) => idempotency.render(merge(created)) };
  const create = () => deps.store.tiles.createMany(accepted, deps.clock.now(), storedRecord);
  const outcome = await runInTurn(deps, actor, create);
  return outcome.replayed ? outcome : { replayed: false, value: merge(outcome.value) };
}

function requireResult(created: InboundCreation | Error | undefined): BatchResult {
  if (created instanceof AppError) return created;
  if (created === undefined || created instanceof Error) {
    throw new Error(`An item of a batch could not be stored: ${getErrorMessage(created)}`, { cause: created });
  }
  return created;
}

async function draftItem(deps: Deps, actor: Actor, item: InboundTile | AppError) {
  if (item instanceof AppError) return item;
  try {
    const tile = draftTile(deps, item);
    return { scope: await authorizeBoard(deps, actor, item.boardId, "inbound"), tile };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
