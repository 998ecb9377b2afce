import { invalidField } from "#domain/core/errors/error.ts";

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether the month has this day: `Date.parse` reads 30 February as 2 March. */
const isDayOfMonth = (text: string): boolean => new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));

/**
 * Parses an ISO 8601 date or time in the field `name`; returns milliseconds. Without a time zone, it is UTC. A space is read as the "+"
 * that a query string decoded to it. Throws 400 for anything else.
 */
export function readTime(name: string, text: string): number {
  const fixed = text.trim().replace(" ", "+");
  const milliseconds = TIME.test(fixed) ? Date.parse(/T[^Z+-]*$/.test(fixed) ? `${fixed}Z` : fixed) : Number.NaN;
  if (Number.isNaN(milliseconds) || !isDayOfMonth(fixed))
    throw invalidField(name, "must be an ISO 8601 time, such as 2026-01-31T12:00:00.000Z.");
  return milliseconds;
}
