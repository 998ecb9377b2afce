import type { Static } from "typebox";
import { invalid } from "#domain/core/error.ts";
import type { GenerationRequest } from "#domain/answers/generation.ts";
import type { Inputs } from "./inputs.ts";

/** What both calls take, under the names of the interface. */
type Body = Partial<Omit<Static<Inputs["generate"]> & Static<Inputs["idea"]>, "board_id">>;

/** What is asked for, from a body that fits its schema. Throws 400 for what a schema can't say. */
export function readGenerationRequest(body: Body): GenerationRequest {
  const fields = {
    prompt: body.prompt,
    assetType: body.asset_type,
    count: body.count,
    tone: body.tone,
    audience: body.audience,
    language: body.language,
    length: lengthOf(body.length),
    zoneIds: idsOf("zone_ids", body.zone_ids),
    tileIds: idsOf("tile_ids", body.tile_ids),
    ideaId: body.idea_id,
    saveToZoneId: body.save_to_zone_id,
    async: body.async,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function idsOf(name: string, values: readonly unknown[] | undefined): readonly string[] | undefined {
  const ids = values?.filter((value): value is string => {
    if (typeof value !== "string") throw invalid(`${name} must hold strings.`);
    if (!value.isWellFormed() || value.includes("\0")) throw invalid(`${name} must be valid Unicode without NUL.`);
    return value.trim() !== "";
  });
  return ids === undefined || ids.length === 0 ? undefined : [...new Set(ids)];
}

const MIN_WORDS = 10;
const MAX_WORDS = 10_000;
const MAX_WISH_LENGTH = 200;

/** A number of words, or a wish in words. */
function lengthOf(value: unknown): string | number | undefined {
  if (value === undefined || value === null || (typeof value === "string" && value.trim() === "")) return undefined;
  const number = typeof value === "string" && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= MIN_WORDS && number <= MAX_WORDS) return number;
  if (typeof number !== "string")
    throw invalid(`length must be words such as "short", or a number of words from ${MIN_WORDS} to ${MAX_WORDS.toLocaleString("en")}.`);
  if (!number.isWellFormed() || number.includes("\0")) throw invalid("length must be valid Unicode without NUL.");
  if ([...number].length > MAX_WISH_LENGTH) throw invalid(`length is too long. The most is ${MAX_WISH_LENGTH} characters.`);
  return number;
}
