import { type Static, type TObject, type TProperties, type TSchema, Type } from "typebox";
import { isoTime } from "#domain/core/system.ts";

/** The limits of request fields that the operator can configure, in Unicode code points. */
export type InputLimits = {
  readonly name: number;
  readonly title: number;
  readonly content: number;
  readonly question: number;
};

/** The values that fit a schema, as presenters return them. */
export type Output<S extends TSchema> = ReadonlyDeep<Static<S>>;

type ReadonlyDeep<T> = T extends readonly (infer E)[]
  ? readonly ReadonlyDeep<E>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

type JsonTypes = { readonly string: string; readonly integer: number; readonly boolean: boolean };

/** Returns an object without other properties. */
export const object = <P extends TProperties>(properties: P, options: object = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Returns an object of the interface; the SDK's type has this name. */
export const entity = <P extends TProperties>(title: string, properties: P, options: object = {}): TObject<P> =>
  object(properties, { title, ...options });

/** One of a list of strings. With a `title`, the SDK has a type of this name. */
export const choice = <T extends string>(values: readonly T[], options: { readonly title?: string; readonly description?: string } = {}) =>
  Type.Unsafe<T>({ type: "string", enum: [...values], ...options });

/**
 * One value or several, which are read as a list without duplicates. In a query, the parameter is repeated, or its values are separated by
 * commas unless they may contain one themselves.
 */
export const several = <S extends TSchema>(item: S, { description, hasCommas = false }: { description: string; hasCommas?: boolean }) =>
  Type.Unsafe<readonly Static<S>[]>({
    anyOf: [item, { type: "array", items: item, minItems: 1, maxItems: MAX_SEVERAL }],
    "x-several": hasCommas ? "repeated" : "commas",
    description,
  });
const MAX_SEVERAL = 50;

export const choiceOrNull = <T extends string>(
  values: readonly T[],
  options: { readonly title?: string; readonly description?: string } = {},
) => Type.Unsafe<T | null>({ type: ["string", "null"], enum: [...values, null], ...options });

export const orNull = <T extends keyof JsonTypes>(type: T, options: object = {}) =>
  Type.Unsafe<JsonTypes[T] | null>({ type: [type, "null"], ...options });

/** ISO 8601, UTC, with milliseconds: the document says so once. */
export const time = Type.String({ format: "date-time" });
export const timeOrNull = orNull("string", { format: "date-time" });

export const isoOrNull = (milliseconds: number | null): string | null => (milliseconds === null ? null : isoTime(milliseconds));

/** Returns the name of a resource in a request. A blank one is missing where it is required, and an error where it changes something. */
export const nameInput = (maxLength: number, blank: "missing" | "refused", description: string) =>
  Type.String({ maxLength, "x-blank": blank, description });

export const urlInput = (description: string) => Type.String({ maxLength: 2_048, "x-too-long": "is too long.", description });

/** Returns the query parameters of a listing that is split into pages. */
export const pageInputs = (description: string) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description })),
  cursor: Type.Optional(Type.String({ description: "The nextCursor of the previous page.", "x-blank": "kept" })),
});

/** The query of a listing that is returned as a whole unless a page is asked for. */
export const PAGE_QUERY = Type.Object(pageInputs("Page size. Without it, the whole listing is returned."));

export const waitQuery = (noun: string) =>
  Type.Object({
    wait: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60, description: `Seconds to wait until the ${noun} is no longer processing.` }),
    ),
  });

/** The cursor of a listing that can be returned as a whole. */
export const nextCursor = Type.Optional(orNull("string", { description: "Present in paginated responses; null on the last page." }));

export const OK = object({ ok: Type.Literal(true) });
