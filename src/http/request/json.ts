import { isUtf8 } from "node:buffer";
import { invalid } from "#domain/core/error.ts";
import { freeBytes } from "#runtime/free-bytes.ts";
import { findExcessiveStructure } from "#runtime/json-structure.ts";

const NOT_JSON = "The request body is not valid JSON.";
const EXCESSES = { parts: "The request body has too many parts.", depth: "The request body is nested too deeply." } as const;

/**
 * Parses a JSON body; an empty one is an empty object. A body with very many values or very deep nesting is rejected before it is parsed,
 * since parsing it would block the event loop, and code that walks through it could exceed the stack. Throws 400. The memory of a body that
 * has a buffer of its own is freed, so it can't be used afterwards.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  if (!isUtf8(body)) throw invalid(NOT_JSON, "body_invalid");
  const excess = findExcessiveStructure(body);
  if (excess !== null) throw invalid(EXCESSES[excess], "body_invalid");
  const text = body.toString("utf8");
  freeBytes(body);
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
export function writeCanonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeCanonicalJson).join(",")}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${writeCanonicalJson((value as Record<string, unknown>)[name])}`).join(",")}}`;
}
