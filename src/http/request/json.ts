import { isUtf8 } from "node:buffer";
import { invalid } from "#domain/core/error.ts";

const NOT_JSON = "The request body is not valid JSON.";
/** Bodies below this are parsed at once; larger ones are measured first. */
const SMALL = 32 * 1_024;
const MAX_PARTS = 100_000;
const MAX_DEPTH = 64;

/**
 * Parses a JSON body. A large one with very many parts or very deep nesting is refused before it is built in memory,
 * since parsing it would hold up everybody else. An empty body reads as an empty object.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  if (!isUtf8(body)) throw invalid(NOT_JSON);
  if (body.length > SMALL) measure(body);
  const text = body.toString("utf8");
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown;
  } catch {
    throw invalid(NOT_JSON);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts what stands outside strings; UTF-8 keeps these bytes from appearing inside longer characters. */
function measure(body: Buffer): void {
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
      if (++depth > MAX_DEPTH) throw invalid("The request body is nested too deeply.");
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--;
    }
    if (parts > MAX_PARTS) throw invalid("The request body has too many parts.");
  }
}

function endOfString(body: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const quote = body.indexOf(QUOTE, at);
    if (quote < 0) return body.length;
    let slashes = 0;
    while (quote - slashes - 1 >= from && body[quote - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
}
