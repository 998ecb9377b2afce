import type { Actor } from "#domain/core/access.ts";
import { AppError, getErrorMessage } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "#domain/core/idempotency.ts";
import type { BatchTile, TileCreation } from "#domain/content/tile-store.ts";
import { authorizeBoard } from "../access.ts";
import type { ContentDeps } from "../deps.ts";
import { getLongestText, writeText } from "./long-tiles.ts";
import { type NewContent, draftTile } from "./drafts.ts";

export type InboundTile = NewContent & { readonly boardId: string };

/** Creates a tile from an external trigger. Validates the body first, then the key's scope and the board, then the zone. */
export async function createInboundTile(
  deps: ContentDeps,
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
  const outcome = await writeText(deps, actor, getLongestText(tile), create);
  if (outcome.replayed) return outcome;
  const result = requireResult(outcome.value[0]);
  if (result instanceof AppError) throw result;
  return { replayed: false, value: result };
}

/** The tile of an inbound call, without its texts. */
export type InboundCreation = TileCreation<BatchTile>;
/** The tile of an item, or the reason why it was refused. */
export type BatchResult = InboundCreation | AppError;

/** Throws the error of a tile that was not stored for a reason of its own. */
export function requireResult(created: InboundCreation | Error | undefined): BatchResult {
  if (created instanceof AppError) return created;
  if (created === undefined || created instanceof Error) {
    throw new Error(`An item of a batch could not be stored: ${getErrorMessage(created)}`, { cause: created });
  }
  return created;
}
