import { type TObject, type TProperties, Type } from "typebox";
import { ASSET_TYPES, GENERATION_ENDPOINTS, GENERATION_STATUSES } from "#domain/answers/generation.ts";
import { PICTURE_TYPES } from "#domain/content/thumbnail.ts";
import { TILE_STATUSES, TILE_TYPES } from "#domain/content/tile.ts";
import { ZONE_COLORS, ZONE_SIZES } from "#domain/content/zone.ts";

const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, with milliseconds." });
const orNull = (type: string) => Type.Unsafe<unknown>({ type: [type, "null"] });
const tileType = Type.Unsafe<string>({ type: "string", enum: [...TILE_TYPES], description: "The list may grow." });
const tileStatus = Type.Unsafe<string>({ type: "string", enum: [...TILE_STATUSES] });
const object = <P extends TProperties>(properties: P): TObject<P> => Type.Object(properties, { additionalProperties: false });

const tileError = Type.Unsafe<unknown>({
  type: ["object", "null"],
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    stage: { type: "string" },
    retryable: { type: "boolean" },
    attempts: { type: "integer" },
  },
  required: ["code", "message", "stage", "retryable", "attempts"],
  additionalProperties: false,
});

/** What a caller has to keep to before it sends anything. */
export const CALLER_LIMITS = object({ fileBytes: Type.Integer({ description: "The largest file that can be uploaded, in bytes." }) });

const summary = {
  id: Type.String(),
  zoneId: orNull("string"),
  type: tileType,
  title: Type.String(),
  status: tileStatus,
  sourceUrl: orNull("string"),
  error: tileError,
  sortOrder: Type.Integer(),
  createdAt: time,
  updatedAt: time,
};

const connectedToChat = Type.Unsafe<unknown>({
  type: ["boolean", "null"],
  description: "false: never feeds chat. true: feeds it where its zone does. null: follows its zone.",
});
const board = object({ id: Type.String(), name: Type.String(), isDefault: Type.Boolean(), slug: Type.String() });
const zone = object({
  id: Type.String(),
  boardId: Type.String(),
  name: Type.String(),
  sortOrder: Type.Integer(),
  connectedToChat: Type.Boolean(),
  color: Type.Unsafe<unknown>({ type: ["string", "null"], enum: [...ZONE_COLORS, null] }),
  emoji: orNull("string"),
  size: Type.Unsafe<string>({ type: "string", enum: [...ZONE_SIZES] }),
  createdAt: time,
  updatedAt: time,
});
const tile = object({
  ...summary,
  boardId: Type.String(),
  rawContent: Type.String(),
  extractedText: Type.String(),
  metadata: Type.Object(
    {},
    {
      additionalProperties: true,
      description: "subtype, author, siteName, publishedAt …; origin (answer or generation) of a saved one. Unknown ones are left out.",
    },
  ),
  warnings: Type.Array(object({ code: Type.String(), message: Type.String() })),
  segments: Type.Optional(
    Type.Array(object({ start: Type.Integer(), end: Type.Integer(), seconds: Type.Number() }), {
      description:
        "Of a transcript: where in extractedText each part stands, in UTF-16 code units, and when it is said. Left out where nothing has a time.",
    }),
  ),
  textOverridden: Type.Optional(
    Type.Boolean({
      description:
        "True where the text of a link or upload was replaced by hand; left out elsewhere. It is not read again then, unless a retry says replace_text=true.",
    }),
  ),
  refreshMinutes: Type.Optional(Type.Integer({ description: "How often the link is read again. Left out where it is not." })),
  changes: Type.Optional(
    Type.Object(
      { at: time, added: Type.Array(Type.String()), removed: Type.Array(Type.String()) },
      {
        additionalProperties: false,
        description: "What the last refresh that changed the text put in and took out. Left out where none did.",
      },
    ),
  ),
  externalId: orNull("string"),
  connectedToChat,
});
const inboundTile = object({ id: Type.String(), status: tileStatus, type: tileType });
const citation = object({
  tileId: Type.String(),
  title: Type.String(),
  type: tileType,
  sourceUrl: orNull("string"),
  quote: Type.String({ description: "Stands verbatim in the tile's extractedText." }),
  start: Type.Integer({ description: "UTF-16 code units." }),
  end: Type.Integer(),
  seconds: Type.Optional(Type.Number({ description: "When it is said, where the tile is a transcript." })),
});
const choiceOf = (values: readonly string[]) => Type.Unsafe<string>({ type: "string", enum: [...values] });
const generationSummary = {
  id: Type.String(),
  boardId: Type.String(),
  endpoint: choiceOf(GENERATION_ENDPOINTS),
  assetType: Type.Optional(choiceOf(ASSET_TYPES)),
  status: choiceOf(GENERATION_STATUSES),
  savedTileId: Type.Optional(Type.String({ description: "The tile that keeps the result." })),
  error: Type.Optional(object({ code: Type.String(), message: Type.String() })),
  createdAt: time,
  updatedAt: time,
};
const generation = object({
  ...generationSummary,
  zoneIds: Type.Optional(Type.Array(Type.String(), { description: "The zones that it was restricted to. Left out where it was not." })),
  tileIds: Type.Optional(Type.Array(Type.String(), { description: "The tiles that it was restricted to. Left out where it was not." })),
  mode: Type.Unsafe<unknown>({
    type: ["string", "null"],
    enum: ["model", "extractive", null],
    description: "Written by a language model, or assembled from the tiles' own words; null until it is complete.",
  }),
  output: Type.Optional(
    Type.Union([
      object({
        title: Type.String(),
        text: Type.String({ description: "The whole as light Markdown." }),
        sections: Type.Array(object({ heading: Type.String(), text: Type.String(), citations: Type.Array(citation) })),
      }),
      Type.Null(),
    ]),
  ),
  ideas: Type.Optional(
    Type.Union([
      Type.Array(
        object({
          id: Type.String(),
          title: Type.String(),
          hook: Type.String(),
          angle: Type.String(),
          rationale: Type.String(),
          citations: Type.Array(citation),
        }),
      ),
      Type.Null(),
    ]),
  ),
  citations: Type.Array(citation),
  contextTokens: Type.Integer(),
  notice: Type.Optional(Type.String({ description: "What a reader should know of how it was made." })),
});
const nextCursor = Type.Optional(
  Type.Unsafe<unknown>({ type: ["string", "null"], description: "Present on paged listings; null at the end." }),
);

