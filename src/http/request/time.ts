import { invalid } from "#domain/core/error.ts";

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses an ISO 8601 date or time in the field `name`; returns milliseconds. Without a time zone, it is UTC. A space is read as the "+"
 * that a query string decoded to it. Throws 400 for anything else.
 */
export function readTime(name: string, text: string): number {
  const fixed = text.trim().replace(" ", "+");
  const milliseconds = TIME.test(fixed) ? Date.parse(/T[^Z+-]*$/.test(fixed) ? `${fixed}Z` : fixed) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw invalid(`${name} must be an ISO 8601 time, such as 2026-01-31T12:00:00.000Z.`);
  return milliseconds;
}
