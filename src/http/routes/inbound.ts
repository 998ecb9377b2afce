import type { Static } from "typebox";
import { requirePermission } from "#domain/core/access.ts";
import { AppError, invalid } from "#domain/core/error.ts";
import type { Tile } from "#domain/content/tile.ts";
import { type BatchResult, type InboundTile, createInboundBatch, createInboundTile } from "#service/content/inbound.ts";
import { sendCreated } from "../response/answers.ts";
import { readChatFields } from "../wire/chat-fields.ts";
import { readObject } from "../request/schema-reader.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { presentInbound } from "../wire/content.ts";
import type { Inputs } from "../wire/inputs.ts";
import { OUTPUTS } from "../wire/outputs.ts";

type InboundBody = Static<Inputs["inboundCreate"]>;

function inputOf(body: InboundBody): InboundTile {
  const { board_id: boardId, zone_id: zoneId, url, content, title, external_id: externalId } = body;
  if (url !== undefined && content !== undefined) throw invalid("Provide either content or url, not both.");
  if (url === undefined && content === undefined) throw invalid("Either content or url must be provided.");
  const common = {
    boardId,
    zoneId: zoneId ?? null,
    ...(title === undefined ? {} : { title }),
    ...(externalId === undefined ? {} : { externalId }),
    ...readChatFields(body),
  };
  return content === undefined ? { ...common, url: url as string } : { ...common, content };
}

/** An item of a batch, or its refusal. */
function readItem(inputs: Inputs, item: unknown): InboundTile | AppError {
  try {
    return inputOf(readObject(inputs.inboundCreate, item));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const renderTile = (tile: Tile): string => JSON.stringify({ tile: presentInbound(tile) });

const renderBatch = (results: readonly BatchResult[]): string =>
  JSON.stringify({
    results: results.map((result) => (result instanceof AppError ? { error: result.message } : { tile: presentInbound(result) })),
  });

/** An answer that created nothing is not remembered, so that a mended retry under the same key is heard. */
const rememberBatch = (results: readonly BatchResult[]): string | null =>
  results.every((result) => result instanceof AppError) ? null : renderBatch(results);

export function inboundRoutes(inputs: Inputs): AnyRoute[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/inbound/tiles",
      tag: "Inbound",
      summary: "Create a tile from an external trigger",
      description:
        "With url the tile is answered at once and ingested in the background; with content it is a text tile. Form fields are read as well as JSON.",
      body: inputs.inboundCreate,
      response: OUTPUTS.inboundTile,
      isLenient: true,
      guard: (_deps, actor) => requirePermission(actor, "inbound"),
      async handle({ deps, actor, body, request, reply }) {
        const once = readIdempotencyKey(request, actor, deps.clock.now(), renderTile);
        return sendCreated(reply, await createInboundTile(deps, actor, inputOf(body), once), renderTile);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/inbound/tiles/batch",
      tag: "Inbound",
      summary: "Create up to 500 tiles",
      description: "Answers one result for each item, in order: { tile } or { error }.",
      body: inputs.inboundBatch,
      response: OUTPUTS.inboundBatch,
      isLenient: true,
      guard: (_deps, actor) => requirePermission(actor, "inbound"),
      async handle({ deps, actor, body, request, reply }) {
        const items = body.tiles.map((item) => readItem(inputs, item));
        const once = readIdempotencyKey(request, actor, deps.clock.now(), rememberBatch);
        return sendCreated(reply, await createInboundBatch(deps, actor, items, once), renderBatch);
      },
    }),
  ];
}
