/** Yields the items of every page, which is read when the previous one is used up. */
export async function* paginate<Item>(
  readPage: (cursor: string | null) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>,
  start: string | null = null,
): AsyncGenerator<Item, void, undefined> {
  let cursor = start;
  do {
    const page = await readPage(cursor);
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
