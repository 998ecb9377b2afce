import { type Static, Type } from "typebox";
import { MAX_EXTERNAL_ID_LENGTH, TILE_STATUSES, TILE_TYPES } from "#domain/content/tile.ts";
import type { TileQuery } from "#domain/content/tile-store.ts";
import type { Deps } from "#service/deps.ts";
import { requireSource } from "#service/content/links.ts";
import { readTime } from "../../request/time.ts";
import { choice, pageInputs, several, urlInput } from "../schema.ts";
import { PROPERTY_QUERY, TAG_FILTER, readLabelFilter } from "./label-filter.ts";

export const RETRY_QUERY = Type.Object({
  replace_text: Type.Optional(
    Type.Boolean({ description: "Also reads a tile again whose text was replaced by hand. The text of the source replaces it." }),
  ),
});

/** Reads a zone by which tiles are filtered: null stands for tiles outside zones. */
export const readZoneFilter = (zoneId: string): string | null => (zoneId === "none" ? null : zoneId);

export const SOURCE_FILTER = Type.String({ description: "Only tiles of this source." });

/** The query of a tile listing. */
export const TILE_QUERY = Type.Object({
  zone_id: Type.Optional(Type.String({ description: "Only tiles of this zone; none for those outside zones." })),
  status: Type.Optional(several(choice(TILE_STATUSES, { title: "TileStatus" }), { description: "Only tiles with one of these statuses." })),
  type: Type.Optional(several(choice(TILE_TYPES, { title: "TileType" }), { description: "Only tiles of one of these types." })),
  tag: Type.Optional(TAG_FILTER),
  property: Type.Optional(PROPERTY_QUERY),
  external_id: Type.Optional(Type.String({ maxLength: MAX_EXTERNAL_ID_LENGTH, description: "Only this tile." })),
  source_url: Type.Optional(
    urlInput("Only tiles with this address. Its fragment, tracking parameters, order of parameters and trailing slash make no difference."),
  ),
  source_id: Type.Optional(SOURCE_FILTER),
  updated_since: Type.Optional(
    Type.String({ format: "date-time", description: "Only tiles changed at or after this time, in the order of their change." }),
  ),
  order: Type.Optional(
    choice(["asc", "desc", "position"], {
      description: "asc (default): oldest first. desc: newest first. position: by zone and sort order.",
    }),
  ),
  text: Type.Optional(Type.Boolean({ description: "false leaves extractedText out." })),
  sync_token: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "Send 0 to start: the response has every tile and a syncToken. Send that token to get what was changed and deleted since.",
    }),
  ),
  metadata: Type.Optional(
    Type.Boolean({ description: "true adds metadata (such as author, site and duration), connectedToChat, warnings and textOverridden." }),
  ),
  count: Type.Optional(Type.Boolean({ description: "true adds total." })),
  ...pageInputs("Page size. Without it, the whole listing is returned."),
});

export type TileQueryInput = Static<typeof TILE_QUERY>;

/** Returns the tiles that a query asks for. Throws 400 for an invalid time or address. */
export function readTileQuery(deps: Pick<Deps, "links">, query: TileQueryInput): TileQuery {
  const {
    updated_since: since,
    zone_id: zoneId,
    status,
    type,
    external_id: externalId,
    source_url: sourceUrl,
    source_id: sourceId,
  } = query;
  return {
    order: since === undefined ? (query.order ?? "asc") : "updated",
    withText: query.text !== false,
    ...(query.metadata === true ? { withMetadata: true } : {}),
    ...(zoneId === undefined ? {} : { zoneId: readZoneFilter(zoneId) }),
    ...(status === undefined ? {} : { statuses: status }),
    ...(type === undefined ? {} : { types: type }),
    ...readLabelFilter(query.tag, query.property),
    ...(externalId === undefined ? {} : { externalId }),
    ...(sourceUrl === undefined ? {} : { sourceUrl: requireSource(deps, sourceUrl).href }),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(since === undefined ? {} : { updatedSince: readTime("updated_since", since) }),
  };
}
