import type { Revisions } from "#domain/core/board.ts";
import { RawJson } from "../answers.ts";

/** What one cached listing may be at most, and all of them together: bytes, or characters of short ones. */
const MOST_ENTRY = 256 * 1_024;
const MOST_TOTAL = 32 * 1_048_576;

/** What of a board a listing was built from, and holds for as long as. */
export type Basis = keyof Revisions;

type Entry = { readonly basis: Basis; readonly revision: number; answer: RawJson; isLasting: boolean };

/**
 * Keeps the bodies of listings, each with the revision of that part of the board which it was built from. A write to that part, by any
 * process, changes the revision in the same commit, so an entry is never served after it.
 */
export type ListingCache = {
  get(key: string, revisions: Revisions): RawJson | undefined;
  /** Keeps the answer if it is not too long, and hands it back. */
  set(key: string, basis: Basis, revisions: Revisions, text: string): RawJson;
};

export function createListingCache(): ListingCache {
  const entries = new Map<string, Entry>();
  let total = 0;

  function drop(key: string, entry: Entry): void {
    entries.delete(key);
    total -= entry.answer.body.length;
  }

  /** On the second sending: many listings are asked for only once. */
  function makeLasting(entry: Entry): void {
    total -= entry.answer.body.length;
    entry.answer = entry.answer.lasting();
    entry.isLasting = true;
    total += entry.answer.body.length;
  }

  return {
    get(key, revisions) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.revision === revisions[entry.basis]) {
        if (!entry.isLasting) makeLasting(entry);
        return entry.answer;
      }
      drop(key, entry);
      return undefined;
    },
    set(key, basis, revisions, text) {
      const answer = new RawJson(text);
      const { length } = answer.body;
      if (length > MOST_ENTRY) return answer;
      const earlier = entries.get(key);
      if (earlier !== undefined) drop(key, earlier);
      entries.set(key, { basis, revision: revisions[basis], answer, isLasting: false });
      total += length;
      // A map remembers insertion order, so the first entry is the oldest.
      for (const [oldest, entry] of entries) {
        if (total <= MOST_TOTAL) break;
        drop(oldest, entry);
      }
      return answer;
    },
  };
}
