import { type TSchema, Type } from "typebox";
import { TILE_STATUSES, TILE_TYPES } from "#domain/tile.ts";
import { ZONE_COLORS, ZONE_SIZES } from "#domain/zone.ts";

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
const externalId = Type.String({ maxLength: 200, description: "Your own id: the same one updates the same tile of the board." });
/** Far from where whole numbers lose their exactness, so that there is always a next position. */
const MOST_POSITION = 1_000_000_000;
const sortOrder = Type.Integer({ minimum: -MOST_POSITION, maximum: MOST_POSITION, description: "Position." });
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
  };
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
      content: content("missing"),
      zone_id: optional(Type.String({ description: "Zone to place the tile in; must belong to this board." })),
      title: optional(title("missing")),
      external_id: optional(externalId),
    }),
    tileUpdate: Type.Object({
      title: optional(title("refused")),
      content: optional(content("refused")),
      zone_id: optional(nullableString({ description: "Moves the tile; null takes it out of its zone.", "x-blank": "missing" })),
      sort_order: optional(sortOrder),
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
    }),
    inboundCreate: Type.Object(inbound),
    inboundBatch: Type.Object({ tiles: Type.Array(Type.Object(inbound), { minItems: 1, maxItems: 500, description: "The items." }) }),
    ask: Type.Object({
      question: Type.String({ maxLength: limits.question, description: "The question." }),
      explain: optional(Type.Boolean({ description: "Shows how the passages were chosen." })),
    }),
    page: Type.Object(page),
    tilePage: Type.Object({
      zone_id: optional(Type.String({ description: "Restricts the listing to one zone." })),
      status: optional(choice(TILE_STATUSES, "Restricts the listing to one status.")),
      type: optional(choice(TILE_TYPES, "Restricts the listing to one type.")),
      updated_since: optional(Type.String({ format: "date-time", description: "Tiles changed at or after this time, ordered by that." })),
      order: optional(choice(["asc", "desc", "position"], "By creation (oldest first, or newest), or by zone and sort order.")),
      text: optional(Type.Boolean({ description: "false leaves extractedText out." })),
      ...page,
    }),
    askQuery: Type.Object({
      q: Type.String({ maxLength: limits.question, "x-name": "question", description: "The question." }),
      explain: optional(Type.Boolean({ description: "Shows how the passages were chosen." })),
    }),
    explainQuery: Type.Object({ explain: optional(Type.Boolean({ description: "Shows how the passages were chosen." })) }),
    search: Type.Object({
      q: Type.String({ maxLength: limits.question, description: "The words to look for." }),
      limit: optional(Type.Integer({ minimum: 1, maximum: 100, description: "Most rows; 10 by default." })),
    }),
    wait: Type.Object({
      wait: optional(Type.Integer({ minimum: 0, maximum: 60, description: "Seconds to wait until the tile is no longer processing." })),
    }),
  };
}

export type Inputs = ReturnType<typeof createInputs>;
