import { type TSchema, Type } from "typebox";
import { ASSET_TYPES, GENERATION_ENDPOINTS } from "#domain/answers/generation.ts";
import { MAX_EXTERNAL_ID_LENGTH, TILE_ORIGINS, TILE_STATUSES, TILE_TYPES } from "#domain/content/tile.ts";
import { SEARCH_SCOPES } from "#domain/answers/search.ts";
import { MAX_POSITION, ZONE_COLORS, ZONE_SIZES } from "#domain/content/zone.ts";

export type InputLimits = {
  readonly name: number;
  readonly title: number;
  readonly content: number;
  readonly question: number;
};

const choice = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: "string", enum: values, description });
const nullableChoice = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ type: ["string", "null"], enum: [...values, null], description });
const nullableString = (options: object) => Type.Unsafe<string | null>({ type: ["string", "null"], ...options });
const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

const url = Type.String({ maxLength: 2_048, "x-too-long": "url is too long.", description: "The link to ingest; its kind is detected." });
const externalId = Type.String({
  maxLength: MAX_EXTERNAL_ID_LENGTH,
  description: "Your own id: the same one updates the same tile of the board.",
});
const sortOrder = Type.Integer({ minimum: -MAX_POSITION, maximum: MAX_POSITION, description: "Position." });
const connectedToChat = Type.Unsafe<boolean | null>({
  type: ["boolean", "null"],
  description: "false: the tile never feeds chat. true: it does where its zone does. null: it follows its zone, which is the default.",
});
const origin = choice(TILE_ORIGINS, "Only with content: what made the text. It then starts with connected_to_chat false.");
const emoji = nullableString({ maxLength: 64, description: "One emoji, or null." });

