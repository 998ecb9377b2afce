import { isDeepStrictEqual } from "node:util";
import type { Reply } from "./http.ts";

/** A requirement that is not met. The message has the expected and the actual value. */
export class Mismatch extends Error {}

/** A check that can't run. The message says what it needs. */
export class Skip extends Error {}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A value for messages, shortened. */
export const show = (value: unknown): string => {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

export const callOf = (reply: Reply): string => `${reply.method} ${reply.path}`;

export function holds(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Mismatch(message);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

export function isStatus(reply: Reply, status: number): void {
  if (reply.status !== status) {
    throw new Mismatch(`${callOf(reply)}: expected status ${status}, got ${reply.status} ${show(reply.text)}`);
  }
}

/** Requires an error response with this status and the body `{ error }`. `message` is the whole message, or a pattern for it. */
export function isRefused(reply: Reply, status: number, message?: string | RegExp): void {
  isStatus(reply, status);
  const body = asFields(reply.json, `${callOf(reply)}: the error body`);
  equal(Object.keys(body), ["error"], `${callOf(reply)}: fields of the error body`);
  const text = asText(body["error"], `${callOf(reply)}: error`);
  if (typeof message === "string") equal(text, message, `${callOf(reply)}: error`);
  if (message instanceof RegExp) holds(message.test(text), `${callOf(reply)}: expected an error like ${message}, got ${show(text)}`);
}

export function asFields(value: unknown, what: string): Fields {
  holds(typeof value === "object" && value !== null && !Array.isArray(value), `${what}: expected an object, got ${show(value)}`);
  return value as Fields;
}

export function asText(value: unknown, what: string): string {
  holds(typeof value === "string", `${what}: expected a string, got ${show(value)}`);
  return value;
}

export function asNumber(value: unknown, what: string): number {
  holds(typeof value === "number", `${what}: expected a number, got ${show(value)}`);
  return value;
}

/** The object `name` in a 200 response. */
export function objectIn(reply: Reply, name: string): Fields {
  isStatus(reply, 200);
  return asFields(asFields(reply.json, `${callOf(reply)}: the body`)[name], `${callOf(reply)}: ${name}`);
}

/** The list of objects `name` in a 200 response. */
export function listIn(reply: Reply, name: string): readonly Fields[] {
  isStatus(reply, 200);
  const list = asFields(reply.json, `${callOf(reply)}: the body`)[name];
  holds(Array.isArray(list), `${callOf(reply)}: expected ${name} to be a list, got ${show(list)}`);
  return list.map((item, index) => asFields(item, `${callOf(reply)}: ${name}[${index}]`));
}

export type Kind = "string" | "string?" | "integer" | "number" | "boolean" | "list" | "object" | "object?" | "time";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const kinds: Record<Kind, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  "string?": (value) => typeof value === "string" || value === null,
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  list: Array.isArray,
  object: (value) => typeof value === "object" && value !== null,
  "object?": (value) => typeof value === "object",
  time: (value) => typeof value === "string" && ISO.test(value) && !Number.isNaN(Date.parse(value)),
};

/** Requires every field with its kind (`?` allows null). Other fields are allowed. */
export function hasFields(fields: Fields, shape: Readonly<Record<string, Kind>>, what: string): void {
  for (const [name, kind] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, name)) throw new Mismatch(`${what}: field ${name} is missing in ${show(Object.keys(fields))}`);
    if (!kinds[kind](fields[name])) throw new Mismatch(`${what}: expected ${name} to be ${kind}, got ${show(fields[name])}`);
  }
}

export const idsOf = (list: readonly Fields[]): readonly string[] => list.map((item) => String(item["id"]));
