import { type Static, Type } from "typebox";
import type { BatchTile } from "#domain/content/tile-store.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { getStatus } from "../response/errors.ts";
import type { BatchResult, InboundCreation } from "#service/content/inbound.ts";
import type { InboundMessageResult } from "#service/content/inbound-message.ts";
import { type Output, entity, object } from "./schema.ts";
import { CREATION, presentCreation, tileStatus, tileType } from "./tiles/tile.ts";
import { EXAMPLE } from "./example.ts";

export const INBOUND_TILE = entity(
  "InboundTile",
  { id: Type.String(), status: tileStatus, type: tileType },
  { examples: [{ id: EXAMPLE.tileId, status: "processing", type: "WEBSITE" }] },
);

const tileOrNull = Type.Unsafe<Static<typeof INBOUND_TILE> | null>({ ...INBOUND_TILE, type: ["object", "null"] });
const result = entity(
  "InboundResult",
  {
    tile: Type.Optional(tileOrNull),
    ...CREATION,
    created: Type.Optional(CREATION.created),
    error: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ description: "The error code, as in X-Error-Code." })),
    status: Type.Optional(Type.Integer({ description: "The status that a call for this item alone would have." })),
  },
  { examples: [{ tile: { id: EXAMPLE.tileId, status: "processing", type: "WEBSITE" }, created: true }] },
);

export const INBOUND_RESPONSES = {
  tile: object({ tile: tileOrNull, ...CREATION }),
  message: Type.Union([
    object({ tile: tileOrNull, ...CREATION, attachments: Type.Optional(Type.Array(result)) }),
    object({ challenge: Type.String() }),
  ]),
  batch: object({
    results: Type.Array(result, {
      examples: [
        [
          { tile: { id: EXAMPLE.tileId, status: "processing", type: "WEBSITE" }, created: true },
          { error: "url must be an http or https address.", code: "field_invalid", status: 400 },
        ],
      ],
    }),
  }),
};

export const presentInboundTile = (tile: BatchTile): Output<typeof INBOUND_TILE> => ({ id: tile.id, status: tile.status, type: tile.type });

const presentItemError = ({ message, code }: AppError) => ({ error: message, code, status: getStatus(code) });

export const presentInboundCreation = (creation: InboundCreation) => presentCreation(creation, presentInboundTile);

const presentResult = (result: BatchResult) => (result instanceof AppError ? presentItemError(result) : presentInboundCreation(result));

/** Presents the first tile of a message to an inbound address, and its attachments if it has any. */
export const presentMessage = ({ first, files }: InboundMessageResult) => ({
  ...presentInboundCreation(first),
  ...(files.length === 0 ? {} : { attachments: files.map(presentResult) }),
});

/** Returns the response that a repeated call returns. A call that made nothing has none. */
export const presentRepeatableInboundCreation = (creation: InboundCreation) =>
  creation.tile === null ? null : presentInboundCreation(creation);

export const presentBatch = (results: readonly BatchResult[]) => ({
  results: results.map(presentResult),
});

/** Returns the response that a repeated call returns. A batch that made nothing has none, so that a corrected call runs. */
export const presentRepeatableBatch = (results: readonly BatchResult[]) =>
  results.every((result) => result instanceof AppError || result.tile === null) ? null : presentBatch(results);
