import type { Tile } from "#domain/content/tile.ts";
import { invalid, notFound } from "#domain/core/error.ts";
import { grantBoard, grantTile } from "#service/access.ts";
import { changeTiles, retryFailedTiles } from "#service/content/bulk.ts";
import { createTile, deleteTile, restoreTile, retryTile, updateTile, waitForTile } from "#service/content/tiles.ts";
import { formatEtag, readIfMatch, sendCreated } from "../response/answers.ts";
import { BULK_BODY, readAction, readFilter } from "../wire/bulk-change.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { renderTileListing } from "../listing/tiles.ts";
import { readChatFields } from "../wire/chat-fields.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { presentTile } from "../wire/content.ts";
import type { Inputs } from "../wire/inputs.ts";
import { OUTPUTS } from "../wire/outputs.ts";

const render = (tile: Tile): string => JSON.stringify({ tile: presentTile(tile) });

export function tileRoutes(inputs: Inputs): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/tiles",
      tag: "Tiles",
      summary: "List tiles",
      description: "Without limit everything is answered, streamed.",
      query: inputs.tilePage,
      response: OUTPUTS.tiles,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "read"),
      handle: (call) => renderTileListing(call, inputs.tilePage),
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/:boardId/tiles",
      tag: "Tiles",
      summary: "Create a tile",
      description:
        "Of text, which is ready at once; or of a link, which is answered as processing. Where content is given, url is not looked at.",
      body: inputs.tileCreate,
      response: OUTPUTS.tile,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "write"),
      async handle({ deps, actor, authorized, body, request, reply }) {
        if (body.content === undefined && body.url === undefined) throw invalid("content is required.");
        const input = {
          ...(body.content === undefined ? { url: body.url as string } : { content: body.content }),
          zoneId: body.zone_id ?? null,
          ...(body.title === undefined ? {} : { title: body.title }),
          ...(body.external_id === undefined ? {} : { externalId: body.external_id }),
          ...readChatFields(body),
        };
        return sendCreated(
          reply,
          await createTile(deps, authorized, input, readIdempotencyKey(request, actor, deps.clock.now(), render)),
          render,
        );
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/:boardId/tiles/retry",
      tag: "Tiles",
      summary: "Ingest all failed links anew",
      description: "Every failed tile of the board starts anew, under its own id; answers how many did.",
      response: OUTPUTS.retried,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "write"),
      handle: async ({ deps, authorized }) => ({ retried: await retryFailedTiles(deps, authorized) }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/:boardId/tiles/bulk",
      tag: "Tiles",
      summary: "Change many tiles",
      description:
        "Moves, deletes, restores or retries every tile that matches, in transactions of 500. tileIds are the first 1,000 that match. Tiles that the action does not fit are matched and not changed.",
      body: BULK_BODY,
      response: OUTPUTS.bulk,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "write"),
      async handle({ deps, authorized, body }) {
        const filter = readFilter(body.filter);
        const action = readAction(body.action, filter);
        return changeTiles(deps, authorized, { filter, action, isDryRun: body.dry_run === true });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/board/tiles/:tileId",
      tag: "Tiles",
      summary: "Read a tile",
      description: "With wait, answers when the tile is no longer processing, or after that many seconds.",
      query: inputs.wait,
      response: OUTPUTS.tile,
      guard: (deps, actor, { tileId = "" }) => grantTile(deps, actor, tileId, "read"),
      async handle({ deps, authorized, query, reply }) {
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        const tile = query.wait === undefined ? authorized.tile : await waitForTile(deps, authorized.tile, query.wait, gone.signal);
        if (tile === null) throw notFound("Tile");
        reply.header("ETag", formatEtag(tile.version));
        return { tile: presentTile(tile) };
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/board/tiles/:tileId",
      tag: "Tiles",
      summary: "Update a tile",
      description: "content replaces both rawContent and extractedText, and ends an ingestion that still runs.",
      body: inputs.tileUpdate,
      response: OUTPUTS.tile,
      guard: (deps, actor, { tileId = "" }) => grantTile(deps, actor, tileId, "write"),
      async handle({ deps, authorized: { scope, tile }, body, request, reply }) {
        const patch = {
          ...(body.title === undefined ? {} : { title: body.title }),
          ...(body.content === undefined ? {} : { content: body.content }),
          ...(body.zone_id === undefined ? {} : { zoneId: body.zone_id }),
          ...(body.refresh_minutes === undefined ? {} : { refreshMinutes: body.refresh_minutes }),
          ...(body.sort_order === undefined ? {} : { sortOrder: body.sort_order }),
          ...(body.connected_to_chat === undefined ? {} : { connectedToChat: body.connected_to_chat }),
        };
        const updated = await updateTile(deps, scope, tile, patch, readIfMatch(request));
        reply.header("ETag", formatEtag(updated.version));
        return { tile: presentTile(updated) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/board/tiles/:tileId",
      tag: "Tiles",
      summary: "Delete a tile",
      description: "It can be restored for 30 days.",
      response: OUTPUTS.ok,
      guard: (deps, actor, { tileId = "" }) => grantTile(deps, actor, tileId, "write"),
      async handle({ deps, authorized: { scope, tile }, request }) {
        await deleteTile(deps, scope, tile, readIfMatch(request));
        return { ok: true };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/tiles/:tileId/restore",
      tag: "Tiles",
      summary: "Restore a deleted tile",
      response: OUTPUTS.tile,
      guard: (deps, actor, { tileId = "" }) => grantTile(deps, actor, tileId, "write", true),
      async handle({ deps, authorized: { scope, tile } }) {
        return { tile: presentTile(await restoreTile(deps, scope, tile)) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/tiles/:tileId/retry",
      tag: "Tiles",
      summary: "Ingest a link anew",
      description: "409 for a text tile, while processing, and for text replaced by hand unless replace_text is true.",
      query: inputs.retry,
      response: OUTPUTS.tile,
      guard: (deps, actor, { tileId = "" }) => grantTile(deps, actor, tileId, "write"),
      async handle({ deps, authorized: { scope, tile }, query }) {
        return { tile: presentTile(await retryTile(deps, scope, tile, query.replace_text === true)) };
      },
    }),
  ];
}