/** The request schemas; `limits` are counted in Unicode code points. */
export function createInputs(limits: InputLimits) {
  const name = (blank: "missing" | "refused") => Type.String({ maxLength: limits.name, "x-blank": blank, description: "The name." });
  const title = (blank: "missing" | "refused") => Type.String({ maxLength: limits.title, "x-blank": blank, description: "The title." });
  const content = (blank: "missing" | "refused") =>
    Type.String({ maxLength: limits.content, "x-blank": blank, description: "The text content." });
  const zoneFields = {
    connected_to_chat: optional(Type.Boolean({ description: "Whether the zone's content feeds chat context." })),
    color: optional(nullableChoice(ZONE_COLORS, "A colour, or null.")),
    emoji: optional(emoji),
    size: optional(choice(ZONE_SIZES, "How large the zone is drawn.")),
    sort_order: optional(sortOrder),
  };
  const inbound = {
    board_id: Type.String({ description: "The board to put the tile on." }),
    zone_id: optional(Type.String({ description: "The zone to put the tile in; must belong to the board." })),
    url: optional(url),
    content: optional(content("missing")),
    title: optional(title("missing")),
    external_id: optional(externalId),
    connected_to_chat: optional(connectedToChat),
    origin: optional(origin),
  };
  const ids = (description: string) => optional(Type.Array(Type.String(), { maxItems: 100, description }));
  const wish = (description: string) => optional(Type.String({ maxLength: 200, description }));
  const made = {
    prompt: optional(
      Type.String({ maxLength: limits.question, description: "What it is to be about; without it, what the board is about." }),
    ),
    zone_ids: ids("Only tiles of these zones; with tile_ids, of either."),
    tile_ids: ids("Only these tiles; with zone_ids, of either."),
    async: optional(Type.Boolean({ description: "true answers 202 at once." })),
  };
  const madeOn = Type.String({ description: "The board to work from." });
  const page = {
    limit: optional(Type.Integer({ minimum: 1, maximum: 500, description: "Page size; without it everything is answered." })),
    cursor: optional(Type.String({ description: "The nextCursor of the page before.", "x-blank": "kept" })),
  };
  return {
    nothing: Type.Object({}),
    boardCreate: Type.Object({ name: name("missing") }),
    boardUpdate: Type.Object({
      name: optional(name("refused")),
      is_default: optional(Type.Boolean({ description: "true makes it the default board." })),
    }),
    zoneCreate: Type.Object({ name: name("missing"), ...zoneFields }),
    zoneUpdate: Type.Object({ name: optional(name("refused")), ...zoneFields }),
    tileCreate: Type.Object({
      content: optional(content("missing")),
      url: optional({ ...url, description: "A link instead of content: ingested in the background." }),
      zone_id: optional(Type.String({ description: "Zone to place the tile in; must belong to this board." })),
      title: optional(title("missing")),
      external_id: optional(externalId),
      connected_to_chat: optional(connectedToChat),
      origin: optional(origin),
    }),
    tileUpdate: Type.Object({
      title: optional(title("refused")),
      content: optional(content("refused")),
      zone_id: optional(nullableString({ description: "Moves the tile; null takes it out of its zone.", "x-blank": "missing" })),
      sort_order: optional(sortOrder),
      connected_to_chat: optional(connectedToChat),
      refresh_minutes: optional(
        Type.Unsafe<number | null>({
          type: ["integer", "null"],
          minimum: 15,
          maximum: 43_200,
          description: "How often the link is read again, in minutes; null: only by a retry.",
        }),
      ),
    }),
    fileCreate: Type.Object({
      zone_id: optional(Type.String({ description: "The zone to put the tile in; must belong to the board." })),
      title: optional(title("missing")),
      connected_to_chat: optional(connectedToChat),
    }),
    inboundCreate: Type.Object(inbound),
    inboundBatch: Type.Object({ tiles: Type.Array(Type.Object(inbound), { minItems: 1, maxItems: 500, description: "The items." }) }),
    ask: Type.Object({
      question: Type.String({ maxLength: limits.question, description: "The question." }),
      explain: optional(Type.Boolean({ description: "Shows how the passages were chosen." })),
    }),
    generate: Type.Object({
      board_id: madeOn,
      asset_type: choice(ASSET_TYPES, "The kind of piece."),
      ...made,
      tone: wish("Such as warm, or matter-of-fact."),
      audience: wish("Who it is for."),
      language: wish("The language to write in."),
      length: optional(
        Type.Unsafe<unknown>({
          anyOf: [{ type: "string", maxLength: 200 }, { type: "integer" }],
          description: "short, medium, long or other words for it, or a number of words from 10 to 10,000.",
        }),
      ),
      idea_id: optional(Type.String({ description: "An idea of an earlier call on this board, to be carried out." })),
      save_to_zone_id: optional(
        Type.String({ description: "Keeps the result as a text tile in this zone; needs the permission to write." }),
      ),
    }),
    idea: Type.Object({
      board_id: madeOn,
      ...made,
      count: optional(Type.Integer({ minimum: 1, maximum: 20, description: "Most ideas; 5 by default." })),
      asset_type: optional(choice(ASSET_TYPES, "The kind of piece they are for.")),
    }),
    generationPage: Type.Object({
      board_id: optional(Type.String({ description: "Restricts the listing to one board." })),
      endpoint: optional(choice(GENERATION_ENDPOINTS, "Restricts the listing to one call.")),
      ...page,
    }),
    page: Type.Object(page),
    tilePage: Type.Object({
      zone_id: optional(Type.String({ description: "Restricts the listing to one zone." })),
      status: optional(choice(TILE_STATUSES, "Restricts the listing to one status.")),
      type: optional(choice(TILE_TYPES, "Restricts the listing to one type.")),
      updated_since: optional(Type.String({ format: "date-time", description: "Tiles changed at or after this time, ordered by that." })),
      order: optional(choice(["asc", "desc", "position"], "By creation (oldest first, or newest), or by zone and sort order.")),
      text: optional(Type.Boolean({ description: "false leaves extractedText out." })),
      sync_token: optional(
        Type.String({
          maxLength: 100,
          description: "0 begins: everything is answered, with a syncToken. That token then gives what was changed and deleted since.",
        }),
      ),
      metadata: optional(
        Type.Boolean({ description: "true adds metadata (author, site, duration and the like, as far as known) and connectedToChat." }),
      ),
      ...page,
    }),
    askQuery: Type.Object({
      q: Type.String({ maxLength: limits.question, "x-name": "question", description: "The question." }),
      explain: optional(Type.Boolean({ description: "Shows how the passages were chosen." })),
    }),
    explainQuery: Type.Object({ explain: optional(Type.Boolean({ description: "Shows how the passages were chosen." })) }),
    search: Type.Object({
      q: Type.String({
        maxLength: limits.question,
        description: 'The words to look for; "words together", and begin* for words that begin so.',
      }),
      limit: optional(Type.Integer({ minimum: 1, maximum: 100, description: "Most rows; 10 by default." })),
      scope: optional(
        choice(
          SEARCH_SCOPES,
          "all also finds tiles that do not feed chat, and those that are processing or failed by title and address; connected by default.",
        ),
      ),
      zone_id: optional(Type.String({ description: "Only tiles of this zone, which must belong to the board." })),
      type: optional(choice(TILE_TYPES, "Only tiles of this type.")),
      created_since: optional(Type.String({ format: "date-time", description: "Only tiles made at or after this time." })),
      created_before: optional(Type.String({ format: "date-time", description: "Only tiles made before this time." })),
    }),
    retry: Type.Object({
      replace_text: optional(
        Type.Boolean({ description: "Also reads a tile again whose text was replaced by hand; what is read replaces that text." }),
      ),
    }),
    wait: Type.Object({
      wait: optional(Type.Integer({ minimum: 0, maximum: 60, description: "Seconds to wait until it is no longer processing." })),
    }),
  };
}

export type Inputs = ReturnType<typeof createInputs>;
