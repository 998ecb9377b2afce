import type { TSchema } from "typebox";
import { invalidField } from "#domain/core/errors/error.ts";
import { isLongerThan } from "#domain/core/text.ts";

/** A property of a schema, with extensions of JSON Schema. */
export type Property = TSchema & {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly anyOf?: readonly Property[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** How a blank string is read: as a missing value (default), as an error, or as it is. */
  readonly "x-blank"?: "missing" | "refused" | "kept";
  /** Refuses null and blank strings with this advice, where reading them as missing would change more than intended. */
  readonly "x-empty"?: string;
  readonly "x-too-long"?: string;
  /** One value or several, read as a list: in a query by repeating the parameter, or also by commas. */
  readonly "x-several"?: "repeated" | "commas";
  /** The values of all fields whose names begin with this, as lists by the rest of their names. */
  readonly "x-prefix"?: string;
  /** The name of the field in messages, if it differs from its own. */
  readonly "x-name"?: string;
};

/** Where values come from. Those of queries and forms are texts, or arrays of texts if a field is repeated. */
export type ValueSource = "json" | "query" | "form";

export function readChoice(name: string, choices: readonly unknown[], value: unknown): unknown {
  if (choices.includes(value)) return value;
  throw invalidField(name, `must be one of ${choices.filter((choice) => choice !== null).join(", ")}.`);
}

export function readString(name: string, property: Property, value: unknown): string {
  if (typeof value !== "string") throw invalidField(name, "must be a string.");
  if (!value.isWellFormed() || value.includes("\0")) throw invalidField(name, "must be valid Unicode without NUL.");
  const maximum = property.maxLength;
  if (maximum !== undefined && isLongerThan(value, maximum)) {
    throw invalidField(name, property["x-too-long"] ?? `is too long. The maximum is ${maximum.toLocaleString("en")} characters.`);
  }
  return value;
}

export function readBoolean(name: string, value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw invalidField(name, "must be a boolean.");
}

export function readInteger(name: string, property: Property, value: unknown, source: ValueSource): number {
  const number = source !== "json" && typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  const minimum = property.minimum ?? Number.MIN_SAFE_INTEGER;
  const maximum = property.maximum ?? Number.MAX_SAFE_INTEGER;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= minimum && number <= maximum) return number;
  const range = property.minimum === undefined || property.maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
  throw invalidField(name, `must be a whole number${range}.`);
}

const DECIMAL = /^[+-]?\d{1,16}(?:\.\d{1,16})?$/;

export function readNumber(name: string, property: Property, value: unknown, source: ValueSource): number {
  const number = source !== "json" && typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  const { minimum = -Infinity, maximum = Infinity } = property;
  if (typeof number === "number" && Number.isFinite(number) && number >= minimum && number <= maximum) return number;
  const range = Number.isFinite(minimum) && Number.isFinite(maximum) ? ` from ${minimum} to ${maximum}` : "";
  throw invalidField(name, `must be a number${range}.`);
}

export function readArray(name: string, property: Property, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw invalidField(name, "must be an array.");
  if (value.length < (property.minItems ?? 0)) throw invalidField(name, "must not be empty.");
  if (property.maxItems !== undefined && value.length > property.maxItems) {
    throw invalidField(name, `has too many items. The maximum is ${property.maxItems}.`);
  }
  return value as unknown[];
}
