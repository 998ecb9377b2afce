import { Type } from "typebox";
import type { Tile } from "#domain/content/tile.ts";
import { AppError } from "#domain/core/error.ts";
import type { BatchResult } from "#service/content/inbound.ts";
import { type Output, entity, object } from "./schema.ts";
import { tileStatus, tileType } from "./tile.ts";
import { EXAMPLE } from "./example.ts";

const INBOUND_TILE = entity(
  "InboundTile",
  { id: Type.String(), status: tileStatus, type: tileType },
  { examples: [{ id: EXAMPLE.tileId, status: "processing", type: "WEBSITE" }] },
);

export const INBOUND_RESPONSES = {
  tile: object({ tile: INBOUND_TILE }),
  batch: object({
    results: Type.Array(object({ tile: Type.Optional(INBOUND_TILE), error: Type.Optional(Type.String()) }), {
      examples: [
        [{ tile: { id: EXAMPLE.tileId, status: "processing", type: "WEBSITE" } }, { error: "url must be an absolute http(s) URL." }],
      ],
    }),
  }),
};

const presentInboundTile = (tile: Tile): Output<typeof INBOUND_TILE> => ({ id: tile.id, status: tile.status, type: tile.type });

export const renderInboundTile = (tile: Tile): string => JSON.stringify({ tile: presentInboundTile(tile) });

export const renderBatch = (results: readonly BatchResult[]): string =>
  JSON.stringify({
    results: results.map((result) => (result instanceof AppError ? { error: result.message } : { tile: presentInboundTile(result) })),
  });

/** Returns the response that a repeated call returns. A batch that created nothing has none, so that a corrected call runs. */
export const renderRepeatableBatch = (results: readonly BatchResult[]): string | null =>
  results.every((result) => result instanceof AppError) ? null : renderBatch(results);
