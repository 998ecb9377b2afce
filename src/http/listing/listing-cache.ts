import { LRUCache } from "lru-cache";
/**
 * Caches serialised listings. Reading and serialising a page of 50 tiles costs 340 µs of CPU (docs/decisions/006), and compressing it
 * 400 µs (docs/decisions/020).
 */
import type { Revisions } from "#domain/core/board.ts";
import type { BoardReader } from "#service/access.ts";
import { RawJson } from "../response/raw-json.ts";
import { ReusableJson } from "../response/reusable-json.ts";

const MAX_ENTRY_BYTES = 256 * 1_024;
const MAX_TOTAL_BYTES = 32 * 1_048_576;
/** Memory of an entry besides its texts: objects and map slots, measured and rounded up. */
const ENTRY_OVERHEAD_BYTES = 768;

/** Which revision of a board a listing depends on: the entry is valid until this revision changes. */
export type RevisionName = keyof Revisions;

/** The board of a listing, and the revision it depends on. */
export type ListingSource = { readonly boardId: string; readonly dependsOn: RevisionName };

type Entry = ListingSource & { readonly revision: number; json: RawJson };

/**
 * Each entry stores the revision of the board that it was built from. A write changes the revision in the same commit, in any process,
 * so an outdated entry is never served. Entries are keyed by the parsed query, so that spelling, order and unknown parameters create no
 * additional entries.
 */
export type ListingCache = {
  /** Returns the body for a key, if it is still valid and `reader` may read its board. */
  get(key: string, reader: BoardReader, revisions: Revisions): RawJson | undefined;
  /** Caches a body unless it is too long, and returns it. */
  set(key: string, source: ListingSource, revisions: Revisions, text: string): RawJson;
  /** Returns the size of the cache, for tests of its limits. */
  usage(): { readonly entries: number; readonly bytes: number };
};

export function createListingCache(maxBytes = MAX_TOTAL_BYTES): ListingCache {
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes });

  /** Stores an entry with its current cost. An entry larger than the whole cache is not stored. */
  function store(key: string, entry: Entry): void {
    // The cache keeps the size of an entry that is set again as the same object.
    entries.delete(key);
    entries.set(key, entry, { size: ENTRY_OVERHEAD_BYTES + key.length * 2 + entry.json.heldBytes });
  }

  return {
    get(key, reader, revisions) {
      const entry = entries.get(key);
      if (entry === undefined || entry.boardId !== reader.target.id) return undefined;
      if (entry.revision !== revisions[entry.dependsOn]) {
        entries.delete(key);
        return undefined;
      }
      // Prepared on the first hit, since many listings are requested only once.
      if (!(entry.json instanceof ReusableJson)) {
        entry.json = new ReusableJson(entry.json, () => {
          if (entries.peek(key) === entry) store(key, entry);
        });
        store(key, entry);
      }
      return entry.json;
    },
    set(key, { boardId, dependsOn }, revisions, text) {
      if (text.length > MAX_ENTRY_BYTES) return new RawJson(text);
      const json = new RawJson(text);
      store(key, { boardId, dependsOn, revision: revisions[dependsOn], json });
      return json;
    },
    usage: () => ({ entries: entries.size, bytes: entries.calculatedSize }),
  };
}
