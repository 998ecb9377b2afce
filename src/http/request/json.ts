import { isUtf8 } from "node:buffer";
import { invalid } from "#domain/core/error.ts";

const NOT_JSON = "The request body is not valid JSON.";
const MAX_PARTS = 100_000;
const MAX_DEPTH = 64;

/**
 * Parses a JSON body; an empty one is an empty object. A body with very many values or very deep nesting is rejected before it is parsed,
 * since parsing it would block the event loop, and code that walks through it could exceed the stack. Throws 400.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  if (!isUtf8(body)) throw invalid(NOT_JSON, "body_invalid");
  checkStructure(body);
  const text = body.toString("utf8");
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown;
  } catch {
    throw invalid(NOT_JSON, "body_invalid");
  }
}

/**
 * Returns a text that is the same for all JSON that is the same after parsing, whatever the order of fields, the white space and the
 * spelling of numbers and strings.
 */
export const writeCanonicalJson = (value: unknown): string => JSON.stringify(value, sortFields);

const sortFields = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts values and nesting outside strings, in one pass. In UTF-8, these bytes never occur inside longer characters. */
function checkStructure(body: Buffer): void {
  let parts = 0;
  let depth = 0;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number;
    if (byte === QUOTE) {
      i = endOfString(body, i + 1);
    } else if (byte === 0x2c) {
      parts++;
    } else if (byte === 0x5b || byte === 0x7b) {
      parts++;
      if (++depth > MAX_DEPTH) throw invalid("The request body is nested too deeply.", "body_invalid");
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--;
    }
    if (parts > MAX_PARTS) throw invalid("The request body has too many parts.", "body_invalid");
  }
}

/** So many bytes after an escaped quote are looked at one by one. */
const BYTES_BETWEEN_SEARCHES = 64;

/**
 * Returns where the string ends. A search for the next quote is 20 times as fast as looking at each byte, but costs a call, and strings
 * can have millions of escaped quotes: between two searches, some bytes are looked at one by one.
 */
function endOfString(body: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const end = body.indexOf(QUOTE, at);
    if (end < 0) return body.length;
    if (!isEscaped(body, end, at)) return end;
    at = end + 1;
    for (const until = at + BYTES_BETWEEN_SEARCHES; at < until; at += body[at] === BACKSLASH ? 2 : 1)
      if (at >= body.length || body[at] === QUOTE) return at;
  }
}

/** Whether an odd number of backslashes precedes the byte `at`. The byte `from` is known not to be escaped. */
function isEscaped(body: Buffer, at: number, from: number): boolean {
  let before = at;
  while (before > from && body[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}
