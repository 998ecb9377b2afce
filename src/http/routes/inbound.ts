import { requirePermission } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { type InboundTile, createInboundTile } from "#service/content/inbound.ts";
import { createInboundBatch } from "#service/content/inbound-batch.ts";
import { sendCreated, sendTileCreation } from "../response/raw-json.ts";
import { readObject } from "../request/schema-reader.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import {
  INBOUND_RESPONSES,
  presentBatch,
  presentInboundCreation,
  presentRepeatableBatch,
  presentRepeatableInboundCreation,
} from "../wire/inbound.ts";
import type { InputLimits } from "../wire/schema.ts";
import { createTileInputs, listIneffectiveFields, readInboundTile } from "../wire/tiles/tile-input.ts";

type Inputs = ReturnType<typeof createTileInputs>;

/** Returns an item of a batch, or the error for it. */
function readItem(inputs: Inputs, item: unknown): InboundTile | AppError {
  try {
    return readInboundTile(readObject(inputs.inbound, item));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const inboundRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/inbound/tiles",
    operationId: "createInboundTile",
    tag: "Inbound",
    summary: "Create a tile from an external trigger",
    description: "Creates a tile from a link, which is read in the background, or from text. Accepts form fields as well as JSON.",
    body: inputs.inbound,
    headers: ["Idempotency-Key"],
    isVersioned: true,
    response: INBOUND_RESPONSES.tile,
    isLenient: true,
    guard: (_deps, actor) => requirePermission(actor, "inbound"),
    async handle({ deps, actor, body, ignored, request, reply }) {
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentRepeatableInboundCreation);
      const tile = readInboundTile(body);
      ignored.addWithoutEffect(...listIneffectiveFields(body));
      return sendTileCreation(reply, await createInboundTile(deps, actor, tile, idempotency), presentInboundCreation);
    },
  });

const batchRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/inbound/tiles/batch",
    operationId: "createInboundTiles",
    tag: "Inbound",
    summary: "Create up to 500 tiles",
    description: "Returns one result per item, in the same order: { tile, created } or { error }.",
    body: inputs.inboundBatch,
    headers: ["Idempotency-Key"],
    response: INBOUND_RESPONSES.batch,
    isLenient: true,
    guard: (_deps, actor) => requirePermission(actor, "inbound"),
    async handle({ deps, actor, body, request, reply }) {
      const items = body.tiles.map((item) => readItem(inputs, item));
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentRepeatableBatch);
      return sendCreated(reply, await createInboundBatch(deps, actor, items, idempotency), presentBatch);
    },
  });

export function inboundRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createTileInputs(limits);
  return [inboundRoute(inputs), batchRoute(inputs)];
}
