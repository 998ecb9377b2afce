import type { Static, TObject } from "typebox";
import { invalid, invalidField, missingField } from "#domain/core/errors/error.ts";
import { readFormField } from "./form/form-values.ts";
import {
  type Property,
  type ValueSource,
  readArray,
  readBoolean,
  readChoice,
  readInteger,
  readNumber,
  readString,
} from "./schema-values.ts";

/** Returns the camelCase alias of a snake_case name. */
const toCamelCase = (name: string): string =>
  name.includes("_") ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name;

/** A property of an object. `label` is its name in messages. */
type Field = {
  readonly name: string;
  readonly alias: string;
  readonly label: string;
  readonly property: Property;
  readonly isRequired: boolean;
};

/** The fields of an object, their names by each name and alias, and those that stand for all names with a prefix. */
type Fields = { readonly list: readonly Field[]; readonly names: ReadonlyMap<string, string>; readonly prefixed: readonly Field[] };

const knownFields = new WeakMap<TObject, Fields>();

/** Returns the fields of a schema, which are worked out once. */
function listFields(schema: TObject): Fields {
  let fields = knownFields.get(schema);
  if (fields === undefined) {
    const required = new Set<string>((schema as { required?: readonly string[] }).required ?? []);
    const list = Object.entries(schema.properties as Record<string, Property>).map(([name, property]) => ({
      name,
      alias: toCamelCase(name),
      label: property["x-name"] ?? name,
      property,
      isRequired: required.has(name),
    }));
    const prefixed = list.filter(({ property }) => property["x-prefix"] !== undefined);
    const named = list.filter((field) => !prefixed.includes(field));
    const names = new Map(named.flatMap(({ name, alias }) => [name, alias].map((one) => [one, name])));
    knownFields.set(schema, (fields = { list, names, prefixed }));
  }
  return fields;
}

function pick(source: object, { name, alias, property }: Field): unknown {
  const prefix = property["x-prefix"];
  if (prefix !== undefined) return pickPrefixed(source, prefix);
  if (Object.hasOwn(source, name)) return (source as Record<string, unknown>)[name];
  return alias !== name && Object.hasOwn(source, alias) ? (source as Record<string, unknown>)[alias] : undefined;
}

function pickPrefixed(source: object, prefix: string): unknown {
  const found = Object.entries(source).filter(([name]) => hasPrefix(name, prefix));
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length), Array.isArray(value) ? value : [value]]));
}

const hasPrefix = (name: string, prefix: string | undefined): boolean =>
  prefix !== undefined && name.length > prefix.length && name.startsWith(prefix);

/** Returns the field of the schema that has this name, or this camelCase alias. A name with the prefix of a field is its own. */
export function findField(schema: TObject, name: string): string | undefined {
  const { names, prefixed } = listFields(schema);
  return names.get(name) ?? (prefixed.some(({ property }) => hasPrefix(name, property["x-prefix"])) ? name : undefined);
}

/**
 * Reads `value` by `schema`. Unknown fields are ignored, camelCase aliases accepted, and blank strings count as missing. null means
 * absent unless the schema allows it. Throws 400 with a message that starts with the field.
 */
export function readObject<S extends TObject>(schema: S, value: unknown, source: ValueSource = "json"): Static<S> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The request body must be a JSON object.", "body_invalid");
  }
  const result: Record<string, unknown> = {};
  for (const field of listFields(schema).list) {
    const read = readProperty(field.label, field.property, pick(value, field), source);
    if (read !== undefined) result[field.name] = read;
    else if (field.isRequired) throw missingField(field.label);
  }
  return result as Static<S>;
}

function readProperty(name: string, property: Property, given: unknown, source: ValueSource): unknown {
  if (given === undefined) return undefined;
  const type = typeof property.type === "string" ? property.type : property.type?.[0];
  const value = source === "form" ? readFormField(name, type, given) : given;
  const advice = property["x-empty"];
  if (advice !== undefined) refuseEmpty(name, value, advice);
  if (value === null) return acceptsNull(property) ? null : undefined;
  if (property["x-several"] !== undefined) return readSeveral(name, property, value, source);
  if (typeof value === "string" && value.trim() === "" && property["x-blank"] !== "kept") {
    if (property["x-blank"] === "refused") throw invalidField(name, "must not be blank.");
    return undefined;
  }
  if (property.enum !== undefined) return readChoice(name, property.enum, value);
  switch (type) {
    case "string":
      return readString(name, property, value);
    case "boolean":
      return readBoolean(name, value);
    case "integer":
      return readInteger(name, property, value, source);
    case "number":
      return readNumber(name, property, value, source);
    case "array":
      return readArray(name, property, value);
    default:
      return value;
  }
}

function readSeveral(
  name: string,
  { anyOf: [item, list] = [], "x-several": separation }: Property,
  value: unknown,
  source: ValueSource,
): unknown {
  const given = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  const isSplit = source === "query" && separation === "commas";
  const texts = isSplit ? given.flatMap((text) => (typeof text === "string" ? text.split(",") : [text])) : given;
  const values = texts.map((text) => readProperty(name, item ?? {}, isSplit && typeof text === "string" ? text.trim() : text, source));
  if (source !== "query" && values.includes(undefined)) throw invalidField(name, "must not have null or blank items.");
  const found = [...new Set(values.filter((one) => one !== undefined))];
  // A blank parameter counts as missing.
  return source === "query" && found.length === 0 ? undefined : readArray(name, list ?? {}, found);
}

function refuseEmpty(name: string, value: unknown, advice: string): void {
  if (value === null) throw invalidField(name, `must not be null. ${advice}`);
  if (typeof value === "string" && value.trim() === "") throw invalidField(name, `must not be blank. ${advice}`);
}

const acceptsNull = (property: Property): boolean =>
  property.enum?.includes(null) === true || (Array.isArray(property.type) && property.type.includes("null"));
