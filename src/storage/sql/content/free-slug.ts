import type { Dialect } from "../driver.ts";
import { all, type Unit } from "../unit.ts";

/** The first numbers, which are tried one by one, and the greatest power of two beyond them. */
const FIRST_NUMBERS = 32;
const MAX_EXPONENT = 30;
/** Numbers tried at once between a number that is taken and one that is free. */
const PROBES = 32;

const formatSlug = (slug: string, number: number): string => (number === 1 ? slug : `${slug}-${number}`);
const range = (length: number, toValue: (index: number) => number): number[] => Array.from({ length }, (_, index) => toValue(index));

/**
 * Returns the slug, with a free number appended if it is taken: the first one above a number that is taken. Reads a few dozen slugs at
 * most, however many boards have this name.
 */
export function* findFreeSlug(dialect: Dialect, businessId: string, slug: string): Unit<string> {
  const first = range(FIRST_NUMBERS, (index) => index + 1);
  const powers = range(MAX_EXPONENT, (index) => 2 ** (index + 1)).filter((number) => number > FIRST_NUMBERS);
  const numbers = [...first, ...powers];
  let taken = yield* readTaken(dialect, businessId, slug, numbers);
  let at = numbers.findIndex((number) => !taken.has(number));
  let high = numbers[at] ?? Infinity;
  let low = numbers[at - 1] ?? 0;
  while (high - low > 1) {
    const step = Math.ceil((high - low) / PROBES);
    const probes = range(Math.ceil((high - low) / step) - 1, (index) => low + (index + 1) * step);
    taken = yield* readTaken(dialect, businessId, slug, probes);
    at = probes.findIndex((number) => !taken.has(number));
    [low, high] = at < 0 ? [probes.at(-1) ?? low, high] : [probes[at - 1] ?? low, probes[at] as number];
  }
  return formatSlug(slug, high);
}

function* readTaken(dialect: Dialect, businessId: string, slug: string, numbers: readonly number[]): Unit<ReadonlySet<number>> {
  const bySlug = new Map(numbers.map((number) => [formatSlug(slug, number), number]));
  const sql = `SELECT slug FROM board WHERE business_id = @businessId AND ${dialect.isAnyOf("slug", "slugs")}`;
  const found = yield* all<{ slug: string }>(sql, { businessId, slugs: [...bySlug.keys()] });
  return new Set(found.map((board) => bySlug.get(board.slug) as number));
}
