import { type Static, Type } from "typebox";
import { compareLines } from "#domain/answers/passages.ts";
import { PICTURE_TYPES } from "#domain/content/thumbnail.ts";
import { TILE_ORIGINS, TILE_STATUSES, TILE_TYPES, type Tile, type TileSummary } from "#domain/content/tile.ts";
import type { TileCreation } from "#domain/content/tile-store.ts";
import { isoTime } from "#domain/core/system.ts";
import { type Output, choice, entity, nextCursor, object, orNull, time } from "../schema.ts";
import { EXAMPLE } from "../example.ts";
import { OPTION_FIELDS, TAGS, presentTileOptions } from "./tile-options.ts";

export const tileType = choice(TILE_TYPES, { title: "TileType", description: "New values may be added." });
export const tileStatus = choice(TILE_STATUSES, { title: "TileStatus" });

const errorFields = {
  code: Type.String(),
  message: Type.String(),
  stage: Type.String(),
  retryable: Type.Boolean(),
  attempts: Type.Integer(),
};
const error = Type.Unsafe<Static<ReturnType<typeof object<typeof errorFields>>> | null>({
  ...entity("TileError", errorFields),
  type: ["object", "null"],
});

const warnings = Type.Array(entity("TileWarning", { code: Type.String(), message: Type.String() }));

const metadata = Type.Object(
  {
    subtype: Type.Optional(Type.String()),
    pageType: Type.Optional(Type.String()),
    author: Type.Optional(Type.String()),
    authorUrl: Type.Optional(Type.String()),
    siteName: Type.Optional(Type.String()),
    publishedAt: Type.Optional(Type.String()),
    durationSeconds: Type.Optional(Type.Number()),
    thumbnailUrl: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    wordCount: Type.Optional(Type.Number()),
    canonicalUrl: Type.Optional(Type.String()),
    stats: Type.Optional(Type.Record(Type.String(), Type.Number())),
    origin: Type.Optional(choice(TILE_ORIGINS, { title: "TileOrigin", description: "Present on saved answers and generations." })),
  },
  { title: "TileMetadata", additionalProperties: true, description: "What is known about the source. Unknown fields are left out." },
);

const textOverridden = Type.Optional(
  Type.Boolean({
    description:
      "true if the text of a link or upload was replaced by hand; absent otherwise. Only a retry with replace_text=true then reads the source again.",
  }),
);

/** Where the content of a tile came from, in the full tile. */
export const ORIGIN_FIELDS = {
  sourceId: orNull("string", { description: "The source that made the tile." }),
  hasFile: Type.Boolean({ description: "Whether the uploaded file is stored with the tile." }),
};

/** Sources do not make tiles yet. */
export const presentOrigin = (tile: Pick<Tile, "file">) => ({ sourceId: null, hasFile: tile.file !== null });

const common = {
  id: Type.String(),
  zoneId: orNull("string"),
  type: tileType,
  title: Type.String(),
  status: tileStatus,
  sourceUrl: orNull("string"),
  error,
  sortOrder: Type.Integer(),
  externalId: orNull("string"),
  tags: TAGS,
  createdAt: time,
  updatedAt: time,
};

const COMMON_EXAMPLE = {
  id: EXAMPLE.tileId,
  zoneId: EXAMPLE.zoneId,
  type: "WEBSITE",
  title: EXAMPLE.title,
  extractedText: EXAMPLE.text,
  status: "ready",
  sourceUrl: EXAMPLE.url,
  error: null,
  sortOrder: 1,
  externalId: null,
  tags: EXAMPLE.tags,
  createdAt: EXAMPLE.created,
  updatedAt: EXAMPLE.created,
};
const TILE_EXAMPLE = {
  ...COMMON_EXAMPLE,
  boardId: EXAMPLE.boardId,
  rawContent: "",
  metadata: { siteName: "Example", language: "en", wordCount: 16 },
  warnings: [],
  connectedToChat: null,
  properties: { reviewed: false },
  sourceId: null,
  hasFile: false,
};

/** A link and an upload that are still to be read. */
const NEW_TILE_EXAMPLE = { ...TILE_EXAMPLE, title: EXAMPLE.url, extractedText: "", status: "processing", metadata: {} };
const UPLOAD_EXAMPLE = { ...NEW_TILE_EXAMPLE, type: "PDF", title: "nordholm.pdf", sourceUrl: null, hasFile: true };

/** A tile in a listing. */
const TILE_SUMMARY = entity(
  "TileSummary",
  {
    ...common,
    extractedText: Type.Optional(Type.String()),
    metadata: Type.Optional(metadata),
    textOverridden,
    warnings: Type.Optional(warnings),
    connectedToChat: Type.Optional(OPTION_FIELDS.connectedToChat),
  },
  { examples: [COMMON_EXAMPLE] },
);

const tileFields = {
  ...common,
  boardId: Type.String(),
  rawContent: Type.String(),
  extractedText: Type.String(),
  metadata,
  warnings,
  segments: Type.Optional(
    Type.Array(entity("Segment", { start: Type.Integer(), end: Type.Integer(), seconds: Type.Number() }), {
      description:
        "Where each part of a transcript is in extractedText, in UTF-16 code units, and when it is said. Absent if there are no times.",
    }),
  ),
  textOverridden,
  refreshMinutes: Type.Optional(Type.Integer({ description: "How often the link is read again, in minutes. Absent if it is not." })),
  changes: Type.Optional(
    object(
      { at: time, added: Type.Array(Type.String()), removed: Type.Array(Type.String()) },
      { description: "What the last refresh that changed the text added and removed. Absent if none did." },
    ),
  ),
  ...OPTION_FIELDS,
  ...ORIGIN_FIELDS,
};
const TILE = entity("Tile", tileFields, { examples: [TILE_EXAMPLE, NEW_TILE_EXAMPLE, UPLOAD_EXAMPLE] });

