import { invalid, invalidField } from "#domain/core/error.ts";
import { isoTime } from "#domain/core/system.ts";
import { MAX_EXTERNAL_ID_LENGTH, TILE_ORIGINS, TILE_STATUSES, TILE_TYPES, type Tile, type TileSummary } from "#domain/content/tile.ts";
import { type TileOptions, pickTileOptions, toLanguageTag } from "#domain/content/tile-options.ts";
import type { TileQuery } from "#domain/content/tile-store.ts";
import { authorizeBoard, authorizeTile } from "#service/access.ts";
import { createInboundTile } from "#service/content/inbound.ts";
import { runBySize } from "#service/content/long-tiles.ts";
import { pageTiles, readTile as readWholeTile, requireZoneOn } from "#service/content/tiles.ts";
import { INTEGER, OPTIONAL_STRING, STRING, type TextLimits, type Tool, defineTool, objectArray } from "../tool.ts";
import { BOARD_ID } from "./boards.ts";

const DEFAULT_ROWS = 50;
const MAX_ROWS = 200;
/** The maximum and the default length of the text in one result: as much as models can process. */
const MAX_TEXT_LENGTH = 100_000;
const DEFAULT_TEXT_LENGTH = 20_000;

const error = { type: ["object", "null"], properties: { code: STRING, message: STRING } } as const;
const summary = {
  id: STRING,
  zoneId: OPTIONAL_STRING,
  type: STRING,
  title: STRING,
  status: STRING,
  sourceUrl: OPTIONAL_STRING,
  externalId: OPTIONAL_STRING,
  error,
  updatedAt: STRING,
};

const presentTile = (tile: TileSummary) => ({
  id: tile.id,
  zoneId: tile.zoneId,
  type: tile.type,
  title: tile.title,
  status: tile.status,
  sourceUrl: tile.sourceUrl,
  externalId: tile.externalId,
  error: tile.error === null ? null : { code: tile.error.code, message: tile.error.message },
  updatedAt: isoTime(tile.updatedAt),
});

const listTiles = defineTool({
  name: "list_tiles",
  title: "List tiles",
  description:
    "Lists tiles of a board, oldest first, without their text. Restrict it by zone, status, type or external id; send nextCursor back as cursor for the next page. To find something by its words use search_board.",
  requiredAccess: "read",
  fields: {
    board_id: BOARD_ID,
    zone_id: { type: "string", description: "Only tiles of this zone." },
    status: { type: "string", description: "Only tiles of this status.", enum: TILE_STATUSES },
    type: { type: "string", description: "Only tiles of this type.", enum: TILE_TYPES },
    external_id: { type: "string", description: "Only the tile that was added with this external_id." },
    limit: { type: "integer", description: `The maximum number of tiles; ${DEFAULT_ROWS} by default.`, minimum: 1, maximum: MAX_ROWS },
    cursor: { type: "string", description: "nextCursor of the previous page." },
  },
  output: { tiles: objectArray(summary), nextCursor: OPTIONAL_STRING },
  async run({ deps, actor, args }) {
    const scope = await authorizeBoard(deps, actor, args.board_id, "read");
    if (args.zone_id !== undefined) await requireZoneOn(deps, scope, args.zone_id);
    const query: TileQuery = {
      order: "asc",
      withText: false,
      ...(args.zone_id === undefined ? {} : { zoneId: args.zone_id }),
      ...(args.status === undefined ? {} : { status: args.status }),
      ...(args.type === undefined ? {} : { type: args.type }),
      ...(args.external_id === undefined ? {} : { externalId: args.external_id }),
    };
    const listing = `tool tiles ${scope.target.id} ${JSON.stringify(query)}`;
    const after = args.cursor === undefined ? null : deps.cursors.read(listing, args.cursor);
    const { tiles, next } = await pageTiles(deps, scope, query, after, args.limit ?? DEFAULT_ROWS);
    return { data: { tiles: tiles.map(presentTile), nextCursor: next === null ? null : deps.cursors.write(listing, next) } };
  },
});

