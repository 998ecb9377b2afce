/** What one cached listing may be at most, and all of them together, in UTF-16 code units. */
const MOST_ENTRY = 256 * 1_024;
const MOST_TOTAL = 32 * 1_048_576;

type Entry = { readonly revision: number; readonly body: string };

/**
 * Keeps the text of listings, each with the board's revision it was built from. A write to the board, by any process,
 * changes the revision in the same commit, so an entry is never served after it.
 */
export type ListingCache = {
  get(key: string, revision: number): string | undefined;
  set(key: string, revision: number, body: string): void;
};

export function createListingCache(): ListingCache {
  const entries = new Map<string, Entry>();
  let total = 0;

  function drop(key: string, entry: Entry): void {
    entries.delete(key);
    total -= entry.body.length;
  }

  return {
    get(key, revision) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.revision === revision) return entry.body;
      drop(key, entry);
      return undefined;
    },
    set(key, revision, body) {
      if (body.length > MOST_ENTRY) return;
      const earlier = entries.get(key);
      if (earlier !== undefined) drop(key, earlier);
      entries.set(key, { revision, body });
      total += body.length;
      // A map remembers insertion order, so the first entry is the oldest.
      for (const [oldest, entry] of entries) {
        if (total <= MOST_TOTAL) break;
        drop(oldest, entry);
      }
    },
  };
}
