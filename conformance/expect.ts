import { isDeepStrictEqual } from "node:util";
import type { Reply } from "./http.ts";

/** A requirement that is not met. The message has the expected and the actual value. */
export class Mismatch extends Error {}

/** A check that can't run. The message says what it needs. */
export class Skip extends Error {}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A value for messages, shortened. */
export const formatValue = (value: unknown): string => {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

export const describeCall = (reply: Reply): string => `${reply.method} ${reply.path}`;

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Mismatch(message);
}

export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(`${what}: expected ${formatValue(expected)}, got ${formatValue(actual)}`);
}

/** Requires these values of an object. Other fields are allowed. */
export function assertMatch(actual: JsonObject | undefined, expected: JsonObject, what: string): void {
  assertEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, actual?.[name]])), expected, what);
}

export function assertStatus(reply: Reply, status: number): void {
  if (reply.status !== status) {
    throw new Mismatch(`${describeCall(reply)}: expected status ${status}, got ${reply.status} ${formatValue(reply.text)}`);
  }
}

/** Requires an error response with this status and the body `{ error }`. `message` is the whole message, or a pattern for it. */
export function assertError(reply: Reply, status: number, message?: string | RegExp): void {
  assertStatus(reply, status);
  const body = toObject(reply.json, `${describeCall(reply)}: the error body`);
  assertEqual(Object.keys(body), ["error"], `${describeCall(reply)}: fields of the error body`);
  const text = toText(body["error"], `${describeCall(reply)}: error`);
  if (typeof message === "string") assertEqual(text, message, `${describeCall(reply)}: error`);
  if (message instanceof RegExp)
    assert(message.test(text), `${describeCall(reply)}: expected an error like ${message}, got ${formatValue(text)}`);
}

export function toObject(value: unknown, what: string): JsonObject {
  assert(typeof value === "object" && value !== null && !Array.isArray(value), `${what}: expected an object, got ${formatValue(value)}`);
  return value as JsonObject;
}

export function toText(value: unknown, what: string): string {
  assert(typeof value === "string", `${what}: expected a string, got ${formatValue(value)}`);
  return value;
}

export function toNumber(value: unknown, what: string): number {
  assert(typeof value === "number", `${what}: expected a number, got ${formatValue(value)}`);
  return value;
}

/** The object `name` in a 200 response. */
export function getObject(reply: Reply, name: string): JsonObject {
  assertStatus(reply, 200);
  return toObject(toObject(reply.json, `${describeCall(reply)}: the body`)[name], `${describeCall(reply)}: ${name}`);
}

/** The list of objects `name` in a 200 response. */
export function getList(reply: Reply, name: string): readonly JsonObject[] {
  assertStatus(reply, 200);
  const list = toObject(reply.json, `${describeCall(reply)}: the body`)[name];
  assert(Array.isArray(list), `${describeCall(reply)}: expected ${name} to be a list, got ${formatValue(list)}`);
  return list.map((item, index) => toObject(item, `${describeCall(reply)}: ${name}[${index}]`));
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
export function assertFields(fields: JsonObject, shape: Readonly<Record<string, Kind>>, what: string): void {
  for (const [name, kind] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, name)) throw new Mismatch(`${what}: field ${name} is missing in ${formatValue(Object.keys(fields))}`);
    if (!kinds[kind](fields[name])) throw new Mismatch(`${what}: expected ${name} to be ${kind}, got ${formatValue(fields[name])}`);
  }
}

export const getIds = (list: readonly JsonObject[]): readonly string[] => list.map((item) => String(item["id"]));
