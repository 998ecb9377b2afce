import { Type } from "typebox";
import { isoTime } from "#domain/core/system.ts";
import type { Tile, TileSummary } from "#domain/content/tile.ts";
import { object, orNull } from "#http/wire/schema.ts";
import { PROPERTIES_FILTER, readPropertiesFilter } from "#http/wire/tiles/label-filter.ts";
import { OPTION_FIELDS, TAGS, presentTileOptions } from "#http/wire/tiles/tile-options.ts";
import { TILE_QUERY, readTileQuery } from "#http/wire/tiles/tile-query.ts";
import { ORIGIN_FIELDS, presentOrigin, tileStatus, tileType } from "#http/wire/tiles/tile.ts";
import { authorizeBoard, authorizeTile } from "#service/access.ts";
import { runBySize } from "#service/content/long-tiles.ts";
import { pageTiles, readTile as readWholeTile, requireZoneOn } from "#service/content/tiles.ts";
import { BOARD_ID, TILE_ID } from "../schema.ts";
import { type Tool, defineTool } from "../tool.ts";

const DEFAULT_ROWS = 50;
const MAX_ROWS = 200;
/** The maximum and the default length of the text in one result: as much as models can process. */
const MAX_TEXT_LENGTH = 100_000;
const DEFAULT_TEXT_LENGTH = 20_000;

const problem = { code: Type.String(), message: Type.String() };
const summary = {
  id: Type.String(),
  zoneId: orNull("string"),
  type: tileType,
  title: Type.String(),
  status: tileStatus,
  sourceUrl: orNull("string"),
  externalId: orNull("string"),
  tags: TAGS,
  error: Type.Union([object(problem), Type.Null()]),
  updatedAt: Type.String(),
};
const whole = object({
  ...summary,
  boardId: Type.String(),
  ...OPTION_FIELDS,
  ...ORIGIN_FIELDS,
  metadata: Type.Object({}),
  warnings: Type.Array(object(problem)),
});

const presentTile = (tile: TileSummary) => ({
  id: tile.id,
  zoneId: tile.zoneId,
  type: tile.type,
  title: tile.title,
  status: tile.status,
  sourceUrl: tile.sourceUrl,
  externalId: tile.externalId,
  tags: tile.tags,
  error: tile.error === null ? null : { code: tile.error.code, message: tile.error.message },
  updatedAt: isoTime(tile.updatedAt),
});

const listTiles = defineTool({
  name: "list_tiles",
  title: "List tiles",
  description:
    "Lists tiles of a board, oldest first, without their text. Restrict it by zone, status, type, tag, property, external id, address or source; send nextCursor back as cursor for the next page. To find something by its words use search_board.",
  requiredAccess: "read",
  input: Type.Object({
    board_id: BOARD_ID,
    zone_id: TILE_QUERY.properties.zone_id,
    status: TILE_QUERY.properties.status,
    type: TILE_QUERY.properties.type,
    tag: TILE_QUERY.properties.tag,
    properties: Type.Optional(PROPERTIES_FILTER),
    external_id: TILE_QUERY.properties.external_id,
    source_url: TILE_QUERY.properties.source_url,
    source_id: TILE_QUERY.properties.source_id,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: `The maximum number of tiles; ${DEFAULT_ROWS} by default.` }),
    ),
    cursor: Type.Optional(Type.String({ description: "nextCursor of the previous page." })),
  }),
  output: object({ tiles: Type.Array(object(summary)), nextCursor: orNull("string") }),
  async run({ deps, actor, args, signal }) {
    const scope = await authorizeBoard(deps, actor, args.board_id, "read");
    const property = readPropertiesFilter(args.properties);
    const query = readTileQuery(deps, { ...args, ...(property === undefined ? {} : { property }), text: false });
    if (query.zoneId != null) await requireZoneOn(deps, scope, query.zoneId);
    const listing = `tool tiles ${scope.target.id} ${JSON.stringify(query)}`;
    const after = args.cursor === undefined ? null : deps.cursors.read(listing, args.cursor);
    const { tiles, next } = await pageTiles(deps, scope, query, after, args.limit ?? DEFAULT_ROWS, signal);
    return { data: { tiles: tiles.map(presentTile), nextCursor: next === null ? null : deps.cursors.write(listing, next) } };
  },
});

const readTile = defineTool({
  name: "read_tile",
  title: "Read a tile",
  description: `Reads one tile with its text, ${DEFAULT_TEXT_LENGTH.toLocaleString("en")} characters at a time: send nextStart back as start for the next part. A tile that is still processing has no text yet.`,
  requiredAccess: "read",
  input: Type.Object({
    tile_id: TILE_ID,
    start: Type.Optional(Type.Integer({ minimum: 0, description: "Where in the text to begin, in UTF-16 code units; 0 by default." })),
    length: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TEXT_LENGTH,
        description: `The maximum number of characters; ${DEFAULT_TEXT_LENGTH} by default.`,
      }),
    ),
  }),
  output: object({
    tile: whole,
    text: Type.String(),
    start: Type.Integer(),
    totalCharacters: Type.Integer(),
    nextStart: orNull("integer"),
  }),
  async run({ deps, actor, args }) {
    const { tile: head } = await authorizeTile(deps, actor, args.tile_id, "read");
    const tile = await runBySize(deps, actor, head, () => readWholeTile(deps, head));
    const { text, ...rest } = sliceText(tile, args.start ?? 0, args.length ?? DEFAULT_TEXT_LENGTH);
    const { boardId, metadata, warnings } = tile;
    const options = { ...presentTileOptions(tile), ...presentOrigin(tile) };
    return { data: { tile: { ...presentTile(tile), boardId, ...options, metadata, warnings }, ...rest }, text };
  },
});

/** Returns a part of the text that does not start or end inside a character. */
function sliceText({ extractedText }: Tile, from: number, length: number) {
  const start = isInsideCharacter(extractedText, from) ? from - 1 : Math.min(from, extractedText.length);
  let end = Math.min(extractedText.length, start + length);
  if (isInsideCharacter(extractedText, end)) end++;
  const nextStart = end < extractedText.length ? end : null;
  return { text: extractedText.slice(start, end), start, totalCharacters: extractedText.length, nextStart };
}

/** Whether a position is between the two halves of a surrogate pair. */
const isInsideCharacter = (text: string, at: number): boolean => {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
};

export const TILE_TOOLS: readonly Tool[] = [listTiles, readTile];