/** What a call that creates tiles returns beside the tile. */
export const CREATION = {
  created: Type.Boolean(),
  changed: Type.Optional(Type.Boolean({ description: "If the tile existed." })),
  duplicate: Type.Optional(Type.Boolean({ description: "true if on_duplicate returned or updated an existing tile." })),
  deleted: Type.Optional(Type.Boolean({ description: "true if skip_deleted skipped it." })),
};

/** Present after a restoration if tiles lost their external ids. */
export const lostExternalIds = Type.Optional(
  Type.Array(
    entity(
      "LostExternalId",
      { tileId: Type.String(), externalId: Type.String() },
      { description: "A restored tile without its external_id, because another tile has it now." },
    ),
  ),
);

/** Returns the field `lostExternalIds` unless it is empty. */
export const presentLost = <T>(lost: readonly T[]): { readonly lostExternalIds?: readonly T[] } =>
  lost.length === 0 ? {} : { lostExternalIds: lost };

export const TILE_RESPONSES = {
  tile: object({ tile: TILE }),
  created: entity("TileCreation", { tile: Type.Unsafe<Static<typeof TILE> | null>({ ...TILE, type: ["object", "null"] }), ...CREATION }),
  restored: object({ tile: TILE, lostExternalIds }),
  tiles: object({
    tiles: Type.Array(TILE_SUMMARY),
    nextCursor,
    total: Type.Optional(Type.Integer({ description: "With count: the number of tiles on all pages." })),
    deleted: Type.Optional(Type.Array(Type.String(), { description: "With sync_token: the ids of tiles deleted since." })),
    complete: Type.Optional(Type.Boolean({ description: "With sync_token: true if tiles is the whole listing, not only the changes." })),
    syncToken: Type.Optional(Type.String({ description: "With sync_token: the token that returns the next changes." })),
  }),
  picture: Type.Unsafe<string>({
    description: "The bytes of the picture, with their media type.",
    content: Object.fromEntries(PICTURE_TYPES.map((type) => [type, { schema: { type: "string", format: "binary" } }])),
  }),
  retried: object({ retried: Type.Integer({ minimum: 0 }) }),
};

/** Returns a tile of a listing, without text if the caller requested none. */
export const presentTileSummary = (tile: TileSummary, withText: boolean): Output<typeof TILE_SUMMARY> => ({
  id: tile.id,
  zoneId: tile.zoneId,
  type: tile.type,
  title: tile.title,
  ...(withText ? { extractedText: tile.extractedText } : {}),
  status: tile.status,
  sourceUrl: tile.sourceUrl,
  error: tile.error,
  sortOrder: tile.sortOrder,
  externalId: tile.externalId,
  tags: tile.tags,
  createdAt: isoTime(tile.createdAt),
  updatedAt: isoTime(tile.updatedAt),
  ...(tile.metadata === undefined ? {} : { metadata: tile.metadata, connectedToChat: tile.connectedToChat ?? null }),
  ...(tile.textOverridden === true ? { textOverridden: true } : {}),
  ...(tile.warnings === undefined || tile.warnings.length === 0 ? {} : { warnings: tile.warnings }),
});

const presentChanges = (tile: Tile, previous: { readonly text: string; readonly until: number }) => ({
  at: isoTime(previous.until),
  ...compareLines(previous.text, tile.extractedText),
});

export const presentTile = (tile: Tile): Output<typeof TILE> => ({
  id: tile.id,
  boardId: tile.boardId,
  zoneId: tile.zoneId,
  type: tile.type,
  title: tile.title,
  rawContent: tile.rawContent,
  extractedText: tile.extractedText,
  status: tile.status,
  sourceUrl: tile.sourceUrl,
  metadata: tile.metadata,
  error: tile.error,
  warnings: tile.warnings,
  ...(tile.segments.length === 0 ? {} : { segments: tile.segments }),
  ...(tile.previousText === null ? {} : { changes: presentChanges(tile, tile.previousText) }),
  ...(tile.refreshMinutes === null ? {} : { refreshMinutes: tile.refreshMinutes }),
  ...(tile.textOverridden ? { textOverridden: true } : {}),
  sortOrder: tile.sortOrder,
  externalId: tile.externalId,
  ...presentTileOptions(tile),
  ...presentOrigin(tile),
  createdAt: isoTime(tile.createdAt),
  updatedAt: isoTime(tile.updatedAt),
});

/** Returns the response of a creation: the presented tile, and what was done. */
export const presentCreation = <Made, T>(creation: TileCreation<Made>, present: (tile: Made) => T) => ({
  ...creation,
  tile: creation.tile === null ? null : present(creation.tile),
});

export const presentTileCreation = (creation: TileCreation) => presentCreation(creation, presentTile);

/** Returns the response that a repeated call returns. A call that made nothing has none. */
export const presentRepeatableCreation = (creation: TileCreation) => (creation.tile === null ? null : presentTileCreation(creation));
