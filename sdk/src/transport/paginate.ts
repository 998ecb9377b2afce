import { TesseraError } from "./errors.ts";

/** Yields the items of every page, which is read when the previous one is used up. Throws a `TesseraError` if the pages would not end. */
export async function* paginate<Item>(
  readPage: (cursor: string | null) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>,
  start: string | null = null,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string | null>();
  let cursor = start;
  do {
    seen.add(cursor);
    const { items, nextCursor } = await readPage(cursor);
    yield* requireList(items);
    cursor = nextCursor ?? null;
    if (cursor !== null && seen.has(cursor))
      throw new TesseraError(200, "The service repeats a page, so that the listing would not end. Update the service.", null, null);
  } while (cursor !== null);
}

/** The list in a response. Throws a `TesseraError` if there is none, since then something else than the service has answered. */
export function requireList<Item>(list: readonly Item[] | undefined): readonly Item[] {
  if (!Array.isArray(list)) throw new TesseraError(200, "The answer has no list: is baseUrl the service's address?", null, null);
  return list;
}