const readTile = defineTool({
  name: "read_tile",
  title: "Read a tile",
  description: `Reads one tile with its text, ${DEFAULT_TEXT_LENGTH.toLocaleString("en")} characters at a time: send nextStart back as start for the next part. A tile that is still processing has no text yet.`,
  requiredAccess: "read",
  fields: {
    tile_id: { type: "string", description: "The tile's id, from list_tiles, search_board or a citation.", required: true },
    start: { type: "integer", description: "Where in the text to begin, in UTF-16 code units; 0 by default.", minimum: 0 },
    length: {
      type: "integer",
      description: `The maximum number of characters; ${DEFAULT_TEXT_LENGTH} by default.`,
      minimum: 1,
      maximum: MAX_TEXT_LENGTH,
    },
  },
  output: {
    tile: {
      type: "object",
      properties: {
        ...summary,
        boardId: STRING,
        connectedToChat: { type: ["boolean", "null"] },
        metadata: { type: "object" },
        warnings: objectArray({ code: STRING, message: STRING }),
      },
      required: [...Object.keys(summary), "boardId", "connectedToChat", "metadata", "warnings"],
    },
    text: STRING,
    start: INTEGER,
    totalCharacters: INTEGER,
    nextStart: { type: ["integer", "null"] },
  },
  async run({ deps, actor, args }) {
    const { tile: head } = await authorizeTile(deps, actor, args.tile_id, "read");
    const tile = await runBySize(deps, actor, head, () => readWholeTile(deps, head));
    const { text, ...rest } = sliceText(tile, args.start ?? 0, args.length ?? DEFAULT_TEXT_LENGTH);
    const { boardId, connectedToChat, metadata, warnings } = tile;
    return { data: { tile: { ...presentTile(tile), boardId, connectedToChat, metadata, warnings }, ...rest }, text };
  },
});

/** How an addition finds the tile that exists already, or that was deleted. */
const IDENTITY = {
  external_id: {
    type: "string",
    description: "Your own id for the tile, such as a path or a key. A tile of the board that has it already is updated.",
    maxLength: MAX_EXTERNAL_ID_LENGTH,
  },
  skip_deleted: {
    type: "boolean",
    description: "true adds nothing if a tile with this external_id or address was deleted; tile is then null, and deleted is true.",
  },
} as const;

const addTile = (limits: TextLimits): Tool =>
  defineTool({
    name: "add_tile",
    title: "Add a tile",
    description:
      "Adds a note (text) or a link (url) to a board. A note is ready at once; a link is fetched in the background: read_tile shows when its status is ready or failed. Give either text or url. Give external_id, so that repeating the call updates the tile instead of adding another one.",
    requiredAccess: "inbound",
    isWriting: true,
    fields: {
      board_id: BOARD_ID,
      text: { type: "string", description: "The note's text.", maxLength: limits.content },
      url: { type: "string", description: "The link's address, http or https." },
      title: { type: "string", description: "The title; by default the link's own, or one for untitled notes.", maxLength: limits.title },
      zone_id: { type: "string", description: "The id of its zone, from list_zones." },
      ...IDENTITY,
      connected_to_chat: { type: "boolean", description: "false keeps it out of answers; by default it follows its zone." },
      language_hint: {
        type: "string",
        description: "The language of the text, as a BCP 47 tag such as de or pt-BR; by default it is detected.",
      },
      origin: {
        type: "string",
        description:
          "Set it when you save an answer or a text generated from the board: the tile is then not used in answers unless connected_to_chat is true.",
        enum: TILE_ORIGINS,
      },
    },
    output: {
      tile: { type: ["object", "null"], properties: { id: STRING, type: STRING, status: STRING }, required: ["id", "type", "status"] },
      created: { type: "boolean" },
    },
    async run({ deps, actor, args }) {
      const { text, url } = args;
      if (text !== undefined && url !== undefined) throw invalid("Provide either text or url, not both.");
      const common = {
        boardId: args.board_id,
        zoneId: args.zone_id ?? null,
        ...(args.title === undefined ? {} : { title: args.title }),
        ...(args.external_id === undefined ? {} : { externalId: args.external_id }),
        ...(args.skip_deleted === undefined ? {} : { skipDeleted: args.skip_deleted }),
        ...readOptions(args),
      };
      if (text === undefined && url === undefined) throw invalid("Either text or url must be provided.");
      if (text === undefined && args.origin !== undefined) throw invalidField("origin", "needs text.");
      const outcome = await createInboundTile(
        deps,
        actor,
        text === undefined
          ? { ...common, url: url ?? "" }
          : { ...common, content: text, ...(args.origin === undefined ? {} : { origin: args.origin }) },
      );
      if (outcome.replayed) throw new Error("A creation without an idempotency key was replayed.");
      const { tile } = outcome.value;
      return { data: { ...outcome.value, tile: tile === null ? null : { id: tile.id, type: tile.type, status: tile.status } } };
    },
  });

/** Returns the options that a call sets. The type of `options` names every option, so a new one does not compile until it is read. */
function readOptions(args: {
  readonly connected_to_chat: boolean | undefined;
  readonly language_hint: string | undefined;
}): Partial<TileOptions> {
  const options: { readonly [Name in keyof TileOptions]: TileOptions[Name] | undefined } = {
    connectedToChat: args.connected_to_chat,
    languageHint: args.language_hint === undefined ? undefined : readLanguage(args.language_hint),
  };
  return pickTileOptions(options);
}

function readLanguage(value: string): string {
  const tag = toLanguageTag(value);
  if (tag === null) throw invalidField("language_hint", "must be a BCP 47 language tag such as de or pt-BR.");
  return tag;
}

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

export const tileTools = (limits: TextLimits): readonly Tool[] => [listTiles, readTile, addTile(limits)];
