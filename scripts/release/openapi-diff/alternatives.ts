import { type Json, canonical, isObject, asList, asObject, resolve, asStrings } from "./json.ts";

/** One form that a value may have: a type, with the keywords that apply to it. A type `any` stands for every value. */
export type Alternative = {
  readonly type: string;
  /** The values it is limited to, from `enum` and `const`. */
  readonly values?: readonly unknown[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** Everything else, such as limits, `items` and `additionalProperties`. */
  readonly rest: Json;
};

const MAX_ALTERNATIVES = 200;
const TYPE_OF_KEYWORD: Readonly<Record<string, string>> = {
  properties: "object",
  required: "object",
  additionalProperties: "object",
  patternProperties: "object",
  items: "array",
};
/** Keywords that say nothing about which values are valid. */
const ANNOTATIONS = new Set(["title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "$comment"]);

/**
 * The forms that a schema allows: `anyOf`, `oneOf` and lists of types become one form each, and `allOf` is merged into them. `oneOf` is
 * read as `anyOf`. `true` and an empty schema allow everything, and `false` nothing.
 */
export function listAlternatives(document: Json, schema: unknown): readonly Alternative[] {
  const found = resolve(document, schema);
  if (found === false) return [];
  if (!isObject(found)) return [{ type: "any", properties: {}, required: [], rest: {} }];
  const { allOf, anyOf, oneOf, ...own } = found;
  let all: readonly Alternative[] = listOwnAlternatives(own);
  for (const part of asList(allOf)) all = intersect(all, listAlternatives(document, part));
  for (const choices of [anyOf, oneOf])
    if (choices !== undefined)
      all = intersect(
        all,
        asList(choices).flatMap((choice) => listAlternatives(document, choice)),
      );
  if (all.length > MAX_ALTERNATIVES) throw new Error("A schema has too many combinations of anyOf and oneOf to be compared.");
  return joinValues(all);
}

function listOwnAlternatives(schema: Json): readonly Alternative[] {
  const { type, enum: listed, const: constant, nullable, properties, required, ...others } = schema;
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !ANNOTATIONS.has(name) && !name.startsWith("x-")));
  const values = Object.hasOwn(schema, "const") ? [constant] : Array.isArray(listed) ? listed : undefined;
  const types = new Set(type === undefined ? inferTypes(schema, values) : Array.isArray(type) ? asStrings(type) : [String(type)]);
  if (nullable === true) types.add("null");
  return [...types]
    .map((one) => ({
      type: one,
      ...(values === undefined || one === "null" ? {} : { values: values.filter((value) => hasType(value, one)) }),
      properties: asObject(properties),
      required: asStrings(required),
      rest,
    }))
    .filter((one) => one.type === "null" || one.values === undefined || one.values.length > 0);
}

/** The types of a schema that names none: those of its values, or the one that its keywords are about. */
function inferTypes(schema: Json, values: readonly unknown[] | undefined): readonly string[] {
  if (values !== undefined) return [...new Set(values.map(getType))];
  const keyword = Object.keys(schema).find((name) => name in TYPE_OF_KEYWORD);
  return [TYPE_OF_KEYWORD[keyword ?? ""] ?? "any"];
}

function getType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const hasType = (value: unknown, type: string): boolean =>
  type === "any" || type === getType(value) || (type === "integer" && Number.isInteger(value));

/** What both allow, form by form. */
function intersect(a: readonly Alternative[], b: readonly Alternative[]): readonly Alternative[] {
  return a.flatMap((one) => b.flatMap((other) => merge(one, other)));
}

function merge(a: Alternative, b: Alternative): readonly Alternative[] {
  const type = intersectTypes(a.type, b.type);
  if (type === undefined) return [];
  const [some, others] = a.values === undefined ? [b.values, a.values] : [a.values, b.values];
  const texts = others && new Set(others.map(canonical));
  const values = some?.filter((value) => hasType(value, type) && (texts === undefined || texts.has(canonical(value))));
  if (values?.length === 0) return [];
  const properties = { ...a.properties };
  for (const [name, schema] of Object.entries(b.properties))
    properties[name] = name in properties ? { allOf: [properties[name], schema] } : schema;
  const required = [...new Set([...a.required, ...b.required])];
  return [{ type, ...(values === undefined ? {} : { values }), properties, required, rest: mergeRest(a.rest, b.rest) }];
}

function intersectTypes(a: string, b: string): string | undefined {
  if (a === b || b === "any") return a;
  if (a === "any") return b;
  const both = [a, b].toSorted().join(" ");
  return both === "integer number" ? "integer" : undefined;
}

/** The stricter limit of each pair; schemas of the same keyword apply together. */
function mergeRest(a: Json, b: Json): Json {
  const merged: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const other = a[name];
    if (other === undefined || canonical(other) === canonical(value)) merged[name] = value;
    else if (typeof value === "number" && typeof other === "number")
      merged[name] = /^(?:max|exclusiveMax)/.test(name) ? Math.min(value, other) : Math.max(value, other);
    else if (name === "items" || name === "additionalProperties") merged[name] = { allOf: [other, value] };
    // Two patterns, for example: the pair is compared as a whole.
    else merged[name] = { both: [other, value] };
  }
  return merged;
}

/** Forms of the same type that only list values become one, so that `anyOf` of constants equals an `enum`. */
function joinValues(all: readonly Alternative[]): readonly Alternative[] {
  const joined: Alternative[] = [];
  for (const one of all) {
    const index = joined.findIndex(
      (other) =>
        other.type === one.type && one.type !== "object" && other.values && one.values && canonical(other.rest) === canonical(one.rest),
    );
    const other = joined[index];
    if (other === undefined) joined.push(one);
    else joined[index] = { ...other, values: [...(other.values ?? []), ...(one.values ?? [])] };
  }
  return joined;
}
