import { Type } from "typebox";
import { AppError, notFound } from "#domain/core/errors/error.ts";
import { authorizeTile } from "#service/access.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { contentEtag, matchesIfNoneMatch } from "../response/etag.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { TILE_RESPONSES } from "../wire/tiles/tile.ts";

/** One day. The page uses a new URL when the picture of a tile changes. */
const CACHE_CONTROL = "private, max-age=86400";
/** One hour, after which a missing picture is requested again. */
const CACHE_CONTROL_MISSING = "private, max-age=3600";

/** What is counted before a picture is read. The largest has 1 MiB. */
const EXPECTED_BYTES = 262_144;

/** The bytes are from other sites: they must not run scripts, and other sites must not embed them. */
const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Disposition": "inline",
};

const thumbnailRoute = defineRoute({
  method: "GET",
  path: "/api/board/:boardId/tiles/:tileId/thumbnail",
  operationId: "getTileThumbnail",
  tag: "Tiles",
  summary: "Get the picture of a tile",
  description:
    "Returns the picture at thumbnailUrl, which the server fetches and stores, or an uploaded picture of up to 1 MiB. Returns 404 if there is none or it can't be fetched.",
  query: Type.Object({
    v: Type.Optional(Type.String({ description: "Any value. Another one gets past the copy that the client stored." })),
  }),
  isRevalidated: true,
  response: TILE_RESPONSES.picture,
  async guard(deps, actor, { boardId = "", tileId = "" }) {
    const { tile } = await authorizeTile(deps, actor, tileId, "read");
    if (tile.boardId !== boardId) throw notFound("Tile");
    return tile;
  },
  async handle({ deps, actor, authorized: tile, request, reply }) {
    deps.responses.hold(reply.raw, ownerOfRequest(request), EXPECTED_BYTES);
    const picture = await deps.thumbnails.get(actor, tile, createDisconnectSignal(reply));
    if (picture === null) {
      reply.header("Cache-Control", CACHE_CONTROL_MISSING);
      throw new AppError("picture_not_found", "This tile has no picture that can be shown.");
    }
    const etag = contentEtag(picture.body);
    reply.headers(HEADERS).header("Cache-Control", CACHE_CONTROL).header("ETag", etag);
    if (matchesIfNoneMatch(etag, request.headers["if-none-match"])) return reply.code(304).send();
    const { buffer, byteOffset, length } = picture.body;
    deps.responses.hold(reply.raw, ownerOfRequest(request), length);
    return reply.header("Content-Type", picture.mediaType).send(Buffer.from(buffer, byteOffset, length));
  },
});

export function thumbnailRoutes(): AnyRoute[] {
  return [thumbnailRoute];
}
