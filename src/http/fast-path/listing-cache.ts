import type { Revisions } from "#domain/core/board.ts";
import { LruCache } from "#domain/core/lru-cache.ts";
import type { BoardReader } from "#service/access.ts";
import { ReusableJson, RawJson } from "../response/answers.ts";

/** The largest body that is cached, and what everything cached may take together, in bytes. */
const MAX_ENTRY_BYTES = 256 * 1_024;
const MAX_TOTAL_BYTES = 32 * 1_048_576;
/** What an entry takes beside its texts, and an address beside its own: objects and places in maps, measured and rounded up. */
const ENTRY_OVERHEAD_BYTES = 768;
const ADDRESS_OVERHEAD_BYTES = 128;
/** Longer addresses than any client of ours sends take the normal path. */
const MAX_ADDRESS_LENGTH = 512;
/** In how many spellings an entry is found by its address. */
const MAX_ADDRESSES_PER_ENTRY = 4;

/** Which part of a board a listing was built from; it holds until that part changes. */
export type Basis = keyof Revisions;

/** Which route gave a cached listing, of which board, and what it was built from. */
export type ListingSource = { readonly route: string; readonly boardId: string; readonly basis: Basis };

/** A cached listing with the key that it is cached under. */
export type CachedListing = ListingSource & { readonly key: string };

/** A listing by what its call understood (`key`), and the address under which it was asked for; null where that may carry more. */
export type ListingKey = { readonly key: string; readonly address: string | null };

type Entry = ListingSource & {
  readonly key: string;
  readonly revision: number;
  /** The spellings of the address under which the fast path finds it, the oldest first. */
  readonly addresses: string[];
  answer: RawJson;
};

/**
 * Caches the bodies of listings, each with the revision of that part of the board which it was built from. A write to that part, by any
 * process, changes the revision in the same commit, so an entry is never served after it. Entries are found by what their call
 * understood, so that unknown parameters, their order and their spelling make no further entries.
 */
export type ListingCache = {
  /** Which listing is cached under this address, whether it still holds or not. */
  find(address: string): CachedListing | undefined;
  /** The answer by its address, where it still holds and `reader` may read its board. */
  getByAddress(address: string, reader: BoardReader, revisions: Revisions): ReusableJson | undefined;
  /** The answer by its name; its address finds it from then on. */
  get(name: ListingKey, reader: BoardReader, revisions: Revisions): ReusableJson | undefined;
  /** Caches the answer if it is not too long, and returns it. */
  set(name: ListingKey, listing: ListingSource, revisions: Revisions, text: string): RawJson;
  /** What the cache holds, for tests of its bound. */
  usage(): { readonly entries: number; readonly addresses: number; readonly bytes: number };
};

/** Short bodies are text, of which a character can take two bytes; long ones become bytes when they are sent again. */
const bytesOf = ({ body }: RawJson): number => (typeof body === "string" ? body.length * 2 : body.length);

const costOf = ({ key, addresses, answer }: Entry): number =>
  ENTRY_OVERHEAD_BYTES +
  key.length * 2 +
  bytesOf(answer) +
  addresses.reduce((sum, address) => sum + ADDRESS_OVERHEAD_BYTES + address.length * 2, 0);

export function createListingCache(maxBytes = MAX_TOTAL_BYTES): ListingCache {
  const byAddress = new Map<string, Entry>();
  const entries = new LruCache<string, Entry>(maxBytes, (_key, { addresses }) => {
    for (const address of addresses) byAddress.delete(address);
  });

  /** Puts the entry back with what it takes now. Its addresses are noted after it, since replacing it forgets them. */
  function store(entry: Entry): void {
    entries.set(entry.key, entry, costOf(entry));
    if (entries.peek(entry.key) === entry) for (const address of entry.addresses) byAddress.set(address, entry);
  }

  function addAddress(entry: Entry, address: string | null): void {
    if (address === null || address.length > MAX_ADDRESS_LENGTH || entry.addresses.includes(address)) return;
    if (entry.addresses.length >= MAX_ADDRESSES_PER_ENTRY) byAddress.delete(entry.addresses.shift() as string);
    entry.addresses.push(address);
    store(entry);
  }

  function read(entry: Entry | undefined, reader: BoardReader, revisions: Revisions): ReusableJson | undefined {
    if (entry === undefined || entry.boardId !== reader.target.id) return undefined;
    if (entry.revision !== revisions[entry.basis]) {
      entries.delete(entry.key);
      return undefined;
    }
    const { answer } = entry;
    if (answer instanceof ReusableJson) {
      entries.get(entry.key);
      return answer;
    }
    // On the second sending: many listings are asked for only once.
    const lasting = answer.lasting();
    entry.answer = lasting;
    store(entry);
    return lasting;
  }

  return {
    find: (address) => byAddress.get(address),
    getByAddress: (address, reader, revisions) => read(byAddress.get(address), reader, revisions),
    get({ key, address }, reader, revisions) {
      const entry = entries.get(key);
      const answer = read(entry, reader, revisions);
      if (entry !== undefined && answer !== undefined) addAddress(entry, address);
      return answer;
    },
    set({ key, address }, { route, boardId, basis }, revisions, text) {
      const answer = new RawJson(text);
      if (answer.body.length > MAX_ENTRY_BYTES) return answer;
      const entry: Entry = { key, route, boardId, basis, revision: revisions[basis], addresses: [], answer };
      store(entry);
      addAddress(entry, address);
      return answer;
    },
    usage: () => ({ entries: entries.size, addresses: byAddress.size, bytes: entries.cost }),
  };
}
