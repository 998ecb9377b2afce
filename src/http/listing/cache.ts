import type { Revisions } from "#domain/core/board.ts";
import type { BoardReader } from "#service/access.ts";
import { LastingJson, RawJson } from "../answer/answers.ts";

/** What one cached listing may be at most, and all of them together: bytes, or characters of short ones. */
const MOST_ENTRY = 256 * 1_024;
const MOST_TOTAL = 32 * 1_048_576;

/** What of a board a listing was built from, and holds for as long as. */
export type Basis = keyof Revisions;

/** Which route gave a kept listing, of which board, and what it was built from. */
export type KeptListing = { readonly route: string; readonly boardId: string; readonly basis: Basis };

type Entry = KeptListing & { readonly revision: number; answer: RawJson };

/**
 * Keeps the bodies of listings, each with the revision of that part of the board which it was built from. A write to that part, by any
 * process, changes the revision in the same commit, so an entry is never served after it.
 */
export type ListingCache = {
  /** Which listing is kept under this path and query, whether it still holds or not. */
  find(url: string): KeptListing | undefined;
  /** The answer, where it still holds and `reader` may read its board. */
  get(url: string, reader: BoardReader, revisions: Revisions): LastingJson | undefined;
  /** Keeps the answer if it is not too long, and hands it back. */
  set(url: string, listing: KeptListing, revisions: Revisions, text: string): RawJson;
};

export function createListingCache(): ListingCache {
  const entries = new Map<string, Entry>();
  let total = 0;

  function drop(url: string, entry: Entry): void {
    entries.delete(url);
    total -= entry.answer.body.length;
  }

  /** On the second sending: many listings are asked for only once. */
  function makeLasting(entry: Entry): LastingJson {
    const lasting = entry.answer.lasting();
    total += lasting.body.length - entry.answer.body.length;
    entry.answer = lasting;
    return lasting;
  }

  return {
    find: (url) => entries.get(url),
    get(url, reader, revisions) {
      const entry = entries.get(url);
      if (entry === undefined || entry.boardId !== reader.target.id) return undefined;
      const { answer } = entry;
      if (entry.revision === revisions[entry.basis]) return answer instanceof LastingJson ? answer : makeLasting(entry);
      drop(url, entry);
      return undefined;
    },
    set(url, { route, boardId, basis }, revisions, text) {
      const answer = new RawJson(text);
      const { length } = answer.body;
      if (length > MOST_ENTRY) return answer;
      const earlier = entries.get(url);
      if (earlier !== undefined) drop(url, earlier);
      entries.set(url, { route, boardId, basis, revision: revisions[basis], answer });
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