/** The response schemas, from which the OpenAPI document is made; the tests hold every answer against them. */
export const OUTPUTS = {
  ok: object({ ok: Type.Literal(true) }),
  boards: object({ boards: Type.Array(board), nextCursor }),
  board: object({ board }),
  zones: object({ zones: Type.Array(zone), nextCursor }),
  zone: object({ zone }),
  tiles: object({
    tiles: Type.Array(
      object({
        ...summary,
        extractedText: Type.Optional(Type.String()),
        metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
        textOverridden: Type.Optional(Type.Boolean()),
        warnings: Type.Optional(Type.Array(object({ code: Type.String(), message: Type.String() }))),
        connectedToChat: Type.Optional(connectedToChat),
      }),
    ),
    nextCursor,
    deleted: Type.Optional(Type.Array(Type.String(), { description: "With sync_token: tiles that are gone since." })),
    complete: Type.Optional(Type.Boolean({ description: "With sync_token: whether tiles is the whole listing, not what changed." })),
    syncToken: Type.Optional(Type.String({ description: "With sync_token: what gives the next changes." })),
  }),
  tile: object({ tile }),
  picture: Type.Unsafe<string>({
    description: "The picture's bytes; by its media type, which its own bytes told.",
    content: Object.fromEntries(PICTURE_TYPES.map((type) => [type, { schema: { type: "string", format: "binary" } }])),
  }),
  bulk: object({
    matched: Type.Integer({ minimum: 0 }),
    changed: Type.Integer({ minimum: 0 }),
    tileIds: Type.Array(Type.String(), { maxItems: 1_000 }),
  }),
  retried: object({ retried: Type.Integer({ minimum: 0 }) }),
  inboundTile: object({ tile: inboundTile }),
  inboundBatch: object({
    results: Type.Array(object({ tile: Type.Optional(inboundTile), error: Type.Optional(Type.String()) })),
  }),
  answer: object({
    answer: Type.String(),
    contextTokens: Type.Integer(),
    answered: Type.Boolean(),
    mode: Type.Unsafe<string>({ type: "string", enum: ["model", "extractive"] }),
    notice: Type.Optional(Type.String({ description: "What a reader should know of how it was made, such as why no model answered." })),
    citations: Type.Array(citation),
    explain: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
  generation: object({ generation }),
  generations: object({
    generations: Type.Array(object({ ...generationSummary, title: Type.Optional(Type.String()) })),
    nextCursor,
  }),
  search: object({
    results: Type.Array(
      object({
        tileId: Type.String(),
        title: Type.String(),
        type: tileType,
        score: Type.Number(),
        quote: Type.String(),
        start: Type.Integer(),
        end: Type.Integer(),
        highlights: Type.Array(object({ start: Type.Integer(), end: Type.Integer() })),
        connected: Type.Optional(
          Type.Boolean({ description: "Only with scope=all: whether zone and tile let it feed chat, once it is ready." }),
        ),
        status: Type.Optional(
          Type.Unsafe<string>({
            type: "string",
            enum: [...TILE_STATUSES],
            description: "Only with scope=all; quote is empty unless it is ready.",
          }),
        ),
      }),
    ),
  }),
  me: object({
    business: object({ id: Type.String(), name: Type.String() }),
    key: object({ id: Type.String(), name: Type.String() }),
    scope: object({ boardId: orNull("string") }),
    permission: Type.Unsafe<string>({ type: "string", enum: ["read", "ask", "write", "inbound"] }),
    expiresAt: orNull("string"),
    budget: Type.Unsafe<unknown>({
      type: ["integer", "null"],
      description: "Tokens of language models that the key may use in a calendar month (UTC); null for no bound.",
    }),
    usage: Type.Object(
      {
        month: Type.String({ description: "The current month, such as 2026-11." }),
        calls: Type.Integer(),
        inputTokens: Type.Integer(),
        outputTokens: Type.Integer(),
      },
      { additionalProperties: false, description: "What the key used of language models this month." },
    ),
    limits: CALLER_LIMITS,
  }),
  error: object({ error: Type.String() }),
};
