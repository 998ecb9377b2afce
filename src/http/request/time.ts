import { invalid } from "#domain/core/error.ts";

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The milliseconds of an ISO 8601 date or time in the query field `name`; without a zone it is UTC. A "+" that a query string turned
 * into a blank is taken for what it was. 400 for anything else.
 */
export function readTime(name: string, text: string): number {
  const fixed = text.trim().replace(" ", "+");
  const milliseconds = TIME.test(fixed) ? Date.parse(/T[^Z+-]*$/.test(fixed) ? `${fixed}Z` : fixed) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw invalid(`${name} must be an ISO 8601 time, such as 2026-01-31T12:00:00.000Z.`);
  return milliseconds;
}
