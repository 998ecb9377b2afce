import { type Static, type TObject, Type } from "typebox";
import { requireKnownFields } from "#http/request/ignored-fields.ts";
import { readObject } from "#http/request/schema-reader.ts";
import { CAUTION } from "./untrusted.ts";

type Json = Readonly<Record<string, unknown>>;
type Properties = { readonly properties: Record<string, object>; readonly required?: readonly string[] };

/** Keywords that clients do not need: instructions for the reader of requests, and the names of types in the SDK. */
const LEFT_OUT = /^(?:x-|~|examples$|title$)/;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a schema as JSON Schema. Arguments are closed: what they may have is listed. Results are open, as those of the HTTP API. */
function toJsonSchema(schema: object, isClosed: boolean): Json {
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write);
    return isObject(value) ? toJsonSchema(value, isClosed) : value;
  };
  const entries = Object.entries(schema).filter(([keyword]) => !LEFT_OUT.test(keyword) && keyword !== "additionalProperties");
  const written = Object.fromEntries(
    entries.map(([keyword, value]) => [
      keyword,
      keyword === "properties" && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, property]) => [name, write(property)]))
        : write(value),
    ]),
  );
  return isClosed && "properties" in schema ? { ...written, additionalProperties: false } : written;
}

/** Returns the JSON Schema of the arguments, for clients. */
export const describeInput = (input: TObject) => ({ type: "object" as const, ...toJsonSchema(input, true) });

/** Returns the JSON Schema of structured results, for clients: what the tool returns, or an error with its code. */
export function describeOutput(output: TObject, isTrusted: boolean) {
  const { properties, required = [] } = toJsonSchema(output, false) as Properties;
  const caution = isTrusted ? {} : { caution: { type: "string", const: CAUTION } };
  return {
    type: "object" as const,
    properties: {
      ...caution,
      ...properties,
      error: { type: "string", description: "Only if the call failed: what happened, and what to do." },
      code: { type: "string", description: "Only if the call failed: the error code of the HTTP API." },
    } as Record<string, object>,
    anyOf: [{ required: [...Object.keys(caution), ...required] }, { required: ["error", "code"] }],
  };
}

/**
 * Reads the arguments of a call as the HTTP API reads a body. Throws `invalid` with a message that starts with the argument, and also for
 * an unknown one: a misspelt `dry_run` must not delete.
 */
export function readToolArguments<S extends TObject>(input: S, given: Json): Static<S> {
  requireKnownFields(input, given);
  return readObject(input, given);
}

export const BOARD_ID = Type.String({ description: "The board's id, from list_boards." });
export const TILE_ID = Type.String({ description: "The tile's id, from list_tiles, search_board or a citation." });
