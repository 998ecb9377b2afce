import { invalidField, missingField } from "#domain/core/error.ts";
import { isLongerThan } from "#domain/core/text.ts";

/** One argument of a tool: a JSON Schema, with `required` next to it. */
export type Field = {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  readonly required?: true;
  readonly enum?: readonly string[];
  /** In Unicode code points. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F["enum"] extends readonly (infer E)[] ? E : TypeNamed[F["type"]];
type TypeNamed = { readonly string: string; readonly integer: number; readonly boolean: boolean };

/** The arguments of a tool as its `run` receives them. */
export type ArgumentsOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends { readonly required: true } ? ValueOf<F[K]> : ValueOf<F[K]> | undefined;
};

/** Returns the JSON Schema of the arguments, for clients. */
export function toJsonSchema(fields: Fields) {
  const isOfSchema = ([name]: readonly [string, unknown]): boolean => name !== "required";
  const properties = Object.entries(fields).map(([name, field]) => [name, Object.fromEntries(Object.entries(field).filter(isOfSchema))]);
  return {
    type: "object" as const,
    properties: Object.fromEntries(properties) as Record<string, object>,
    required: Object.entries(fields).flatMap(([name, { required }]) => (required === true ? [name] : [])),
  };
}

/**
 * Reads the arguments of a call. Unknown arguments are ignored; null and blank text count as absent. Throws `invalid` with a message
 * that starts with the argument.
 */
export function readArguments<F extends Fields>(fields: F, given: Readonly<Record<string, unknown>>): ArgumentsOf<F> {
  const read = Object.entries(fields).map(([name, field]) => {
    const value = Object.hasOwn(given, name) ? readValue(name, field, given[name]) : undefined;
    if (value === undefined && field.required === true) throw missingField(name);
    return [name, value] as const;
  });
  return Object.fromEntries(read) as ArgumentsOf<F>;
}

function readValue(name: string, field: Field, value: unknown): string | number | boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (field.type === "integer") return readInteger(name, field, value);
  if (field.type === "boolean") return readBoolean(name, value);
  if (typeof value !== "string") throw invalidField(name, "must be a string.");
  if (value.trim() === "") return undefined;
  if (!value.isWellFormed() || value.includes("\0")) throw invalidField(name, "must be valid Unicode without NUL.");
  if (field.enum !== undefined && !field.enum.includes(value)) throw invalidField(name, `must be one of ${field.enum.join(", ")}.`);
  const maximum = field.maxLength;
  if (maximum !== undefined && isLongerThan(value, maximum))
    throw invalidField(name, `is too long. The maximum is ${maximum.toLocaleString("en")} characters.`);
  return value;
}

function readInteger(name: string, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Field, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value;
  throw invalidField(name, `must be a whole number from ${minimum} to ${maximum}.`);
}

function readBoolean(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw invalidField(name, "must be a boolean.");
}
