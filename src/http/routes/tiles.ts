import { isScheduleWithoutLink } from "#domain/content/tile-rules.ts";
import { notFound } from "#domain/core/errors/error.ts";
import { authorizeBoard, authorizeTile } from "#service/access.ts";
import { changeTiles, retryFailedTiles } from "#service/content/bulk.ts";
import { draftTile } from "#service/content/drafts.ts";
import { getLongestText } from "#service/content/long-tiles.ts";
import { createTile, deleteTile, findExisting, readTile, restoreTile, retryTile, updateTile, waitForTile } from "#service/content/tiles.ts";
import { readIfMatch } from "../response/etag.ts";
import { sendTileCreation } from "../response/raw-json.ts";
import { sendTile, sendUpsert } from "../response/send-tile.ts";
import { BULK_BODY, BULK_RESPONSE, presentBulkResult, readAction, readFilter } from "../wire/tiles/bulk-change.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { sendTileListing } from "../listing/tiles.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { type InputLimits, OK, waitQuery } from "../wire/schema.ts";
import { TILE_RESPONSES, presentLost, presentTileCreation, presentRepeatableCreation } from "../wire/tiles/tile.ts";
import { createTileInputs, listIneffectiveFields, readNewTile, readTilePatch } from "../wire/tiles/tile-input.ts";
import { RETRY_QUERY, TILE_QUERY } from "../wire/tiles/tile-query.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";

type Inputs = ReturnType<typeof createTileInputs>;

const listTilesRoute = defineRoute({
  method: "GET",
  path: "/api/board/:boardId/tiles",
  operationId: "listTiles",
  tag: "Tiles",
  summary: "List tiles",
  description: "Without limit, the whole listing is returned as a stream.",
  query: TILE_QUERY,
  isRevalidated: true,
  response: TILE_RESPONSES.tiles,
  guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "read"),
  handle: sendTileListing,
});

const createTileRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/board/:boardId/tiles",
    operationId: "createTile",
    tag: "Tiles",
    summary: "Create a tile",
    description:
      "Creates a tile from text, which is ready immediately, or from a link, which is read in the background. If content is given, url is ignored.",
    body: inputs.create,
    headers: ["Idempotency-Key"],
    isVersioned: true,
    example: 1,
    response: TILE_RESPONSES.created,
    repeatsBody: true,
    guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "write"),
    async handle({ deps, actor, authorized, body, ignored, request, reply }) {
      const tile = draftTile(deps, readNewTile(body));
      ignored.addWithoutEffect(...listIneffectiveFields(body));
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentRepeatableCreation);
      const head = await findExisting(deps, authorized, tile);
      return sendUpsert({ deps, actor, reply }, head, getLongestText(tile), async () =>
        sendTileCreation(reply, await createTile(deps, authorized, tile, idempotency), presentTileCreation),
      );
    },
  });

const retryFailedRoute = defineRoute({
  method: "POST",
  path: "/api/board/:boardId/tiles/retry",
  operationId: "retryFailedTiles",
  tag: "Tiles",
  summary: "Retry all failed tiles",
  description: "Reads every failed tile that has a link or file again, and returns how many were restarted. Their ids do not change.",
  isStrict: true,
  response: TILE_RESPONSES.retried,
  guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "write"),
  handle: async ({ deps, authorized, reply }) => ({ retried: await retryFailedTiles(deps, authorized, createDisconnectSignal(reply)) }),
});

const bulkChangeRoute = defineRoute({
  method: "POST",
  path: "/api/board/:boardId/tiles/bulk",
  operationId: "changeTiles",
  tag: "Tiles",
  summary: "Change many tiles",
  description:
    "Applies one action to every tile that matches the filter, in transactions of up to 500 tiles and about 1 MiB of text. Tiles that the action does not apply to are counted in matched, not in changed. Unknown fields are 400.",
  body: BULK_BODY,
  isStrict: true,
  response: BULK_RESPONSE,
  guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "write"),
  async handle({ deps, authorized, body, reply }) {
    const filter = readFilter(body.filter);
    const change = { filter, action: readAction(body.action, filter), isDryRun: body.dry_run === true };
    return presentBulkResult(await changeTiles(deps, authorized, change, createDisconnectSignal(reply)));
  },
});

