import { type Static, Type } from "typebox";
import { ASSET_TYPES, GENERATION_ENDPOINTS, type GenerationRequest } from "#domain/answers/generation.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import { isLongerThan } from "#domain/core/text.ts";
import { type InputLimits, choice, pageInputs } from "./schema.ts";
import { EXAMPLE } from "./example.ts";

const MIN_WORDS = 10;
const MAX_WORDS = 10_000;
const MAX_OPTION_LENGTH = 200;

const ids = (description: string) => Type.Optional(Type.Array(Type.String(), { maxItems: 100, description }));
const option = (description: string) => Type.Optional(Type.String({ maxLength: MAX_OPTION_LENGTH, description }));

export function createGenerationInputs(limits: InputLimits) {
  const common = {
    board_id: Type.String({ description: "The board that the content comes from." }),
    prompt: Type.Optional(Type.String({ maxLength: limits.question, description: "The subject. Default: what the board is about." })),
    zone_ids: ids("Only tiles of these zones. With tile_ids, tiles of either."),
    tile_ids: ids("Only these tiles. With zone_ids, tiles of either."),
    async: Type.Optional(Type.Boolean({ description: "true returns 202 immediately." })),
  };
  return {
    generate: Type.Object(
      {
        ...common,
        asset_type: choice(ASSET_TYPES, { title: "AssetType", description: "The format to write." }),
        tone: option('The tone, such as "warm" or "matter-of-fact".'),
        audience: option("The intended readers."),
        language: option("The language of the text."),
        length: Type.Optional(
          Type.Unsafe<string | number>({
            anyOf: [{ type: "string", maxLength: MAX_OPTION_LENGTH }, { type: "integer" }],
            description: '"short", "medium", "long" or another description, or a number of words from 10 to 10,000.',
          }),
        ),
        idea_id: Type.Optional(Type.String({ description: "An idea that an earlier call returned for this board." })),
        save_to_zone_id: Type.Optional(
          Type.String({ description: "Saves the result as a text tile in this zone. Requires permission to write." }),
        ),
      },
      { examples: [{ board_id: EXAMPLE.boardId, asset_type: "post", prompt: "Visiting the lighthouse", tone: "warm" }] },
    ),
    idea: Type.Object(
      {
        ...common,
        count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: "The maximum number of ideas. Default: 5." })),
        asset_type: Type.Optional(choice(ASSET_TYPES, { title: "AssetType", description: "The format that the ideas are for." })),
      },
      { examples: [{ board_id: EXAMPLE.boardId, count: 3 }] },
    ),
  };
}

/** The query of the listing of generations. */
export const GENERATION_QUERY = Type.Object({
  board_id: Type.Optional(Type.String({ description: "Only generations of this board." })),
  endpoint: Type.Optional(choice(GENERATION_ENDPOINTS, { title: "GenerationEndpoint", description: "Only generations of this call." })),
  ...pageInputs("Page size. Without it, the whole listing is returned."),
});

type Inputs = ReturnType<typeof createGenerationInputs>;
type Body = Partial<Omit<Static<Inputs["generate"]> & Static<Inputs["idea"]>, "board_id">>;

/** Reads a body that fits its schema; throws 400 for ids and lengths that the schema can't check. */
export function readGenerationRequest(body: Body): GenerationRequest {
  const fields = {
    prompt: body.prompt,
    assetType: body.asset_type,
    count: body.count,
    tone: body.tone,
    audience: body.audience,
    language: body.language,
    length: readLength(body.length),
    zoneIds: readIds("zone_ids", body.zone_ids),
    tileIds: readIds("tile_ids", body.tile_ids),
    ideaId: body.idea_id,
    saveToZoneId: body.save_to_zone_id,
    async: body.async,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function readIds(name: string, values: readonly unknown[] | undefined): readonly string[] | undefined {
  const ids = values?.filter((value): value is string => {
    if (typeof value !== "string") throw invalidField(name, "must be an array of strings.");
    if (!value.isWellFormed() || value.includes("\0")) throw invalidField(name, "must be valid Unicode without NUL.");
    return value.trim() !== "";
  });
  return ids === undefined || ids.length === 0 ? undefined : [...new Set(ids)];
}

/** Returns a number of words, or a description. */
function readLength(value: unknown): string | number | undefined {
  if (value === undefined || value === null || (typeof value === "string" && value.trim() === "")) return undefined;
  const number = typeof value === "string" && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= MIN_WORDS && number <= MAX_WORDS) return number;
  if (typeof number !== "string")
    throw invalidField(
      "length",
      `must be words such as "short", or a number of words from ${MIN_WORDS} to ${MAX_WORDS.toLocaleString("en")}.`,
    );
  if (!number.isWellFormed() || number.includes("\0")) throw invalidField("length", "must be valid Unicode without NUL.");
  if (isLongerThan(number, MAX_OPTION_LENGTH)) throw invalidField("length", `is too long. The maximum is ${MAX_OPTION_LENGTH} characters.`);
  return number;
}
