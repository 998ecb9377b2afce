import type { Json } from "./json.ts";

/** Requests are closed: what they may have is listed. Responses are open: newer servers return more fields and more values. */
export type Direction = "request" | "response";

/** Said of every list of values that a response has. */
const MAY_GROW = "New values may be added.";

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["default", "const", "enum"]);

/**
 * Collects the schemas of a document that have a title. Each becomes a component of this name, and every use refers to it, so the title itself is left out. Left out are also
 * keywords that start with `x-`, which instruct the reader of requests, and examples, which requests and responses show as a whole.
 */
export class SchemaComponents {
  readonly #schemas = new Map<string, { readonly schema: Json; readonly json: string }>();

  /** The schema as it is written in the document. Throws if two different schemas have the same title. */
  write(schema: object, direction: Direction): Json {
    const plain = applyDirection(this.#writeParts(schema as Json, direction), direction);
    const { title, description, type, ...rest } = plain;
    if (typeof title !== "string") return plain;
    const isNullable = Array.isArray(type) && type.includes("null");
    const values = Array.isArray(rest["enum"]) ? { enum: rest["enum"].filter((value) => value !== null) } : {};
    // What a list of values means differs from use to use; what an object is does not.
    const isEnum = "enum" in rest;
    this.#add(title, {
      ...(isEnum ? { description: MAY_GROW } : description === undefined ? {} : { description }),
      type: isNullable ? withoutNull(type) : type,
      ...rest,
      ...values,
    });
    const reference = { $ref: `#/components/schemas/${title}` };
    return {
      ...(isNullable ? { anyOf: [reference, { type: "null" }] } : reference),
      ...(isEnum && description !== undefined && description !== MAY_GROW ? { description } : {}),
    };
  }

  /** The collected schemas in the order of their names. */
  collected(): Readonly<Record<string, Json>> {
    const sorted = [...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([title, { schema }]) => [title, schema]));
  }

  #add(title: string, schema: Json): void {
    const json = JSON.stringify(schema);
    const previous = this.#schemas.get(title);
    if (previous !== undefined && previous.json !== json) throw new Error(`Two different schemas have the title ${title}.`);
    this.#schemas.set(title, { schema, json });
  }

  #writeParts(schema: Json, direction: Direction): Json {
    const entries = Object.entries(schema).filter(([keyword]) => !/^(?:x-|~|examples$)/.test(keyword));
    return Object.fromEntries(
      entries.map(([keyword, value]) => [keyword, DATA.has(keyword) ? value : this.#writePart(keyword, value, direction)]),
    );
  }

  #writePart(keyword: string, value: unknown, direction: Direction): unknown {
    if (Array.isArray(value)) return value.map((one) => (isObject(one) ? this.write(one, direction) : one));
    if (!isObject(value)) return value;
    if (keyword !== "properties") return this.write(value, direction);
    return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, this.write(property as object, direction)]));
  }
}

function applyDirection(schema: Json, direction: Direction): Json {
  const { additionalProperties, ...rest } = schema;
  if (direction === "request")
    return schema["properties"] === undefined ? schema : { ...rest, additionalProperties: additionalProperties ?? false };
  const open = additionalProperties === false ? rest : schema;
  // A list with a title is a component, which says so itself.
  if (!Array.isArray(schema["enum"]) || schema["title"] !== undefined) return open;
  return { ...open, description: [schema["description"], MAY_GROW].filter((part) => part !== undefined).join(" ") };
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

function withoutNull(types: readonly unknown[]): unknown {
  const others = types.filter((type) => type !== "null");
  return others.length === 1 ? others[0] : others;
}
