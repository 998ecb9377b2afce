import type { Static, TObject, TSchema } from "typebox";
import { invalid, invalidField, missingField } from "#domain/core/errors/error.ts";
import { isLongerThan } from "#domain/core/text.ts";

/** A property of a schema, with extensions of JSON Schema. */
type Property = TSchema & {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** How a blank string is read: as a missing value (default), as an error, or as it is. */
  readonly "x-blank"?: "missing" | "refused" | "kept";
  /** Refuses null and blank strings with this advice, where reading them as missing would change more than intended. */
  readonly "x-empty"?: string;
  readonly "x-too-long"?: string;
  /** The name of the field in messages, if it differs from its own. */
  readonly "x-name"?: string;
};

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

/** The fields of an object, and their names by each name and alias. */
type Fields = { readonly list: readonly Field[]; readonly names: ReadonlyMap<string, string> };

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
    const names = new Map(list.flatMap(({ name, alias }) => [name, alias].map((one) => [one, name])));
    knownFields.set(schema, (fields = { list, names }));
  }
  return fields;
}

function pick(source: object, { name, alias }: Field): unknown {
  if (Object.hasOwn(source, name)) return (source as Record<string, unknown>)[name];
  return alias !== name && Object.hasOwn(source, alias) ? (source as Record<string, unknown>)[alias] : undefined;
}

/** Returns the field of the schema that has this name, or this camelCase alias. */
export const findField = (schema: TObject, name: string): string | undefined => listFields(schema).names.get(name);

/** Where values come from. Those of queries and forms are texts, or arrays of texts if a field is repeated. */
export type ValueSource = "json" | "query" | "form";

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

/**
 * Returns a field of a form as JSON would have it. A list is an array in JSON, a text with commas, or several fields with its name. Of
 * other fields with the same name, the last one counts.
 */
function readFormField(name: string, type: string | undefined, value: unknown): unknown {
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const last = texts.at(-1);
  if (type === "array") {
    const lists = texts.filter((text) => typeof text === "string" && text.trim() !== "") as readonly string[];
    return lists.length === 0 ? last : lists.flatMap((text) => readFormList(name, text));
  }
  return type === "object" && typeof last === "string" && last.trim() !== "" ? parseFormJson(name, last, "a JSON object") : last;
}

const readFormList = (name: string, text: string): unknown =>
  text.trimStart().startsWith("[")
    ? parseFormJson(name, text, "a JSON array, or a text with commas")
    : text.split(",").filter((one) => one.trim() !== "");

function parseFormJson(name: string, text: string, expected: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField(name, `must be ${expected}.`);
  }
}

function refuseEmpty(name: string, value: unknown, advice: string): void {
  if (value === null) throw invalidField(name, `must not be null. ${advice}`);
  if (typeof value === "string" && value.trim() === "") throw invalidField(name, `must not be blank. ${advice}`);
}

const acceptsNull = (property: Property): boolean =>
  property.enum?.includes(null) === true || (Array.isArray(property.type) && property.type.includes("null"));

function readChoice(name: string, choices: readonly unknown[], value: unknown): unknown {
  if (choices.includes(value)) return value;
  throw invalidField(name, `must be one of ${choices.filter((choice) => choice !== null).join(", ")}.`);
}

function readString(name: string, property: Property, value: unknown): string {
  if (typeof value !== "string") throw invalidField(name, "must be a string.");
  if (!value.isWellFormed() || value.includes("\0")) throw invalidField(name, "must be valid Unicode without NUL.");
  const maximum = property.maxLength;
  if (maximum !== undefined && isLongerThan(value, maximum)) {
    throw invalidField(name, property["x-too-long"] ?? `is too long. The maximum is ${maximum.toLocaleString("en")} characters.`);
  }
  return value;
}

function readBoolean(name: string, value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw invalidField(name, "must be a boolean.");
}

function readInteger(name: string, property: Property, value: unknown, source: ValueSource): number {
  const number = source !== "json" && typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  const minimum = property.minimum ?? Number.MIN_SAFE_INTEGER;
  const maximum = property.maximum ?? Number.MAX_SAFE_INTEGER;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= minimum && number <= maximum) return number;
  const range = property.minimum === undefined || property.maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
  throw invalidField(name, `must be a whole number${range}.`);
}

const DECIMAL = /^[+-]?\d{1,16}(?:\.\d{1,16})?$/;

function readNumber(name: string, property: Property, value: unknown, source: ValueSource): number {
  const number = source !== "json" && typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  const { minimum = -Infinity, maximum = Infinity } = property;
  if (typeof number === "number" && Number.isFinite(number) && number >= minimum && number <= maximum) return number;
  const range = Number.isFinite(minimum) && Number.isFinite(maximum) ? ` from ${minimum} to ${maximum}` : "";
  throw invalidField(name, `must be a number${range}.`);
}

function readArray(name: string, property: Property, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw invalidField(name, "must be an array.");
  if (value.length < (property.minItems ?? 0)) throw invalidField(name, "must not be empty.");
  if (property.maxItems !== undefined && value.length > property.maxItems) {
    throw invalidField(name, `has too many items. The maximum is ${property.maxItems}.`);
  }
  return value as unknown[];
}
