import { formatBytes, isLongerThan } from "../core/text.ts";
import { type Parsed, isStorable } from "./tags.ts";

export type PropertyValue = string | number | boolean | null | readonly string[];
/** The caller's own data of a tile, by key. */
export type TileProperties = Readonly<Record<string, PropertyValue>>;

export const MAX_PROPERTIES = 64;
/** In Unicode code points, as the length of a value. */
export const MAX_PROPERTY_KEY_LENGTH = 100;
export const MAX_PROPERTY_LENGTH = 2_000;
export const MAX_PROPERTY_ITEMS = 50;
/** All properties of a tile as JSON in UTF-8. */
const MAX_PROPERTIES_BYTES = 16_384;

/** How much of a key is repeated in a message. */
const SHOWN_KEY_LENGTH = 40;

/** Reads the properties of a tile. */
export function parseProperties(value: unknown): Parsed<TileProperties> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "must be a JSON object." };
  const entries = Object.entries(value) as readonly (readonly [string, unknown])[];
  for (const [key, property] of entries) {
    const problem = findKeyProblem(key) ?? findValueProblem(key, property);
    if (problem !== null) return { problem };
  }
  const properties = Object.fromEntries(entries) as TileProperties;
  const problem = findSizeProblem(properties);
  return problem === null ? { value: properties } : { problem };
}

function findKeyProblem(key: string): string | null {
  if (!isStorable(key)) return "must have keys of valid Unicode without NUL.";
  return key === "" || isLongerThan(key, MAX_PROPERTY_KEY_LENGTH) ? `must have keys of 1 to ${MAX_PROPERTY_KEY_LENGTH} characters.` : null;
}

function findValueProblem(key: string, value: unknown): string | null {
  const about = (problem: string): string => `has a value that ${problem}: ${[...key].slice(0, SHOWN_KEY_LENGTH).join("")}.`;
  if (value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return null;
  const isList = Array.isArray(value);
  const texts = (isList ? value : [value]) as readonly unknown[];
  if (isList && texts.length > MAX_PROPERTY_ITEMS) return about(`has more than ${MAX_PROPERTY_ITEMS} items`);
  for (const text of texts) {
    if (typeof text !== "string") return about("is not a string, a number, a boolean, null or an array of strings");
    if (!isStorable(text)) return about("is not valid Unicode without NUL");
    if (isLongerThan(text, MAX_PROPERTY_LENGTH)) return about(`is longer than ${MAX_PROPERTY_LENGTH.toLocaleString("en")} characters`);
  }
  return null;
}

/** Returns what is wrong with the number of properties or their size; null if nothing is. */
export function findSizeProblem(properties: TileProperties): string | null {
  if (Object.keys(properties).length > MAX_PROPERTIES) return `has too many keys. The maximum is ${MAX_PROPERTIES}.`;
  if (Buffer.byteLength(JSON.stringify(properties)) > MAX_PROPERTIES_BYTES)
    return `is too long. The maximum is ${formatBytes(MAX_PROPERTIES_BYTES)} as JSON.`;
  return null;
}

/** Returns the properties with others in place of theirs; null removes a key. */
export const mergeProperties = (properties: TileProperties, changes: TileProperties): TileProperties =>
  Object.fromEntries(
    Object.entries({ ...properties, ...changes }).filter(([key, value]) => !Object.hasOwn(changes, key) || value !== null),
  );