const readTileRoute = defineRoute({
  method: "GET",
  path: "/api/board/tiles/:tileId",
  operationId: "getTile",
  tag: "Tiles",
  summary: "Get a tile",
  description: "With wait, responds when the tile is no longer processing, or after that many seconds.",
  query: waitQuery("tile"),
  isVersioned: true,
  response: TILE_RESPONSES.tile,
  guard: (deps, actor, { tileId = "" }) => authorizeTile(deps, actor, tileId, "read"),
  async handle({ deps, actor, authorized, query, reply }) {
    const tile =
      query.wait === undefined
        ? authorized.tile
        : await waitForTile(deps, actor, authorized.tile, query.wait, createDisconnectSignal(reply));
    if (tile === null) throw notFound("Tile");
    return sendTile({ deps, actor, reply }, tile, async () => ({ tile: await readTile(deps, tile) }));
  },
});

const updateTileRoute = (inputs: Inputs) =>
  defineRoute({
    method: "PATCH",
    path: "/api/board/tiles/:tileId",
    operationId: "updateTile",
    tag: "Tiles",
    summary: "Update a tile",
    description: "content replaces both rawContent and extractedText, and cancels an ingestion that is still running.",
    body: inputs.update,
    headers: ["If-Match"],
    isVersioned: true,
    response: TILE_RESPONSES.tile,
    repeatsBody: true,
    guard: (deps, actor, { tileId = "" }) => authorizeTile(deps, actor, tileId, "write"),
    async handle({ deps, actor, authorized: { scope, tile }, body, ignored, request, reply }) {
      const given = readTilePatch(body);
      const { refreshMinutes: _refreshMinutes, ...others } = given;
      const isIgnored = isScheduleWithoutLink(tile, given);
      if (isIgnored) ignored.addWithoutEffect("refresh_minutes");
      const patch = isIgnored ? others : given;
      const ifVersion = readIfMatch(request);
      const update = async () => ({ tile: await updateTile(deps, scope, tile, patch, ifVersion) });
      return sendTile({ deps, actor, reply }, tile, update, patch.content);
    },
  });

const deleteTileRoute = defineRoute({
  method: "DELETE",
  path: "/api/board/tiles/:tileId",
  operationId: "deleteTile",
  tag: "Tiles",
  summary: "Delete a tile",
  description: "The tile can be restored for 30 days.",
  headers: ["If-Match"],
  response: OK,
  guard: (deps, actor, { tileId = "" }) => authorizeTile(deps, actor, tileId, "write"),
  async handle({ deps, authorized: { scope, tile }, request }) {
    await deleteTile(deps, scope, tile, readIfMatch(request));
    return { ok: true };
  },
});

const restoreTileRoute = defineRoute({
  method: "POST",
  path: "/api/board/tiles/:tileId/restore",
  operationId: "restoreTile",
  tag: "Tiles",
  summary: "Restore a deleted tile",
  description: "Restores a tile that was deleted in the last 30 days.",
  isVersioned: true,
  response: TILE_RESPONSES.restored,
  guard: (deps, actor, { tileId = "" }) => authorizeTile(deps, actor, tileId, "write", true),
  handle: async ({ deps, actor, authorized: { scope, tile }, reply }) =>
    sendTile({ deps, actor, reply }, tile, async () => {
      const restored = await restoreTile(deps, scope, tile);
      return { tile: restored.tile, ...presentLost(restored.lostExternalIds) };
    }),
});

const retryTileRoute = defineRoute({
  method: "POST",
  path: "/api/board/tiles/:tileId/retry",
  operationId: "retryTile",
  tag: "Tiles",
  summary: "Retry a tile",
  description:
    "Reads a link or upload again. Returns 409 for a text tile, for a tile that is processing, and for text that was replaced by a PATCH unless replace_text is true.",
  query: RETRY_QUERY,
  isVersioned: true,
  response: TILE_RESPONSES.tile,
  guard: (deps, actor, { tileId = "" }) => authorizeTile(deps, actor, tileId, "write"),
  handle: async ({ deps, actor, authorized: { scope, tile }, query, reply }) =>
    sendTile({ deps, actor, reply }, tile, async () => ({ tile: await retryTile(deps, scope, tile, query.replace_text === true) })),
});

export function tileRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createTileInputs(limits);
  return [
    listTilesRoute,
    createTileRoute(inputs),
    retryFailedRoute,
    bulkChangeRoute,
    readTileRoute,
    updateTileRoute(inputs),
    deleteTileRoute,
    restoreTileRoute,
    retryTileRoute,
  ];
}
