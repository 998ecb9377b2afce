import { Type } from "typebox";
import { invalidField } from "#domain/core/errors/error.ts";
import type { LabelFilter } from "#domain/labels/labels.ts";
import { parseProperties } from "#domain/labels/properties.ts";
import { foldTag, parseTags } from "#domain/labels/tags.ts";
import { several } from "../schema.ts";
import { requireValid } from "./tile-options.ts";

/** Values of properties by key, of which a tile has one for each key. */
type PropertyTexts = NonNullable<LabelFilter["properties"]>;
/** Those in a response. */
export const PROPERTY_TEXTS = Type.Unsafe<PropertyTexts>({
  type: "object",
  additionalProperties: { type: "array", items: { type: "string" } },
});

export const TAG_FILTER = several(Type.String(), { description: "Only tiles with all of these tags, in whatever case.", hasCommas: true });

const VALUE = { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "null" }] };

/** A filter by properties in a query, as `property.<key>=<value>`. */
export const PROPERTY_QUERY = Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
  type: "object",
  additionalProperties: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
  description:
    "property.<key>=<value>, such as property.order=4711: only tiles with this value. Another key: both. The same key again: either.",
  "x-prefix": "property.",
});

/** A filter by properties in a body. */
export const PROPERTIES_FILTER = Type.Unsafe<unknown>({
  type: "object",
  additionalProperties: { anyOf: [...VALUE.anyOf, { type: "array", items: VALUE }] },
  title: "PropertiesFilter",
  description: "Only tiles with these values of their properties. An array: any of its values.",
});

/** Returns the conditions on tags and properties in a fixed order, so that spellings of one filter are the same. */
export const readLabelFilter = (tags: readonly string[] | undefined, properties: PropertyTexts | undefined): LabelFilter => ({
  ...(tags === undefined ? {} : { tags: requireValid("tag", parseTags(tags)).map(foldTag).toSorted() }),
  ...(properties === undefined ? {} : { properties: sortProperties(properties) }),
});

/** Reads the properties of a filter in a body, of which each value is compared as text. */
export function readPropertiesFilter(given: unknown): PropertyTexts | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw invalidField("properties", "must be an object.");
  return Object.fromEntries(Object.entries(given).map(([key, values]) => [key, readTexts(values)]));
}

function readTexts(given: unknown): readonly string[] {
  const values = (Array.isArray(given) ? given : [given]) as readonly unknown[];
  if (values.length === 0) throw invalidField("properties", "must not have empty arrays.");
  if (values.some((value) => typeof value === "object" && value !== null))
    throw invalidField("properties", "must have values that are strings, numbers, booleans, null or arrays of these.");
  return values.map(String);
}

/** Returns the properties in a fixed order. Throws 400 for those that no tile can have, and for none at all. */
export function sortProperties(properties: PropertyTexts): PropertyTexts {
  const entries = Object.entries(requireValid("properties", parseProperties(properties)) as PropertyTexts);
  if (entries.length === 0) throw invalidField("properties", "must not be empty.");
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, texts]) => [key, [...new Set(texts)].toSorted()]));
}
